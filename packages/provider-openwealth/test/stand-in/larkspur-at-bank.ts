import { table } from "../../../provider-kit/test/stand-in/table.js";
import type { JsonObject } from "./exact-json.js";
import { instruments } from "./instruments.js";
import {
  account,
  type BankAccount,
  type BankPosition,
  cash,
  instrument,
  type PositionFigures,
  position,
} from "./positions.js";
import { type BankTransaction, type CashMovement, type TradeFigures, trade, transaction } from "./transactions.js";

/** A customer of the bank, with holdings and transactions. */
export interface BankCustomer {
  readonly id: string;
  readonly number: string;
  readonly currency: string;
  accounts: readonly BankAccount[];
  positions: readonly BankPosition[];
  transactions: readonly BankTransaction[];
}

const customer = "MTIzNDUtNg==";

/** The account id has characters that must be encoded in a path. */
const depot = account("ODc2NTQzMi0xOQ/x+=", "safekeepingAccount", "CHF", { number: "1234-5-1", name: "Depot Zürich" });
const francs = account("cash-chf-1", "cashAccount", "CHF", { iban: "CH9300762011623852957", balance: "482310.15" });
const euros = account("cash-eur-1", "cashAccount", "EUR", { iban: "CH5604835012345678009", balance: "101001.15" });
const dollars = account("cash-usd-1", "cashAccount", "USD", { number: "1234-5-4", balance: "-12.30" });
const loans = account("other-1", "other", "CHF");
const accounts: Readonly<Record<string, BankAccount>> = { depot, francs, euros, dollars, loans };

/** `position_currency` is the position's currency if its value is in another one, as in published examples. */
const held = table<PositionFigures & { readonly id: string; readonly account: string }>(`
  id        | account | units                | unit_type        | value       | currency | reference_value | price    | price_type | cost_price | accrued | position_currency | rate | blocked
  pos-000   | francs  | 482310.15            |                  | 482310.15   | CHF      | 482310.15       |          |            |            |         |                   |      |
  pos-000-1 | euros   | 101001.15            |                  | 101001.15   | EUR      | 101001.15       |          |            |            |         |                   |      |
  pos-000-2 | dollars | -12.30               |                  | -12.30      | USD      |                 |          |            |            |         |                   |      |
  pos-001   | depot   | 200000               | faceAmount       | 180000      | CHF      | 180000          | 90       | percentage | 91.255     | 413.89  |                   |      |
  pos-002   | depot   | 1000                 |                  | 96150.000   | CHF      | 96150.000       | 96.150   |            |            |         |                   |      | 250
  pos-002-1 | depot   | 40                   |                  | 6000        | USD      | 5100            | 150.00   |            | 120.5      |         |                   | 0.85 |
  pos-003   | depot   | 9956.192             |                  | 1144962.080 | CHF      | 1144962.080     | 115.00   |            |            |         |                   |      |
  pos-004   | depot   | 3                    |                  | 36900.3     | CHF      |                 | 12300.1  |            |            |         |                   |      |
  pos-005   | depot   | 12.5                 |                  | 30312.50    | CHF      |                 | 2425     |            |            |         |                   |      |
  pos-006   | depot   | 20                   |                  | 3000        | USD      | 2550            | 30.00    |            |            |         |                   | 0.85 |
  pos-007   | depot   | -2                   |                  | -1830.5     | CHF      |                 |          |            |            |         |                   |      |
  pos-008   | depot   | 1                    |                  | 11111.10    | USD      | 10000           |          |            |            |         | CHF               | 0.9  |
  pos-009   | depot   | 1                    |                  | 10000       | CHF      | 10000           |          |            |            |         | USD               |      |
  pos-010   | depot   | 1                    |                  | 1999.95     | CHF      |                 |          |            |            |         |                   |      |
  pos-011   | depot   | 1                    |                  | 6000000     | CHF      | 6000000         |          |            |            |         |                   |      |
  pos-012   | depot   | 1                    |                  | 100000      | USD      | 90000           |          |            |            | 357.5   | CHF               | 0.9  |
  pos-013   | depot   | 1                    |                  | -1200       | CHF      | -1200           |          |            |            |         |                   |      |
  pos-014   | depot   | 1                    |                  | 1300        | CHF      | 1300            |          |            |            |         |                   |      |
  pos-014-1 | depot   | 1                    |                  | -731.07     | EUR      |                 |          |            |            |         |                   |      |
  pos-015   | loans   | 1                    |                  | -50000      | CHF      | -50000          |          |            |            | -250    |                   |      |
  pos-016   | loans   | 1                    |                  | -850000     | CHF      |                 |          |            |            |         |                   |      |
  pos-017   | loans   | 1                    |                  | -20000      | EUR      |                 |          |            |            |         |                   |      |
  pos-018   | loans   | 1                    |                  | -5000       | USD      |                 |          |            |            |         |                   |      |
  pos-019   | depot   | 0.123456789012345678 | digitalTokenUnit | 10821.52    | USD      |                 | 87654.32 |            |            |         |                   |      |
  pos-020   | depot   | 10000                | faceAmount       | 9871        | CHF      |                 | 98.71    | percentage |            |         |                   |      |
`);

const heldNextDay = table<PositionFigures & { readonly id: string; readonly account: string }>(`
  id        | account | units | value   | currency | reference_value | price  | cost_price | rate
  pos-002-1 | depot   | 40    | 6100.80 | USD      | 5185.68         | 152.52 | 120.5      | 0.85
  pos-021   | depot   | 7     | 566.3   | CHF      |                 | 80.90  |            |
`);

/** Paid from the account in francs; `ago` in days. */
const trades = table<TradeFigures & { readonly id: string; readonly ago: string; readonly settled: string }>(`
  id         | ago | settled | position  | units  | unit_type  | price | price_type | gross    | accrued | fee    | tax    | net
  trx-001-00 | 60  | 58      | pos-001   | 200000 | faceAmount | 90.00 | percentage | -180000  | -500    | 130    | 135    | -180765.00
  trx-002-00 | 59  | 57      | pos-002-1 | 40     |            | 150.00|            | -5100    |         | 200.25 | 150.75 | -5451
  trx-002-09 | 10  | 8       | pos-002   | -15.5  |            | 96.15 |            | 1490.325 |         | 9.075  | 1.25   | 1480.000
`);

/** A single movement, posted as it is. */
const flows = table<{
  id: string;
  ago: string;
  type: string;
  account: string;
  position: string;
  value: string;
  kind: string;
}>(`
  id         | ago | type        | account | position  | value   | kind
  trx-000-00 | 80  | inflowCash  | francs  | pos-000   | 500000  | deposit
  trx-020-00 | 9   | fees        | francs  | pos-000   | -45.00  | fee
  trx-021-00 | 8   | outflowCash | dollars | pos-000-2 | -12.30  | withdrawal
  trx-024-00 | 5   | fees        | francs  | pos-000   | -99.99  | fee
`);

/** A gross amount, the tax on it, and the posted result. */
const incomes = table<{
  id: string;
  ago: string;
  type: string;
  position: string;
  gross: string;
  tax_type: string;
  tax: string;
  net: string;
  kind: string;
}>(`
  id          | ago | type         | position | gross | tax_type       | tax    | net    | kind
  trx-001-01  | 30  | coupon       | pos-001  | 1000  | withholdingTax | 335    | 665    | coupon
  trx-002-001 | 29  | dividendCash | pos-002  | 6336  | reclaimableTax | 2217.6 | 4118.4 | dividend
`);

/** A private customer with one position of every type of the specification, and the bookings of the last ninety days. */
export function larkspurAtBank(today: string): BankCustomer {
  return {
    id: customer,
    number: "12345-6",
    currency: "CHF",
    accounts: Object.values(accounts),
    positions: held.map(positionOf),
    transactions: [
      ...flows.map((line) => flow(line, daysBefore(today, Number(line.ago)))),
      ...trades.map(({ id, ago, settled, ...figures }) =>
        trade(
          id,
          customer,
          instrumentOf(figures.position),
          depot,
          { account: francs, position: "pos-000" },
          {
            ...figures,
            date: daysBefore(today, Number(ago)),
            settles: daysBefore(today, Number(settled)),
          },
        ),
      ),
      ...incomes.map((line) => income(line, daysBefore(today, Number(line.ago)))),
      ...unusual((days) => daysBefore(today, days)),
    ],
  };
}

/** The changes of one more day: another price, a position removed, a new one, and a booking. */
export function larkspurNextDay(larkspur: BankCustomer, today: string): void {
  const gone = new Set(["pos-012", ...heldNextDay.map(({ id }) => id)]);
  larkspur.positions = [...larkspur.positions.filter(({ id }) => !gone.has(id)), ...heldNextDay.map(positionOf)];
  const line = {
    id: "trx-030-00",
    type: "inflowCash",
    account: "euros",
    position: "pos-000-1",
    value: "0.01",
    kind: "deposit",
  };
  larkspur.transactions = [...larkspur.transactions, flow(line, today)];
}

function unusual(ago: (days: number) => string): readonly BankTransaction[] {
  const prepaid = instrument("equity", "FUND PRE-PAYM", { isin: "XF0002897308" });
  const forward = instrumentOf("pos-008");
  const novartis = instrumentOf("pos-002");
  const ofFrancs = (type: string, value: string): CashMovement => ({
    type,
    account: francs,
    position: "pos-000",
    currency: "CHF",
    value,
  });
  return [
    transaction("trx-000-01", customer, {
      type: "fxSpot",
      date: ago(45),
      settles: ago(43),
      cash: [
        ofFrancs("cash", "-100000"),
        { type: "cash", account: euros, position: "pos-000-1", currency: "EUR", value: "101001.15" },
      ],
      postings: [
        [francs, "-100000", "CHF"],
        [euros, "101001.15", "EUR"],
      ],
      shows: { cash: { "cash-chf-1 CHF": "-100000", "cash-eur-1 EUR": "101001.15" }, units: {}, kind: "fx" },
    }),
    // Reinvested: the movements add up to zero, and nothing is posted.
    transaction("trx-003-03", customer, {
      type: "accumulation",
      date: ago(20),
      triggering: instrumentOf("pos-003"),
      cash: [
        ofFrancs("cash", "2131.5"),
        ofFrancs("reinvestmentAmount", "-1385.45"),
        ofFrancs("withholdingTax", "-746.05"),
      ],
      postings: [[francs, "0", "CHF"]],
      shows: { cash: { "cash-chf-1 CHF": "0" }, units: {}, taxes: "746.05" },
    }),
    // The sign of the gross movement differs from that of the posting, as in the published example of a subscription.
    transaction("trx-006-00", customer, {
      type: "subscription",
      date: ago(15),
      triggering: prepaid,
      assets: [{ of: prepaid, account: depot, position: "pos-006-0", value: "1000000", price: "1" }],
      cash: [ofFrancs("cash", "1000000")],
      postings: [[francs, "-1000000", "CHF"]],
      shows: { cash: { "cash-chf-1 CHF": "-1000000" }, units: { "pos-006-0": "1000000" } },
    }),
    transaction("trx-008-00", customer, {
      type: "openContract",
      date: ago(12),
      triggering: forward,
      assets: [{ of: forward, account: depot, position: "pos-008", value: "1" }],
      shows: { cash: {}, units: { "pos-008": "1" } },
    }),
    // No list of postings: the movements are the posting.
    transaction("trx-022-00", customer, {
      type: "interestPayment",
      date: ago(7),
      cash: [ofFrancs("cash", "354.5"), ofFrancs("withholdingTax", "-124.075")],
      shows: { cash: { "cash-chf-1 CHF": "230.425" }, units: {}, kind: "interest", taxes: "124.075" },
    }),
    transaction("trx-023-00", customer, {
      type: "stockSplit",
      date: ago(6),
      triggering: novartis,
      assets: [{ of: novartis, account: depot, position: "pos-002", value: "500" }],
      shows: { cash: {}, units: { "pos-002": "500" }, kind: "split" },
    }),
    // Reverses a booking of three days before.
    transaction("trx-024-01", customer, {
      type: "fees",
      date: ago(2),
      reverses: "trx-024-00",
      cash: [ofFrancs("cash", "99.99")],
      postings: [[francs, "99.99", "CHF"]],
      shows: { cash: { "cash-chf-1 CHF": "99.99" }, units: {} },
    }),
  ];
}

function positionOf({
  id,
  account: name,
  ...figures
}: PositionFigures & { readonly id: string; readonly account: string }): BankPosition {
  const of = instruments[id] ?? cash(figures.currency);
  return position(id, accountOf(name), of, figures);
}

function flow(
  line: { id: string; type: string; account: string; position: string; value: string; kind: string },
  date: string,
): BankTransaction {
  const to = accountOf(line.account);
  const currency = to.json.referenceCurrency;
  return transaction(line.id, customer, {
    type: line.type,
    date,
    text: `Buchung ${line.id} für «Larkspur»`,
    cash: [{ type: "cash", account: to, position: line.position, currency, value: line.value }],
    postings: [[to, line.value, currency]],
    shows: { cash: { [`${to.json.id} ${currency}`]: line.value }, units: {}, kind: line.kind },
  });
}

function income(line: (typeof incomes)[number], date: string): BankTransaction {
  const paid = { account: francs, position: "pos-000", currency: "CHF" };
  return transaction(line.id, customer, {
    type: line.type,
    date,
    triggering: instrumentOf(line.position),
    cash: [
      { type: "cash", ...paid, value: line.gross },
      { type: line.tax_type, ...paid, value: `-${line.tax}` },
    ],
    postings: [[francs, line.net, "CHF"]],
    shows: { cash: { "cash-chf-1 CHF": line.net }, units: {}, kind: line.kind, taxes: line.tax },
  });
}

function accountOf(name: string): BankAccount {
  const found = accounts[name];
  if (!found) throw new Error(`There is no account ${name}`);
  return found;
}

function instrumentOf(position: string): JsonObject {
  const found = instruments[position];
  if (!found) throw new Error(`There is no instrument of ${position}`);
  return found;
}

/** The date `days` days earlier, `YYYY-MM-DD`. */
export function daysBefore(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - days);
  return date.toISOString().slice(0, 10);
}
