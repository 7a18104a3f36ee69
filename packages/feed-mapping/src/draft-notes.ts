import type { MappingEdit } from "./columns.js";

/** How certain a guess is. */
export type Confidence = "certain" | "likely" | "guess";

/** What a question is about, for words in another language. */
export type QuestionCode =
  | ("account" | "amount_missing" | "cash_column" | "cash_missing" | "currency" | "currency_column" | "dates")
  | (
      | "date_missing"
      | "days"
      | "decimal"
      | "header"
      | "kind_column"
      | "kind_word"
      | "more_words"
      | "numbers"
      | "price_unit"
    )
  | ("security_missing" | "side_currency" | "status" | "units_sign");

/**
 * One answer to a question and what it changes. `says` tells how to word it: a `column` by its name, a `value` as it stands, a `number` with what
 * the example would be (`thousands` or `fraction`), a `day` with the day that the example would be, a `kind` of movement, or a fixed word.
 */
export interface DraftAnswer {
  readonly says: "column" | "value" | "thousands" | "fraction" | "day" | "kind" | "yes" | "no" | "by_money";
  readonly value: string;
  readonly edits: readonly MappingEdit[];
}

/** What only a person knows. */
export interface DraftQuestion {
  readonly path: string;
  readonly question: string;
  readonly options?: readonly unknown[];
  readonly code: QuestionCode;
  /** Names of columns, words and examples of the file that it is about, in the order of its code. */
  readonly about: readonly string[];
  /** None: it is answered in the table. */
  readonly answers: readonly DraftAnswer[];
}

/** The file itself, as the table that a mapping is drafted for. */
export interface DraftedTable {
  /** The line of its header, from 1. */
  readonly line: number;
  readonly columns: readonly {
    readonly name: string;
    readonly reference: string | number;
    readonly role: string | null;
  }[];
  /** The first rows. */
  readonly rows: readonly DraftedLine[];
}

/** A line of a file by its columns. */
export interface DraftedLine {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A proposed mapping, how certain each part of it is, and what remains to be decided. */
export interface MappingDraft {
  /** To be corrected and tested; it may lack what only a person knows. */
  readonly mapping: Readonly<Record<string, unknown>>;
  readonly guesses: readonly {
    readonly path: string;
    readonly value: unknown;
    readonly sure: Confidence;
    readonly why: string;
  }[];
  readonly to_decide: readonly DraftQuestion[];
  readonly tables: readonly DraftedTable[];
  /** The first lines of the file, of which one has the names of the columns. */
  readonly lines: readonly DraftedLine[];
}

/** Collects what a draft guesses and asks. */
export class Notes {
  readonly guesses: MappingDraft["guesses"][number][] = [];
  readonly toDecide: DraftQuestion[] = [];

  guess(path: string, value: unknown, sure: Confidence, why: string): void {
    this.guesses.push({ path, value, sure, why });
  }

  decide(
    path: string,
    question: string,
    {
      about = [],
      answers = [],
      ...rest
    }: Pick<DraftQuestion, "code" | "options"> & Partial<Pick<DraftQuestion, "about" | "answers">>,
  ): void {
    const { code, options } = rest;
    this.toDecide.push({ path, question, ...(options && { options }), code, about, answers });
  }
}
