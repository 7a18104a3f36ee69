import { table } from "../../../provider-kit/test/stand-in/table.js";
import type { FlexAccount, FlexRow } from "./flex-statement.js";
import { firstDay, secondDay } from "./larkspur-accounts.js";
import {
  cashRow,
  informationRow,
  moneyRow,
  type PositionLine,
  positionRow,
  type RowContext,
  type TradeLine,
  tradeRow,
  valueRow,
} from "./rows.js";

const swiss: RowContext = { account: "U7000002", alias: "", rates: { CHF: "1", EUR: "0.94" } };
const cashOnly: RowContext = { account: "U7000003", alias: "", rates: { EUR: "1" } };
const owner = "Larkspur Family Office";

const swissPositions = {
  [firstDay]: table<PositionLine>(`
    contract | units  | mark  | value  | cost   | accrued
    nestle   | 55     | 81.3  | 4471.5 | 4411.6 |
    swiss    | 100000 | 99.15 | 99150  | 98500  | 197.22
  `),
  [secondDay]: table<PositionLine>(`
    contract | units  | mark | value  | cost   | accrued
    nestle   | 55     | 80.9 | 4449.5 | 4411.6 |
    swiss    | 100000 | 99.2 | 99200  | 98500  | 198.61
  `),
};

const swissTrades = table<TradeLine>(`
  id          | trade_id  | contract | day        | settles    | units | price | trade_money | proceeds | commission | net_cash
  30000000101 | 710000101 | nestle   | 2026-11-05 | 2026-11-09 | 55    | 80.12 | 4406.6      | -4406.6  | -5         | -4411.6
`);

/** An account in Swiss francs. Its query has no ChangeInNAV: the value is the last row of the daily summary. */
export const swissAccount: FlexAccount = {
  account: swiss.account,
  base_currency: "CHF",
  days: {
    [firstDay]: swissDay(firstDay, { before: ["2026-11-18", "106300.5"], total: "106403.738", francs: "2500.05" }),
    [secondDay]: swissDay(secondDay, { before: [firstDay, "106403.738"], total: "106413.258", francs: "2481.57" }),
  },
  movements: [
    ...swissTrades.map((line) => tradeRow(swiss, line)),
    moneyRow(swiss, {
      id: "30000000102",
      type: "Advisor Fees",
      day: secondDay,
      amount: "-18.48",
      currency: "CHF",
      kind: "fee",
      text: "ADVISOR FEES FOR NOV-2026",
    }),
  ],
};

/** An account that holds only one cent. */
export const cashAccount: FlexAccount = {
  account: cashOnly.account,
  base_currency: "EUR",
  empty: ["OpenPositions", "Trades", "CashTransactions"],
  days: Object.fromEntries(
    [firstDay, secondDay].map((day) => [
      day,
      [
        informationRow(cashOnly, "EUR", owner),
        valueRow(cashOnly, "EquitySummaryInBase", "EUR", day, "0.01"),
        cashRow(cashOnly, day, "EUR", "0.01"),
      ],
    ]),
  ),
  movements: [],
};

/** One of many small accounts, numbered from 0. Account `number` holds `number` + 1 Nestlé shares. */
export function smallAccount(number: number): FlexAccount {
  const context: RowContext = { account: `U${8_000_000 + number}`, alias: "", rates: { CHF: "1" } };
  const units = number + 1;
  const state = (day: string, cents: number): readonly FlexRow[] => [
    informationRow(context, "CHF", `Customer ${number}`),
    valueRow(context, "EquitySummaryInBase", "CHF", day, francs(units * cents)),
    positionRow(context, day, {
      contract: "nestle",
      units: String(units),
      mark: francs(cents),
      value: francs(units * cents),
      cost: String(units * 80),
    }),
  ];
  return {
    account: context.account,
    base_currency: "CHF",
    days: { [firstDay]: state(firstDay, 8130), [secondDay]: state(secondDay, 8090) },
    movements: [
      moneyRow(context, {
        id: String(40_000_000_000 + number),
        type: "Other Fees",
        day: secondDay,
        amount: "-1",
        currency: "CHF",
        kind: "fee",
        text: "MARKET DATA",
      }),
    ],
  };
}

function swissDay(
  day: typeof firstDay | typeof secondDay,
  stated: { readonly before: readonly [string, string]; readonly total: string; readonly francs: string },
): readonly FlexRow[] {
  const [dayBefore, totalBefore] = stated.before;
  const { portfolio: _, ...earlier } = valueRow(swiss, "EquitySummaryInBase", "CHF", dayBefore, totalBefore);
  return [
    informationRow(swiss, "CHF", owner),
    earlier,
    valueRow(swiss, "EquitySummaryInBase", "CHF", day, stated.total),
    cashRow(swiss, day, "CHF", stated.francs),
    cashRow(swiss, day, "EUR", "300.2"),
    ...swissPositions[day].map((line) => positionRow(swiss, day, line)),
  ];
}

function francs(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}
