import type { AccountLink, Actor, AuditedAction, ConnectionRecord, Runtime, Storage, TenantStores } from "@org/core";
import { auditEntry, conflict, invalid, invalidValue } from "@org/core";
import { accountNumber, accountRulesOf, currentLinks } from "./account-links.js";
import { type AccountView, accountViewOf, showLinks } from "./account-view.js";
import {
  accountsOfLetter,
  connectionNotFound,
  connectorOf,
  type FeedTarget,
  locateFeed,
  lockLetter,
} from "./feed-target.js";

/** The accounts of a connection's files as an operator sees them, without names and amounts. */
export interface FeedAccountsView {
  readonly connection_id: string;
  /** By number; at most {@link MAX_SHOWN}. */
  readonly accounts: readonly {
    readonly number: string;
    readonly currency: string;
    readonly is_cash: boolean;
    /** Date of the last statement; null if files have stated movements only. */
    readonly as_of: string | null;
    /** Number of the account in whose portfolio it is shown; null if it is a portfolio of its own. */
    readonly shown_in: string | null;
  }[];
  readonly total: number;
  readonly links: readonly (AccountLink & {
    /** Whether the link places an account. */
    readonly in_force: boolean;
  })[];
}

/** Lets operators decide which cash accounts of a connection are shown within the portfolio of a depot. */
export interface FeedAccounts {
  /** @throws CoreError NOT_FOUND, CONFLICT (a letter without a connection) */
  list(target: FeedTarget): Promise<FeedAccountsView>;
  /**
   * Shows the cash accounts with this number within the portfolio of another account from now on. Neither account has to be known yet.
   * @throws CoreError as `list`, and VALIDATION_ERROR on `account` and `portfolio`
   */
  link(operator: Actor, target: FeedTarget, link: { account: string; portfolio: string }): Promise<FeedAccountsView>;
  /**
   * Makes the cash accounts with this number portfolios of their own, whatever the letter and the rules say.
   * @throws CoreError as `link`
   */
  unlink(operator: Actor, target: FeedTarget, account: string): Promise<FeedAccountsView>;
}

/** Maximum number of accounts in one answer. */
const MAX_SHOWN = 1_000;
/** Maximum number of links per connection. */
const MAX_LINKS = 1_000;

/** @param deps.accountRules the `account_rules` of the connector's row */
export function createFeedAccounts(deps: {
  storage: Storage;
  runtime: Runtime;
  bankOf: (connectorId: string) => Promise<string | null>;
  accountRules: (connectorId: string) => Promise<unknown>;
}): FeedAccounts {
  const { storage, runtime } = deps;
  return {
    list: (target) =>
      inConnection(target, async (stores, { connection_id }) => {
        const links = await stores.feedAccounts.links(connection_id);
        return shown(connection_id, accountViewOf(await stores.feedAccounts.list(connection_id), links));
      }),
    link: (operator, target, { account: from, portfolio: to }) => {
      const [account, portfolio] = [numberIn("account", from), numberIn("portfolio", to)];
      return change(operator, target, "datafeed.link-account", { account, portfolio, origin: "operator" });
    },
    unlink: (operator, target, from) => {
      const account = numberIn("account", from);
      return change(operator, target, "datafeed.unlink-account", { account, portfolio: null, origin: "operator" });
    },
  };

  /** Runs `work` on a connection while its letter is locked. */
  async function inConnection<T>(
    target: FeedTarget,
    work: (
      stores: TenantStores,
      connection: ConnectionRecord,
      sources: () => ReturnType<typeof sourcesOf>,
    ) => Promise<T>,
  ): Promise<T> {
    const { tenant_id, ...place } = await locateFeed(deps, target);
    const connector = await storage.inTenant(tenant_id, (stores) => connectorOf(stores, place));
    const { rules } = accountRulesOf(connector && (await deps.accountRules(connector)));
    return storage.inTenant(tenant_id, async (stores) => {
      const letter = await lockLetter(stores, place);
      const connectionId = place.connection_id ?? letter?.connection_id ?? null;
      if (connectionId === null) throw conflict("no_connection", "the letter has no connection yet, or none any more");
      const connection = await stores.connections.find(connectionId);
      if (connection === null) throw connectionNotFound();
      return work(stores, connection, () => sourcesOf(stores, letter, rules));
    });
  }

  async function sourcesOf(
    stores: TenantStores,
    letter: Parameters<typeof accountsOfLetter>[2],
    rules: ReturnType<typeof accountRulesOf>["rules"],
  ) {
    return { letter: await accountsOfLetter(stores, runtime, letter), rules };
  }

  function change(
    operator: Actor,
    target: FeedTarget,
    action: AuditedAction,
    link: AccountLink,
  ): Promise<FeedAccountsView> {
    return inConnection(target, async (stores, connection, sources) => {
      const { connection_id } = connection;
      const accounts = await stores.feedAccounts.list(connection_id);
      const of = accounts.filter(({ number }) => accountNumber(number) === link.account);
      if (of.length > 0 && of.every(({ is_cash }) => !is_cash))
        throw invalid(invalidValue("account", "is no cash account: its holdings are a portfolio of their own"));
      const known = await stores.feedAccounts.links(connection_id);
      const others = known.filter(({ account }) => account !== link.account);
      if (others.length >= MAX_LINKS)
        throw conflict("too_many_links", `a connection has at most ${MAX_LINKS} links of accounts`);
      const links = currentLinks(accounts, [...others, link], await sources());
      await stores.feedAccounts.storeLinks(connection_id, links);
      const view = accountViewOf(accounts, links);
      await showLinks(stores, connection, view, runtime.clock());
      const facts = {
        accounts: of.length,
        shown_within: of.filter((one) => view.placement.has(one.portfolio_id)).length,
      };
      await stores.audit.append(auditEntry(runtime, operator, action, "connection", connection_id, facts));
      return shown(connection_id, view);
    });
  }
}

function numberIn(field: string, text: string): string {
  const number = accountNumber(text);
  if (number === "") throw invalid(invalidValue(field, "must have letters or digits"));
  return number;
}

function shown(connection_id: string, { accounts, links, placement }: AccountView): FeedAccountsView {
  const numbers = new Map(accounts.map(({ portfolio_id, number }) => [portfolio_id, number]));
  const placed = new Set(
    accounts.flatMap(({ portfolio_id, number }) => (placement.has(portfolio_id) ? [accountNumber(number)] : [])),
  );
  return {
    connection_id,
    accounts: accounts.slice(0, MAX_SHOWN).map(({ portfolio_id, number, currency, is_cash, as_of }) => ({
      number,
      currency,
      is_cash,
      as_of: as_of.getTime() === 0 ? null : as_of.toISOString(),
      shown_in: numbers.get(placement.get(portfolio_id) ?? "") ?? null,
    })),
    total: accounts.length,
    links: links.map((link) => ({ ...link, in_force: placed.has(link.account) })),
  };
}
