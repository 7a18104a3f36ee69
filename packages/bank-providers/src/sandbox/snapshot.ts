import { addDecimals } from "@org/core";
import {
  type FetchedSnapshot,
  type HoldingData,
  type PortfolioData,
  type TransactionData,
  utcDay,
} from "@org/provider-kit";
import { closingDays, lastBusinessDay, monthOf, yearsBefore } from "./calendar.js";
import { sandboxCash } from "./cash.js";
import { hasCashAccounts } from "./catalogue.js";
import { countryOf } from "./countries.js";
import { firstCorrectedDay, withFaults } from "./history-faults.js";
import { type CashPayment, sandboxHolding } from "./holding.js";
import { type AccountProfile, accountsOfCashBanks, furtherAccounts, mainAccount } from "./kinds.js";
import { type SeededRandom, seededRandom } from "./random.js";
import type { Scenario } from "./scenarios.js";
import { type Security, securityOf } from "./security.js";
import type { HeldOverTime, StatementDays } from "./statement-days.js";

/** Whose data to generate, and as of when. */
export interface SnapshotRequest {
  readonly connectorId: string;
  readonly userKey: string;
  readonly scenario: Scenario | null;
  readonly now: Date;
  /** When the data were read last: earlier days are told from that day on. Null: never, all are told. Left out: none are wanted. */
  readonly lastRead?: Date | null;
}

/** Holdings of a `LARGE` customer, over all accounts. */
export const LARGE_HOLDINGS = 5000;

/** Number of securities of one kind among which ordinary customers choose, so that several hold the same ones. */
const COMMON_SECURITIES = 300;

/** How far back movements and earlier days go; at a `LARGE` customer's, which has no earlier days, movements only. */
const YEARS = 3;
const LARGE_YEARS = 2;

/** The months since January 2020 in which securities of foreign accounts were delivered: those of 2025. */
const DELIVERY_MONTHS = { from: 60, count: 12 } as const;

/** The data of one invented customer: the same for the same bank and user name, growing with time. */
export function sandboxSnapshot(request: SnapshotRequest): FetchedSnapshot {
  const { scenario, now } = request;
  if (scenario === "EMPTY") return { as_of: now, portfolios: [], holdings: [], transactions: [] };
  const seed = `${request.connectorId}/${request.userKey}`;
  const random = seededRandom(seed);
  const hasMore = scenario !== "LARGE" && hasCashAccounts(request.connectorId);
  const profiles = [...accountsOf(random), ...(hasMore ? accountsOfCashBanks : [])];
  const days = statementDays(request);
  const accounts = profiles.map((profile, index) => {
    const size = scenario === "LARGE" ? share(LARGE_HOLDINGS, profiles.length, index) : 3 + random.below(10);
    return accountOver(days, request, profile, { seed: `${seed}/${index}`, key: `account-${index + 1}`, size });
  });
  const transactions = accounts.flatMap((account) => account.transactions);
  transactions.sort((a, b) => (a.operation_date < b.operation_date ? -1 : a.operation_date > b.operation_date ? 1 : 0));
  const { portfolios, holdings } = statementOf(accounts.map(({ today }) => today));
  const earlier = days.earlier.map((date, index) => ({
    date,
    ...statementOf(accounts.map((account) => account.earlier[index] ?? null)),
  }));
  const told = scenario === "HISTORY_GAPS" ? withFaults(earlier, request.lastRead === null) : earlier;
  return {
    as_of: now,
    portfolios: scenario === "DATA_ERROR_PORTFOLIO" ? null : portfolios,
    holdings,
    transactions: scenario === "DATA_ERROR_TRANSACTIONS" ? null : transactions,
    ...(told.length > 0 && { earlier_days: told }),
  };
}

/** Scenarios in which the bank tells nothing of earlier days. */
const withoutHistory: ReadonlySet<Scenario | null> = new Set(["LARGE", "NO_HISTORY", "DATA_ERROR_PORTFOLIO"]);

function statementDays({ scenario, now, lastRead }: SnapshotRequest): StatementDays {
  const valuationDate = lastBusinessDay(now);
  const since = yearsBefore(valuationDate, scenario === "LARGE" ? LARGE_YEARS : YEARS);
  if (lastRead === undefined || withoutHistory.has(scenario)) return { valuationDate, since, earlier: [] };
  const from = lastRead === null ? since : firstDayToTell(lastRead, scenario);
  return { valuationDate, since, earlier: closingDays(since, valuationDate).filter((day) => day >= from) };
}

/** The day of a fetch was not over then. */
function firstDayToTell(lastRead: Date, scenario: Scenario | null): string {
  return scenario === "HISTORY_GAPS" ? firstCorrectedDay(lastRead) : utcDay(lastRead);
}

/** An account as it is stated on a day. */
interface AccountStatement {
  readonly portfolio: PortfolioData;
  readonly holdings: readonly HoldingData[];
}

interface Account {
  /** Null: there is no such account yet; the same applies to `earlier`. */
  readonly today: AccountStatement | null;
  readonly earlier: readonly (AccountStatement | null)[];
  readonly transactions: readonly TransactionData[];
}

function statementOf(accounts: readonly (AccountStatement | null)[]) {
  const known = accounts.filter((account) => account !== null);
  return {
    portfolios: known.map(({ portfolio }) => portfolio),
    holdings: known.flatMap((account) => account.holdings),
  };
}

/** One to four accounts of different kinds. */
function accountsOf(random: SeededRandom): AccountProfile[] {
  const accounts = [mainAccount];
  const wanted = 1 + random.below(4);
  while (accounts.length < wanted) {
    const account = random.pick(furtherAccounts);
    if (!accounts.includes(account)) accounts.push(account);
  }
  return accounts;
}

function share(whole: number, parts: number, index: number): number {
  return Math.floor(whole / parts) + (index < whole % parts ? 1 : 0);
}

function accountOver(
  days: StatementDays,
  { scenario, connectorId }: SnapshotRequest,
  profile: AccountProfile,
  { seed, key, size }: { readonly seed: string; readonly key: string; readonly size: number },
): Account {
  const random = seededRandom(`${seed}/${profile.name}`);
  const home = countryOf(connectorId).currency;
  const currency = profile.isForeign ? foreignCurrency(home) : home;
  const quiet = scenario === "LARGE";
  const months = monthOf(days.valuationDate) + 1;
  const securities = securitiesOf(profile, random, size, months, quiet);
  const reference = referenceNumber(random);
  const deliveredIn = profile.isForeign ? DELIVERY_MONTHS.from + random.below(DELIVERY_MONTHS.count) : null;
  const held: HeldOverTime[] = [];
  const flows: CashPayment[] = [];
  for (const security of securities) {
    const plan = {
      ...days,
      security,
      seed: `${seed}/${security.key}`,
      portfolioKey: key,
      currency,
      quiet,
      deliveredIn,
    };
    const life = sandboxHolding(plan);
    held.push(life);
    if (profile.keepsCash) flows.push(...life.cash);
  }
  if (profile.keepsCash) held.push(sandboxCash({ ...days, seed: `${seed}/cash`, portfolioKey: key, currency, flows }));
  return {
    today: stated(held.map(({ holding }) => holding)),
    earlier: days.earlier.map((_, index) => stated(held.map(({ earlier }) => earlier[index] ?? null))),
    transactions: held.flatMap(({ transactions }) => transactions),
  };

  function stated(all: readonly (HoldingData | null)[]): AccountStatement | null {
    const holdings = all.filter((holding) => holding !== null);
    if (holdings.length === 0) return null;
    const balance = holdings.reduce((sum, holding) => addDecimals(sum, holding.balance ?? "0"), "0.00");
    return {
      portfolio: { key, name: profile.name, balance, currency, ref_account: reference, type: profile.type },
      holdings,
    };
  }
}

/** The dollar, and the euro where the dollar is the bank's own currency. */
function foreignCurrency(home: string): string {
  return home === "USD" ? "EUR" : "USD";
}

/** Different securities of the kinds that the account holds. Large accounts use the numbers in sequence. */
function securitiesOf(
  account: AccountProfile,
  random: SeededRandom,
  size: number,
  months: number,
  large: boolean,
): Security[] {
  const securities = new Map<string, Security>();
  for (let drawn = 0; securities.size < size; drawn += 1) {
    const number = large ? drawn : random.below(COMMON_SECURITIES);
    const security = securityOf(random.pick(account.holds), number, Math.max(1, months));
    if (!securities.has(security.key)) securities.set(security.key, security);
  }
  return [...securities.values()];
}

/** Digits in groups that match no real account number format. */
function referenceNumber(random: SeededRandom): string {
  return [1000, 10_000, 10_000]
    .map((limit) => String(random.below(limit)).padStart(String(limit - 1).length, "0"))
    .join("-");
}
