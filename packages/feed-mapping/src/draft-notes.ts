/** How certain a guess is. */
export type Confidence = "certain" | "likely" | "guess";

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
  readonly to_decide: readonly {
    readonly path: string;
    readonly question: string;
    readonly options?: readonly unknown[];
  }[];
}

/** Collects what a draft guesses and asks. */
export class Notes {
  readonly guesses: MappingDraft["guesses"][number][] = [];
  readonly toDecide: MappingDraft["to_decide"][number][] = [];

  guess(path: string, value: unknown, sure: Confidence, why: string): void {
    this.guesses.push({ path, value, sure, why });
  }

  decide(path: string, question: string, options?: readonly unknown[]): void {
    this.toDecide.push({ path, question, ...(options && { options }) });
  }
}
