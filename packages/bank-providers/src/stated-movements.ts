import type {
  FeedContent,
  SecurityIdentifiers,
  StatementPage,
  TransactionData,
  TransactionKind,
} from "@org/provider-kit";
import type { FeedWarnings } from "./feed-warnings.js";
import { latestAsOf, type StatedPortfolio, startOfDay } from "./stated-portfolio.js";

/** Kinds of corporate actions by code (`22F::CAEV`). */
const actionKinds: Readonly<Record<string, TransactionKind>> = {
  DVCA: "dividend",
  DVOP: "dividend",
  DVSC: "dividend",
  DVSE: "dividend",
  DRIP: "dividend",
  DRCA: "dividend",
  CAPD: "dividend",
  CAPG: "dividend",
  SHPR: "dividend",
  INTR: "coupon",
  PINK: "coupon",
  REDM: "redemption",
  MCAL: "redemption",
  PCAL: "redemption",
  PRED: "redemption",
  REDO: "redemption",
  SPLF: "split",
  SPLR: "split",
  SOFF: "spin_off",
  MRGR: "merger",
  TREC: "tax",
};

/** The kind that the code of a corporate action stands for, or `other`. */
export function actionKind(code: string | null): TransactionKind {
  return (code !== null && Object.hasOwn(actionKinds, code) ? actionKinds[code] : undefined) ?? "other";
}

export function described(title: string, name: string): string {
  return `${title}: ${name}`;
}

/** Identifiers of a movement's security. The movement carries them because there may be no statement of holdings for the account. */
export function numbersOf({
  isin,
  identifiers,
}: {
  readonly isin: string | null;
  readonly identifiers?: SecurityIdentifiers;
}): Pick<TransactionData, "identifiers"> {
  if (isin !== null) return { identifiers: { isin, ...identifiers } };
  return identifiers ? { identifiers } : {};
}

/** A movement, and the date of its message, `YYYY-MM-DD`. */
export interface StatedMovement {
  readonly movement: TransactionData;
  readonly day: string;
}

/** Accounts of a file and the latest day of which it tells something of each, `YYYY-MM-DD`. */
export class StatedAccounts extends Map<string, string> {
  /** Adds an account, whether or not anything else of it can be read. */
  note(account: string, day: string): void {
    const known = this.get(account);
    this.set(account, known !== undefined && known > day ? known : day);
  }
}

/**
 * The content of a file of movements. Its portfolios have no stated holdings.
 * @param waiting pages of statements that are not whole in the file
 * @throws FeedRefusal when no account can be read
 */
export function movementContent(
  stated: readonly StatedMovement[],
  accounts: StatedAccounts,
  sender: string | null,
  warnings: FeedWarnings,
  waiting: readonly { readonly page: StatementPage }[] = [],
): FeedContent {
  const told = stated.filter(({ movement }) => !warnings.isRefused(movement.portfolio_key));
  const portfolios = new Map<string, StatedPortfolio>();
  const add = (key: string, day: string, currency: string) => {
    const known = portfolios.get(key);
    const as_of = startOfDay(day);
    portfolios.set(key, {
      key,
      name: `Safekeeping account ${key}`,
      balance: null,
      currency: known && known.currency !== "XXX" ? known.currency : currency,
      ref_account: key,
      type: "S",
      as_of: known && known.as_of > as_of ? known.as_of : as_of,
      holdings_unknown: true,
    });
  };
  for (const [account, day] of accounts) if (!warnings.isRefused(account)) add(account, day, "XXX");
  for (const { movement, day } of told) add(movement.portfolio_key, day, movement.currency);
  const refused = warnings.refusedAccounts(portfolios.size + waiting.length > 0);
  return {
    as_of: latestAsOf(portfolios.values()),
    portfolios: [...portfolios.values()],
    holdings: [],
    transactions: told.map(({ movement }) => movement),
    warnings: warnings.list(),
    ...warnings.leftOut(),
    ...refused,
    ...(waiting.length > 0 && { pages: waiting.map(({ page }) => page) }),
    ...(sender !== null && { sender }),
  };
}
