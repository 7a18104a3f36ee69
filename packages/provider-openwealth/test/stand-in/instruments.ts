import { Exact, type JsonObject } from "./exact-json.js";
import { amount, instrument } from "./positions.js";

const fixedRate = (value: string): JsonObject => ({ type: "fixed", value: new Exact(value), dayCountBasis: "act_360" });
const contract = (id: string) => ({ otherProprietaryIdentification: id });

const apple = instrument("equity", "Apple Inc.", {
  isin: "US0378331005",
  valoren: "908440",
  tickerSymbol: "AAPL",
});

/** One instrument of every type of the specification except cash, by the position that holds it. */
export const instruments: Readonly<Record<string, JsonObject>> = {
  "pos-001": instrument(
    "bond",
    "Schweizerische Eidgenossenschaft 0,5% 18/32",
    { isin: "CH0344958688" },
    { interestRate: fixedRate("0.005"), maturityDate: "2032-06-27", minimumDenomination: 1000 },
  ),
  "pos-002": instrument("equity", "Novartis AG", { isin: "CH0012005267", sedol: "7103065" }),
  "pos-002-1": apple,
  "pos-003": instrument("fund", "SILVERH AS L SQ GC", { isin: "LU1336212615" }),
  "pos-004": instrument("index", "SMI Index basket", contract("basket-7")),
  "pos-005": instrument("commodity", "Gold, ounces fine", { iso3: "XAU" }),
  "pos-006": instrument("option", "Put Option Apple Inc., 185, 2027-06-01", contract("AAPL270601P00185000"), {
    contractSize: 5,
    exercisePrice: { type: "actual", value: 185, currency: "USD" },
    expiryDate: "2027-06-01",
    optionType: "put",
    optionStyle: "american",
    underlyingFinancialInstrument: apple,
  }),
  "pos-007": instrument("future", "SMI Dec 26", contract("FSMI202612"), {
    contractSize: 10,
    expiryDate: "2026-12-18",
    underlyingFinancialInstrument: instrument("index", "SMI"),
  }),
  "pos-008": instrument("fxForward", "FX Forward Sell, 200'000 USD at 170'000 CHF", contract("fxForwardRef111"), {
    amountPaid: amount("200000", "USD"),
    amountReceived: amount("170000", "CHF"),
    maturityDate: "2027-06-27",
  }),
  "pos-009": instrument("fxSwap", "FX Swap, 200'000 USD to CHF", contract("fxSwapRef112"), {
    nearAmountPaid: amount("165000", "CHF"),
    nearAmountReceived: amount("200000", "USD"),
    farAmountPaid: amount("200000", "USD"),
    farAmountReceived: amount("170000", "CHF"),
    nearMaturityDate: "2026-11-04",
    maturityDate: "2027-06-27",
  }),
  "pos-010": instrument("fxOption", "FX Option Sell 100'000 CHF at 120'000 USD", contract("fxOptionRef1"), {
    underlyingAmount: amount("100000", "CHF"),
    counterAmount: amount("120000", "USD"),
    premium: amount("150", "USD"),
    expiryDateTime: "2027-06-01T10:00:00Z",
    optionType: "put",
    optionStyle: "european",
  }),
  "pos-011": instrument("callableDeposit", "Callable Deposit 6'000'000 CHF", contract("CallableDepositContract1"), {
    principalAmount: amount("6000000", "CHF"),
  }),
  "pos-012": instrument("fixedDeposit", "Fixed Deposit 100'000 USD", contract("fixedDepositContract1"), {
    principalAmount: amount("100000", "USD"),
    maturityDate: "2027-06-27",
    interestRate: fixedRate("0.009"),
  }),
  "pos-013": instrument("interestRateSwap", "Payer interest rate swap", contract("swapContract1"), {
    notionalAmount: amount("100000", "CHF"),
    maturityDate: "2027-06-27",
    interestRateReceived: fixedRate("1.75"),
    interestRatePaid: { type: "variable", spread: new Exact("0.2"), basis: "SARON" },
  }),
  "pos-014": instrument("totalReturnSwap", "Total return swap, Apple Inc.", contract("swapContract2"), {
    notionalAmount: amount("100000", "CHF"),
    interestRatePaid: fixedRate("1.2"),
    underlyingFinancialInstrument: apple,
  }),
  "pos-014-1": instrument("creditDefaultSwap", "CDS Itraxx Europe", contract("swapContract3"), {
    notionalAmount: amount("250000", "EUR"),
  }),
  "pos-015": instrument("credit", "Credit 50'000 CHF", contract("credit1"), {
    principalAmount: amount("50000", "CHF"),
    limit: 100000,
    interestRate: fixedRate("0.01"),
  }),
  "pos-016": instrument("mortgage", "Mortgage, Seestrasse 1", contract("mortgage-1"), {
    principalAmount: amount("850000", "CHF"),
  }),
  "pos-017": instrument("fixedLoan", "Fixed loan 20'000 EUR", contract("loan-1"), {
    principalAmount: amount("20000", "EUR"),
    maturityDate: "2028-01-31",
  }),
  "pos-018": instrument("callableLoan", "Call loan 5'000 USD", contract("loan-2"), {
    principalAmount: amount("5000", "USD"),
  }),
  "pos-019": instrument("cryptoAsset", "Bitcoin", { tickerSymbol: "BTC" }),
  "pos-020": instrument("other", "Barrier reverse convertible on Nestlé", { isin: "CH0335856982" }),
  "pos-021": instrument("equity", "Nestlé SA", { isin: "CH0038863350" }),
};
