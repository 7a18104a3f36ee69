import type { Source } from "../reading.js";
import type { ShownTool } from "../shown-tools.js";

/** The texts of the views. */
export interface Messages {
  readonly titles: Readonly<Record<ShownTool, string>>;
  readonly waiting: string;
  readonly cancelled: string;
  readonly refused: string;
  readonly nothing: string;
  readonly loading: string;
  readonly tryAgain: string;
  readonly fromStart: string;
  readonly noAnswer: string;

  readonly sources: string;
  readonly states: Readonly<Record<Source["state"], string>>;
  readonly asOf: (when: string) => string;
  /** How many bank connections are not listed, by whether their data are up to date. */
  readonly moreUpToDate: (count: number) => string;
  readonly moreNotUpToDate: (count: number) => string;

  readonly allocation: string;
  readonly notAdded: string;
  readonly byType: string;
  readonly byBank: string;
  readonly ofLoaded: (rows: number, total: number) => string;
  readonly unknown: string;

  readonly rows: (rows: number, total: number) => string;
  readonly loadMore: string;
  readonly loadAll: string;
  readonly cannotLoad: string;
  readonly columns: Readonly<
    Record<
      | "name"
      | "account"
      | "type"
      | "units"
      | "value"
      | "currency"
      | "valued"
      | "bank"
      | "paid"
      | "taxes"
      | "gross"
      | "share"
      | "day"
      | "lacks",
      string
    >
  >;

  /** How many of all portfolios a sum lacks. */
  readonly notComplete: (count: number, all: number) => string;
  readonly unvalued: (count: number) => string;
  readonly lacks: (count: number) => string;
  readonly withoutRate: (from: string, to: string) => string;
  readonly noValue: string;
  readonly nobody: string;
  readonly unallocated: string;
  readonly asTable: string;
  readonly dashed: string;
  readonly shaded: string;
  /** What a figure is divided by. */
  readonly divisions: Readonly<Record<string, string>>;
  /** Names of the kinds of income and costs. */
  readonly movements: Readonly<Record<string, string>>;
  /** Names of the codes in `type` and `subtype`, for portfolios and investments alike. */
  readonly kinds: Readonly<Record<string, string>>;
}
