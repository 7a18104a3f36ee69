import { addDecimals } from "@org/core";
import type { HoldingData, PortfolioData, SnapshotData, TransactionData } from "@org/provider-kit";
import { lastBusinessDay, monthOf } from "./calendar.js";
import { countryOf } from "./countries.js";
import { sandboxHolding } from "./holding.js";
import { type AccountProfile, furtherAccounts, mainAccount } from "./kinds.js";
import { type SeededRandom, seededRandom } from "./random.js";
import type { Scenario } from "./scenarios.js";
import { type Security, securityOf } from "./security.js";

/** Whose data to generate, and as of when. */
export interface SnapshotRequest {
  readonly connectorId: string;
  readonly userKey: string;
  readonly scenario: Scenario | null;
  readonly now: Date;
}

/** Holdings of a `LARGE` customer, over all accounts. */
export const LARGE_HOLDINGS = 5000;

/** Number of securities of one kind among which ordinary customers choose, so that several hold the same ones. */
const COMMON_SECURITIES = 300;

/** The data of one invented customer: the same for the same bank and user name, growing with time. */
export function sandboxSnapshot(request: SnapshotRequest): SnapshotData {
  if (request.scenario === "EMPTY") return { as_of: request.now, portfolios: [], holdings: [], transactions: [] };
  const seed = `${request.connectorId}/${request.userKey}`;
  const random = seededRandom(seed);
  const accounts = accountsOf(random);
  const portfolios: PortfolioData[] = [];
  const holdings: HoldingData[] = [];
  const transactions: TransactionData[] = [];
  for (const [index, account] of accounts.entries()) {
    const size = request.scenario === "LARGE" ? share(LARGE_HOLDINGS, accounts.length, index) : 3 + random.below(10);
    const content = accountContent(request, account, `${seed}/${index}`, `account-${index + 1}`, size);
    portfolios.push(content.portfolio);
    for (const holding of content.holdings) holdings.push(holding);
    for (const transaction of content.transactions) transactions.push(transaction);
  }
  transactions.sort((a, b) => (a.operation_date < b.operation_date ? -1 : a.operation_date > b.operation_date ? 1 : 0));
  return {
    as_of: request.now,
    portfolios: request.scenario === "DATA_ERROR_PORTFOLIO" ? null : portfolios,
    holdings,
    transactions: request.scenario === "DATA_ERROR_TRANSACTIONS" ? null : transactions,
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

function accountContent(request: SnapshotRequest, account: AccountProfile, seed: string, key: string, size: number) {
  const random = seededRandom(`${seed}/${account.name}`);
  const { currency } = countryOf(request.connectorId);
  const valuationDate = lastBusinessDay(request.now);
  const quiet = request.scenario === "LARGE";
  const holdings: HoldingData[] = [];
  const transactions: TransactionData[] = [];
  for (const security of securitiesOf(account, random, size, monthOf(valuationDate) + 1, quiet)) {
    const plan = {
      security,
      seed: `${seed}/${security.key}`,
      portfolioKey: key,
      currency,
      valuationDate,
      quiet,
    };
    const lived = sandboxHolding(plan);
    holdings.push(lived.holding);
    for (const transaction of lived.transactions) transactions.push(transaction);
  }
  const portfolio: PortfolioData = {
    key,
    name: account.name,
    balance: holdings.reduce((sum, holding) => addDecimals(sum, holding.balance ?? "0"), "0.00"),
    currency,
    ref_account: referenceNumber(random),
    type: account.type,
  };
  return { portfolio, holdings, transactions };
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
