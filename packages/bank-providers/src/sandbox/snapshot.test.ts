import { addDecimals, compareDecimals, decimalString, negateDecimal } from "@org/core";
import { type HoldingData, holdingTypes, isIsin, type SnapshotData, type TransactionData } from "@org/provider-kit";
import { describe, expect, it } from "vitest";
import { sandboxCatalogue } from "./catalogue.js";
import { centsOfOneStep } from "./holding.js";
import { securityKinds } from "./kinds.js";
import type { Scenario } from "./scenarios.js";
import { LARGE_HOLDINGS, sandboxSnapshot } from "./snapshot.js";

const now = new Date("2026-03-18T10:00:00Z");
const connectors = [
  "esp:caja-miralbosque",
  "che:bank-arvenstein",
  "mex:banco-sierra-jacaranda",
  "gbr:harrowmere-bank",
  "swe:norrskenet-bank",
];

function look(
  connectorId: string,
  userKey: string,
  scenario: Scenario | null = null,
  at = now,
): Required<SnapshotData> & Lists {
  return sandboxSnapshot({ connectorId, userKey, scenario, now: at }) as SnapshotData & Lists;
}
type Lists = { [Product in "portfolios" | "holdings" | "transactions"]: NonNullable<SnapshotData[Product]> };

const people = connectors.flatMap((connector) =>
  Array.from({ length: 25 }, (_, index) => look(connector, `user${index}`)),
);
const large = look("deu:rheinmoor-bank", "ada", "LARGE");

describe.each([
  ["125 customers", people],
  ["a LARGE customer", [large]],
])("[C-5.19] of %s", (_, snapshots) => {
  it("a portfolio's balance is the exact sum of its holdings, all in its currency", () => {
    for (const { portfolios, holdings } of snapshots) {
      for (const portfolio of portfolios) {
        const own = holdings.filter((holding) => holding.portfolio_key === portfolio.key);
        expect(own.length).toBeGreaterThan(0);
        expect(new Set(own.map(({ currency }) => currency))).toEqual(new Set([portfolio.currency]));
        expect(portfolio.balance).toBe(own.reduce((sum, { balance }) => addDecimals(sum, balance ?? ""), "0"));
      }
    }
  });

  it("every decimal is one, holdings are positive, ISINs have the right check digit", () => {
    for (const { holdings } of snapshots) {
      for (const holding of holdings) {
        for (const decimal of [holding.amount, holding.balance]) {
          expect(decimalString.safeParse(decimal).success && compareDecimals(decimal ?? "", "0") > 0).toBe(true);
        }
        expect(holding.isin === null || isIsin(holding.isin)).toBe(true);
      }
    }
  });

  it("transactions belong to holdings, are in the last three years on working days, and units × price is the cash", () => {
    const wrong = snapshots.flatMap(({ holdings, transactions }) => {
      const keys = new Set(holdings.map(keyOf));
      return transactions.filter(
        (row) =>
          !keys.has(`${row.portfolio_key} ${row.holding_key}`) || !isRecentWorkday(row.operation_date) || !addsUp(row),
      );
    });
    expect(wrong).toEqual([]);
  });

  it("keys are unique: accounts, securities within an account, transactions", () => {
    for (const { portfolios, holdings, transactions } of snapshots) {
      for (const keys of [portfolios.map(({ key }) => key), holdings.map(keyOf), transactions.map(({ key }) => key)]) {
        expect(new Set(keys).size).toBe(keys.length);
      }
    }
  });

  it("valuation dates are the last working day before now", () => {
    for (const { holdings } of snapshots)
      for (const { valuation_date } of holdings) expect(valuation_date).toBe("2026-03-17");
  });
});

it("valuation on a Monday and on a Sunday is of the Friday before", () => {
  for (const day of ["2026-03-15T23:59:59Z", "2026-03-16T00:00:00Z"]) {
    expect(look("esp:x", "ada", null, new Date(day)).holdings[0]?.valuation_date).toBe("2026-03-13");
  }
});

it("customers have one to four accounts in the currency of the bank's country", () => {
  const counts = new Set(people.map(({ portfolios }) => portfolios.length));
  expect([...counts].sort()).toEqual([1, 2, 3, 4]);
  for (const [connector, currency] of [
    ["che:bank-arvenstein", "CHF"],
    ["gbr:harrowmere-bank", "GBP"],
    ["usa:juniper-mesa-bank", "USD"],
  ] as const) {
    expect(look(connector, "ada").portfolios[0]?.currency).toBe(currency);
  }
});

it("[C-4.40] the customers together hold every type and subtype, and trade in every way", () => {
  const holdings = people.flatMap((person) => person.holdings);
  expect(new Set(holdings.map(({ type }) => type))).toEqual(new Set(holdingTypes));
  const subtypes = new Set(holdings.map(({ subtype }) => subtype));
  expect([...subtypes].sort()).toEqual(["CD", "COM", "FF", "FOP", "FT", "OP", "PE", "RA", "W", null].sort());
  const words = people.flatMap(({ transactions }) => transactions.map(({ description }) => description.split(":")[0]));
  expect(new Set(words)).toEqual(
    new Set(["Purchase", "Sale", "Dividend", "Distribution", "Coupon", "Interest", "Custody fee"]),
  );
});

describe("[C-5.37] [C-4.113] every bank states facts", () => {
  const holdings = people.flatMap((person) => person.holdings);
  const transactions = people.flatMap((person) => person.transactions);

  it("has a price, a cost and numbers for every holding; bonds in percent, with accrued interest", () => {
    for (const { price, cost, identifiers, isin, type, price_unit, accrued_interest } of holdings) {
      expect([price, cost].every((text) => /^\d+(\.\d+)?$/.test(text ?? ""))).toBe(true);
      expect(identifiers).toMatchObject({ valor: expect.any(String), mic: "XXXX", ...(isin !== null && { isin }) });
      expect([price_unit, accrued_interest !== undefined]).toEqual(
        ["FI", "BP"].includes(type) ? ["percent", true] : ["currency", false],
      );
    }
    expect(new Set(holdings.map(({ price_unit }: HoldingData) => price_unit)).size).toBe(2);
  });

  it("what was charged is what is missing between gross and balance, to the last digit", () => {
    const left = ({ balance, fees = "0", taxes = "0" }: TransactionData) =>
      addDecimals(addDecimals(balance ?? "", fees), taxes);
    for (const row of transactions) expect(compareDecimals(left(row), row.gross ?? "")).toBe(0);
    expect(transactions.some(({ fees }) => fees !== undefined)).toBe(true);
    expect(transactions.some(({ taxes }) => taxes !== undefined)).toBe(true);
    for (const { operation_date, settlement_date = "" } of transactions)
      expect(settlement_date > operation_date).toBe(true);
  });

  it("the kind of a movement is what its description says", () => {
    const kinds = new Set(transactions.map(({ description, kind }) => `${description.split(":")[0]}: ${kind}`));
    expect([...kinds].sort()).toEqual([
      "Coupon: coupon",
      "Custody fee: fee",
      "Distribution: dividend",
      "Dividend: dividend",
      "Interest: interest",
      "Purchase: buy",
      "Sale: sell",
    ]);
  });
});

it("[C-5.19] a later fetch finds every earlier transaction unchanged, and holdings that moved by what was traded since", () => {
  const later = new Date("2026-09-21T10:00:00Z");
  for (let index = 0; index < 25; index += 1) {
    const first = look("fra:banque-orvanelle", `user${index}`);
    const second = look("fra:banque-orvanelle", `user${index}`, null, later);
    const known = new Map(second.transactions.map((transaction) => [transaction.key, transaction]));
    for (const transaction of first.transactions) {
      if (transaction.operation_date > "2024-09-18") expect(known.get(transaction.key)).toEqual(transaction);
    }
    const since = second.transactions.filter(({ operation_date }) => operation_date > "2026-03-17");
    const before = new Map(first.holdings.map((holding) => [keyOf(holding), holding.amount ?? ""]));
    expect(second.holdings.map(keyOf)).toEqual(first.holdings.map(keyOf));
    for (const holding of second.holdings) {
      const own = since.filter((row) => `${row.portfolio_key} ${row.holding_key}` === keyOf(holding));
      const moved = own.map(({ amount, balance }) => (holding.type === "L" ? balance : amount) ?? "0");
      const expected = moved.reduce(addDecimals, before.get(keyOf(holding)) ?? "");
      expect(compareDecimals(holding.amount ?? "", expected)).toBe(0);
    }
  }
});

it("a LARGE customer has 5,000 holdings and a transaction for many of them", () => {
  expect(large.holdings).toHaveLength(LARGE_HOLDINGS);
  expect(large.transactions.length).toBeGreaterThan(1000);
});

it("works for every bank of the catalogue, and before the sandbox's own beginning", () => {
  for (const { id } of sandboxCatalogue()) expect(look(id, "ada").portfolios.length).toBeGreaterThan(0);
  expect(look("esp:x", "ada", null, new Date("2019-06-01T00:00:00Z"))).toMatchObject({ transactions: [] });
});

it.each(Object.entries(securityKinds))("a step of units at a step of price of %s is worth whole cents", (_, kind) => {
  expect(Number.isInteger(centsOfOneStep(kind)) && centsOfOneStep(kind) > 0).toBe(true);
});

function isRecentWorkday(date: string): boolean {
  return date > "2023-03-17" && date <= "2026-03-17" && ![0, 6].includes(new Date(date).getUTCDay());
}

/** Trades have units, a price and their product as cash before charges, with the opposite sign; income and fees have cash only. */
function addsUp({ amount, unit_price, balance, gross }: TransactionData): boolean {
  if (amount === null || unit_price === null) return amount === unit_price && balance !== null;
  return compareDecimals(product(amount, unit_price), negateDecimal(gross ?? "")) === 0;
}

function keyOf(holding: HoldingData): string {
  return `${holding.portfolio_key} ${holding.key}`;
}

function product(a: string, b: string): string {
  const scale = (text: string) => text.split(".")[1]?.length ?? 0;
  const digits = BigInt(a.replace(".", "")) * BigInt(b.replace(".", ""));
  const places = scale(a) + scale(b);
  const text = (digits < 0n ? -digits : digits).toString().padStart(places + 1, "0");
  return `${digits < 0n ? "-" : ""}${text.slice(0, text.length - places)}${places > 0 ? `.${text.slice(-places)}` : ""}`;
}
