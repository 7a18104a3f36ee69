import type { Steps } from "@org/provider-kit";
import { type CloseRun, closeRuns, type PortfolioChoice, refuseUnknown, valuedAccount } from "./accounts.js";
import type { Coverage } from "./answers.js";
import { CoverageCounts, Duplicates } from "./coverage.js";
import type { DayList } from "./days.js";
import type { AccountFacts, ConnectionFacts } from "./facts.js";

/** A figure whose facts come piece by piece, so that what is held at a time does not grow with the accounts. Each connection comes once, whole. */
export interface Fold<Answer> {
  add(connections: readonly ConnectionFacts[]): Steps<void>;
  /** @throws WealthError as the figure does; NOT_FOUND if a portfolio that is asked for did not come */
  answer(): Steps<Answer>;
}

/** The figure of facts that are all there. */
export function* folded<Answer>(fold: Fold<Answer>, connections: readonly ConnectionFacts[]): Steps<Answer> {
  yield* fold.add(connections);
  return yield* fold.answer();
}

/** What every answer says about the accounts that it is of, which come piece by piece. */
export class FoldedAccounts {
  private readonly asked: ReadonlySet<string> | null;
  private readonly found = new Set<string>();
  private readonly coverage: CoverageCounts;
  private readonly duplicates = new Duplicates();

  constructor(
    private readonly choice: PortfolioChoice,
    private readonly days: DayList,
    withDetails: boolean,
  ) {
    this.asked = choice.portfolio_ids && new Set(choice.portfolio_ids);
    this.coverage = new CoverageCounts(days.length, withDetails);
  }

  /** Counts a connection, an account in a step, and returns those of its accounts that are asked for, with their closes. */
  *add(connection: ConnectionFacts): Steps<(readonly [AccountFacts, readonly CloseRun[]])[]> {
    if (connection.accounts.length === 0 && !this.asked) this.coverage.addWithoutAccounts();
    const accounts: (readonly [AccountFacts, readonly CloseRun[]])[] = [];
    const portfolios = new Map<string, CloseRun[][]>();
    for (const facts of connection.accounts) {
      const { shown_as } = facts;
      if (this.asked && !this.asked.has(shown_as)) continue;
      yield;
      if (this.asked) this.found.add(shown_as);
      this.duplicates.add(facts, connection.connector_id);
      const runs = closeRuns(valuedAccount(facts, connection), this.days, this.choice.stale_after);
      accounts.push([facts, runs]);
      const parts = portfolios.get(shown_as);
      if (parts) parts.push(runs);
      else portfolios.set(shown_as, [runs]);
    }
    for (const [id, parts] of portfolios) {
      yield;
      this.coverage.add(id, parts);
    }
    return accounts;
  }

  /** The {@link result} of a list of one day. */
  resultOfDay(): { readonly coverage: Coverage; readonly duplicates: { duplicates?: string[][] } } {
    const { coverages, duplicates } = this.result();
    return { coverage: coverages[0] as Coverage, duplicates };
  }

  /** @throws WealthError NOT_FOUND if a portfolio that is asked for did not come */
  result(): { readonly coverages: Coverage[]; readonly duplicates: { duplicates?: string[][] } } {
    refuseUnknown(this.choice, this.found);
    return { coverages: this.coverage.coverages(), duplicates: this.duplicates.found() };
  }
}
