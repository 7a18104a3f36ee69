import type { Source } from "../answer.js";

/** The texts of the views. */
export interface Messages {
  readonly portfolios: string;
  readonly investments: string;
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
    Record<"name" | "account" | "type" | "units" | "value" | "currency" | "valued" | "bank", string>
  >;
  /** Names of the codes in `type` and `subtype`, for portfolios and investments alike. */
  readonly kinds: Readonly<Record<string, string>>;
}
