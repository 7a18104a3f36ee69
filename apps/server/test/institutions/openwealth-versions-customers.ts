import { table } from "../../../../packages/provider-kit/test/stand-in/table.js";
import { daysBefore } from "../../../../packages/provider-openwealth/test/stand-in/larkspur-at-bank.js";
import type {
  HeldAccount,
  HeldBooking,
  HeldCustomer,
  HeldPosition,
  Movement,
  Product,
} from "./openwealth-versions-book.js";
import type { Version } from "./openwealth-versions-values.js";

/** The account id has characters that must be encoded in a path. */
const depot: HeldAccount = {
  id: "ODc2NTQzMi0xOQ/x+=",
  type: "safekeepingAccount",
  currency: "CHF",
  name: "Depot Zürich",
  portfolio: "pf-1",
};
const francs: HeldAccount = {
  id: "cash-chf-1",
  type: "cashAccount",
  currency: "CHF",
  iban: "CH9300762011623852957",
  name: "Household account",
  designation: "Current Account CHF",
  portfolio: "pf-1",
};
const euros: HeldAccount = { id: "cash-eur-1", type: "cashAccount", currency: "EUR", iban: "CH5604835012345678009" };
const dollars: HeldAccount = { id: "cash-usd-1", type: "cashAccount", currency: "USD" };
const loans: HeldAccount = { id: "other-1", type: "other", currency: "CHF" };
const accounts: Readonly<Record<string, HeldAccount>> = { depot, francs, euros, dollars, loans };

/** An instrument of each category of ISO 10962 that a custody account has. */
const named = table<{ id: string; scheme: string; identification: string; cfi: string; name: string }>(`
  id        | scheme                         | identification      | cfi    | name
  bond      | isin                           | CH0344958688        | DBFTFR | Schweizerische Eidgenossenschaft 0,5% 18/32
  novartis  | isin                           | CH0012005267        | ESVUFR | Novartis AG
  apple     | isin                           | US0378331005        | ESVUFR | Apple Inc.
  fund      | isin                           | LU1336212615        | CIOIES | SILVERH AS L SQ GC
  etf       | isin                           | IE00B4L5Y983        | CEOGES | iShares Core MSCI World
  note      | isin                           | CH0335856982        | DSNVFR | Barrier reverse convertible on Nestlé
  paper     | valoren                        | 3886335             | DYFXXR | Money market paper 98,71
  right     | isin                           | CH0000000017        | RSXXXX | Subscription rights
  warrant   | wertpapier                     | A1B2C3              | RWSTCA | Call warrant on SMI
  option    | otherProprietaryIdentification | AAPL270601P00185000 | OPASPS | Put Option Apple Inc., 185, 2027-06-01
  otcoption | otherProprietaryIdentification | fxOptionRef1        | HFRAVP | FX option, sell 100'000 CHF
  future    | otherProprietaryIdentification | FSMI202612          | FFICSX | SMI Dec 26
  forward   | otherProprietaryIdentification | fxForwardRef111     | JFTXFP | FX forward, sell 200'000 USD
  swap      | otherProprietaryIdentification | swapContract1       | SRCCSP | Payer interest rate swap
  gold      | otherProprietaryIdentification | XAU                 | ITNXXX | Gold, ounces fine
  deposit   | otherProprietaryIdentification | fiduciary-1         | LLXXXX | Fiduciary call deposit 6'000'000 CHF
  loan      | otherProprietaryIdentification | loan-1              | LLXXXX | Fixed loan 50'000 CHF
  basket    | ric                            | .SSMI               | TIXXXX | SMI basket
  art       | otherProprietaryIdentification | lot-7               | MMXXXX | Share in a painting
`);

/** Cash has no instrument. Values are in the account's currency. */
const held = table<{ id: string; account: string; of: string } & Omit<HeldPosition, "id" | "account" | "product">>(`
  id        | account | of        | units       | unit_type   | currency | price_type | price    | value       | rate | cost    | cost_value | accrued | blocked
  pos-000   | francs  |           | 482310.15   | nominal     | CHF      | perUnit    |          |             |      |         |            |         |
  pos-000-1 | euros   |           | 101001.15   | nominal     | EUR      | perUnit    |          |             |      |         |            |         |
  pos-000-2 | dollars |           | -12.30      | nominal     | USD      | perUnit    |          |             |      |         |            |         |
  pos-001   | depot   | bond      | 200000      | nominal     | CHF      | percentage | 90       | 180000      |      | 91.255  | 182510     | 413.89  |
  pos-002   | depot   | novartis  | 1000        | unitsNumber | CHF      | perUnit    | 96.150   | 96150.000   |      |         |            |         | 250
  pos-002-1 | depot   | apple     | 40          | unitsNumber | USD      | perUnit    | 150.00   | 5100        | 0.85 | 120.5   | 4097       |         |
  pos-003   | depot   | fund      | 9956.192    | unitsNumber | CHF      | perUnit    | 115.00   | 1144962.080 |      |         |            |         |
  pos-003-1 | depot   | etf       | 12.5        | unitsNumber | USD      | perUnit    | 110.4    | 1173.00     | 0.85 |         |            |         |
  pos-004   | depot   | note      | 10000       | nominal     | CHF      | percentage | 98.71    | 9871        |      |         |            |         |
  pos-005   | depot   | paper     | 50000       | nominal     | CHF      | percentage | 99.5     | 49750       |      |         |            |         |
  pos-006   | depot   | option    | 20          | unitsNumber | USD      | perUnit    | 30.00    | 2550        | 0.85 | 28.4    |            |         |
  pos-007   | depot   | future    | -2          | unitsNumber | CHF      | perUnit    | 12300.1  | -1830.5     |      |         |            |         |
  pos-008   | depot   | forward   | -200000     | nominal     | USD      | perUnit    | 0.9      | 11111.10    | 0.85 |         |            |         |
  pos-009   | depot   | swap      | 100000      | nominal     | CHF      | perUnit    | 1        | -1200       |      |         |            |         |
  pos-010   | depot   | gold      | 12.5        | unitsNumber | CHF      | perUnit    | 2425     | 30312.50    |      |         |            |         |
  pos-011   | depot   | deposit   | 6000000     | nominal     | CHF      | perUnit    | 1        | 6000000     |      |         |            | 357.5   |
  pos-012   | loans   | loan      | -50000      | nominal     | CHF      | perUnit    | 1        | -50000      |      |         |            | -250    |
  pos-013   | depot   | right     | 1000        | unitsNumber | CHF      | perUnit    | 0.35     | 350         |      |         |            |         |
  pos-014   | depot   | warrant   | 300         | unitsNumber | CHF      | perUnit    | 2.10     | 630.00      |      |         |            |         |
  pos-015   | depot   | otcoption | 1           | unitsNumber | CHF      | perUnit    | 1999.95  | 1999.95     |      |         |            |         |
  pos-016   | depot   | basket    | 3           | unitsNumber | CHF      | perUnit    | 12300.1  | 36900.3     |      |         |            |         |
  pos-017   | depot   | art       | 1           | unitsNumber | EUR      | perUnit    | 7500     | 7125.00     | 0.95 |         |            |         |
`);

/** Bookings of one movement of cash, posted as it is. */
const flows = table<{
  id: string;
  ago: string;
  type: string;
  subtype: string;
  account: string;
  amount: string;
  kind: string;
}>(`
  id         | ago | type     | subtype              | account | amount  | kind
  trx-000-00 | 80  | cash     | inflowOutflowDigital | francs  | 500000  | deposit
  trx-020-00 | 9   | fees     | fees                 | francs  | -45.00  | fee
  trx-021-00 | 8   | cash     | inflowOutflowDigital | dollars | -12.30  | withdrawal
  trx-024-00 | 5   | fees     | fees                 | francs  | -99.99  | fee
`);

/** Paid from the account in francs; figures before fees are signed. */
const trades = table<{
  id: string;
  ago: string;
  of: string;
  position: string;
  units: string;
  unit_type: "unitsNumber" | "nominal";
  currency: string;
  price: string;
  price_type: "perUnit" | "percentage";
  gross: string;
  fee: string;
  tax: string;
  net: string;
}>(`
  id         | ago | of       | position  | units  | unit_type   | currency | price  | price_type | gross    | fee    | tax    | net
  trx-001-00 | 60  | bond     | pos-001   | 200000 | nominal     | CHF      | 90.00  | percentage | -180500  | 130    | 135    | -180765.00
  trx-002-00 | 59  | apple    | pos-002-1 | 40     | unitsNumber | USD      | 150.00 | perUnit    | -5100    | 200.25 | 150.75 | -5451
  trx-002-09 | 10  | novartis | pos-002   | -15.5  | unitsNumber | CHF      | 96.15  | perUnit    | 1490.325 | 9.075  | 1.25   | 1480.000
`);

/** A gross amount, the tax on it, and the posted result. */
const incomes = table<{
  id: string;
  ago: string;
  subtype: string;
  of: string;
  position: string;
  gross: string;
  tax: string;
  net: string;
  kind: string;
}>(`
  id          | ago | subtype      | of       | position | gross | tax    | net    | kind
  trx-001-01  | 30  | interest     | bond     | pos-001  | 1000  | 335    | 665    | coupon
  trx-002-001 | 29  | dividendCash | novartis | pos-002  | 6336  | 2217.6 | 4118.4 | dividend
`);

/** A private customer with a position of every category, and the bookings of the last ninety days. */
export function larkspurOf(version: Version, today: string): HeldCustomer {
  const products = productsOf(version);
  const of = (id: string) => find(products, id);
  const subtype = subtypeOf(version);
  const day = (ago: string | number) => daysBefore(today, Number(ago));
  return {
    id: "MTIzNDUtNg==/a",
    currency: "CHF",
    accounts: Object.values(accounts),
    positions: held.map(({ account, of: id, ...figures }) => ({
      ...figures,
      account: find(accounts, account),
      ...(id ? { product: of(id), name: of(id).name } : { name: `Cash ${figures.currency}` }),
    })),
    bookings: [
      ...flows.map((line) => flow({ ...line, subtype: subtype(line.subtype) }, day)),
      ...trades.map(({ id, ago, of: product, position, net, ...figures }): HeldBooking => {
        const movements: Movement[] = [
          {
            type: "security",
            account: depot,
            position,
            product: of(product),
            currency: figures.currency,
            amount: figures.units,
            unit_type: figures.unit_type,
          },
          ...(["cash", "brokerageFee", "stampDuty"] as const).map((type) => ({
            ...money(type === "cash" ? figures.gross : `-${type === "stampDuty" ? figures.tax : figures.fee}`),
            type,
          })),
        ];
        const kind = figures.units.startsWith("-") ? "sell" : "buy";
        return {
          id,
          dates: {
            transactionDate: day(ago),
            bookingDate: day(ago),
            valueDate: day(Number(ago) - 2),
            settlementDate: day(Number(ago) - 2),
          },
          type: "securitiesExchange",
          subtype: subtype(kind),
          triggering: of(product),
          market: "XSWX",
          movements,
          postings: [[francs, net]],
          price: { amount: figures.price, type: figures.price_type, currency: figures.currency },
          settlement_currency: "CHF",
          shows: {
            cash: [[francs, net]],
            units: { [position]: figures.units },
            kind,
            fees: figures.fee,
            taxes: figures.tax,
          },
        };
      }),
      ...incomes.map(
        ({ id, ago, of: product, position, gross, tax, net, kind, ...line }): HeldBooking => ({
          id,
          dates: { transactionDate: day(ago), bookingDate: day(ago), valueDate: day(ago) },
          type: "corporateActions",
          subtype: subtype(line.subtype),
          triggering: of(product),
          movements: [
            { ...money(gross), type: "revenue" },
            { ...money(`-${tax}`), type: "withholdingTax" },
          ],
          postings: [[francs, net]],
          shows: { cash: [[francs, net]], units: {}, kind, taxes: tax },
        }),
      ),
      ...unusual(version, of, day),
    ],
  };
}

/** The changes of one more day: another price, a position removed, a new one, and a booking. */
export function nextDayOf(version: Version, larkspur: HeldCustomer, today: string): void {
  const nestle: Product = { name: "Nestlé SA", scheme: "isin", identification: "CH0038863350", cfi: "ESVUFR" };
  const position = {
    id: "pos-021",
    account: depot,
    product: nestle,
    name: "Nestlé SA",
    units: "7",
    unit_type: "unitsNumber",
    currency: "CHF",
    price_type: "perUnit",
    price: "80.90",
    value: "566.3",
  } as const;
  larkspur.positions = [
    ...larkspur.positions
      .filter(({ id }) => id !== "pos-012")
      .map((one) => (one.id === "pos-002-1" ? { ...one, price: "152.52", value: "5185.68" } : one)),
    position,
  ];
  const line = { id: "trx-030-00", ago: "0", type: "cash", account: "euros", amount: "0.01", kind: "deposit" };
  const subtype = subtypeOf(version)("inflowOutflowDigital");
  larkspur.bookings = [...larkspur.bookings, flow({ ...line, subtype }, () => today)];
}

function unusual(version: Version, of: (id: string) => Product, day: (ago: number) => string): readonly HeldBooking[] {
  const subtype = subtypeOf(version);
  const on = (ago: number) => ({ transactionDate: day(ago), bookingDate: day(ago), valueDate: day(ago) });
  return [
    {
      id: "trx-000-01",
      dates: on(45),
      type: "fx",
      subtype: subtype("fxSpot"),
      movements: [
        { ...money("-100000"), type: "cash" },
        { ...money("101001.15", euros), type: "cash" },
      ],
      postings: [
        [francs, "-100000"],
        [euros, "101001.15"],
      ],
      rate: { from: "CHF", rate: "1.0100115", to: "EUR", type: version === "2.0" ? "dealPrice" : "real" },
      shows: {
        cash: [
          [francs, "-100000"],
          [euros, "101001.15"],
        ],
        units: {},
        kind: "fx",
      },
    },
    // No list of postings: the movements are the posting.
    {
      id: "trx-022-00",
      dates: on(7),
      type: version === "1.1" ? "interest" : "cash",
      subtype: subtype("interest"),
      movements: [
        { ...money("354.5"), type: "revenue" },
        { ...money("-124.075"), type: "withholdingTax" },
      ],
      shows: { cash: [[francs, "230.425"]], units: {}, taxes: "124.075" },
    },
    {
      id: "trx-023-00",
      dates: on(6),
      type: "corporateActions",
      subtype: subtype("split"),
      triggering: of("novartis"),
      movements: [
        {
          type: "security",
          account: depot,
          position: "pos-002",
          product: of("novartis"),
          currency: "CHF",
          amount: "500",
          unit_type: "unitsNumber",
        },
      ],
      shows: { cash: [], units: { "pos-002": "500" } },
    },
    // Reverses a booking of three days before.
    {
      id: "trx-024-01",
      dates: on(2),
      type: "fees",
      subtype: subtype("fees"),
      reverses: "trx-024-00",
      movements: [{ ...money("99.99"), type: "otherFee" }],
      postings: [[francs, "99.99"]],
      shows: { cash: [[francs, "99.99"]], units: {} },
    },
  ];
}

function flow(
  line: Omit<(typeof flows)[number], "ago"> & { readonly ago: string },
  day: (ago: string) => string,
): HeldBooking {
  const to = find(accounts, line.account);
  const date = day(line.ago);
  return {
    id: line.id,
    dates: { transactionDate: date, bookingDate: date, valueDate: date },
    type: line.type,
    subtype: line.subtype,
    movements: [{ ...money(line.amount, to), type: line.type === "fees" ? "otherFee" : "cash" }],
    postings: [[to, line.amount]],
    details: `Buchung ${line.id} für «Larkspur»`,
    shows: {
      cash: [[to, line.amount]],
      units: {},
      kind: line.kind,
      ...(line.kind === "fee" ? { fees: line.amount.slice(1) } : {}),
    },
  };
}

function money(amount: string, account: HeldAccount = francs): Omit<Movement, "type"> {
  const position = held.find((one) => find(accounts, one.account) === account && !one.of)?.id;
  return { account, ...(position && { position }), currency: account.currency, amount, unit_type: "nominal" };
}

function productsOf(version: Version): Readonly<Record<string, Product>> {
  const isSecond = version === "2.0";
  const products: Record<string, Product> = Object.fromEntries(named.map(({ id, ...product }) => [id, product]));
  const more = (id: string, details: Partial<Product>) => {
    products[id] = { ...find(products, id), ...details };
  };
  more("bond", {
    interest: { rate: "0.005", currency: "CHF", day_count: "u30_360", frequency: "annual", payment_date: "2027-06-27" },
    dates: { issueDate: "2018-06-27", maturityDate: "2032-06-27", couponDate: "2027-06-27" },
    minimum_denomination: "1000",
  });
  more("option", {
    option: { type: "put", style: isSecond ? "american" : "amer" },
    contract_size: "5",
    dates: { expiryDate: "2027-06-01", [isSecond ? "exerciseDate" : "excerciseDate"]: "2027-06-01" },
    prices: [{ type: isSecond ? "strike" : "strikePrice", amount: "185", currency: "USD" }],
    underlying: find(products, "apple"),
  });
  more("otcoption", { option: { type: "call", style: isSecond ? "european" : "euro" } });
  more("future", { contract_size: "10", dates: { expiryDate: "2026-12-18" } });
  more("forward", { dates: { maturityDate: "2027-06-27" } });
  return products;
}

/** Free text before 2.0; "Buy" is the only one that those descriptions show. */
function subtypeOf(version: Version): (word: string) => string {
  return (word) => (version === "2.0" ? word : word.charAt(0).toUpperCase() + word.slice(1));
}

function find<Value>(values: Readonly<Record<string, Value>>, name: string): Value {
  const found = values[name];
  if (found === undefined) throw new Error(`There is no ${name}`);
  return found;
}
