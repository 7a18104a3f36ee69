import { randomBytes, randomUUID } from "node:crypto";
import { plus, times } from "./decimals.js";
import {
  type BrokerageAccount,
  type BrokerageLogin,
  type SnapTradeActivity,
  SnapTradeBrokerage,
  type SnapTradePosition,
  worthOf,
} from "./snaptrade-brokerage.js";

const DAY_MS = 86_400_000;

/** What SnapTrade has read of an account's holdings, and when. */
interface Holdings {
  readonly at: Date;
  readonly positions: readonly SnapTradePosition[];
  readonly cash: ReadonlyMap<string, string>;
  readonly buyingPower: ReadonlyMap<string, string | null>;
  readonly total: string | null;
}

export interface SnapTradeRow {
  readonly id: string;
  readonly activity: SnapTradeActivity;
}

/** A brokerage account as SnapTrade shows it, under one connection. */
export interface SnapTradeAccount {
  readonly id: string;
  readonly connection: SnapTradeConnection;
  readonly source: BrokerageAccount;
  readonly created: Date;
  /** Null until the first reading is done. */
  holdings: Holdings | null;
  /** Null until the first reading is done; then the last day that is whole. */
  syncedTo: string | null;
  rows: SnapTradeRow[];
}

export interface SnapTradeConnection {
  readonly id: string;
  readonly user: SnapTradeUser;
  readonly brokerage: SnapTradeBrokerage;
  readonly login: BrokerageLogin;
  readonly created: Date;
  type: "read" | "trade";
  disabled: Date | null;
  accounts: SnapTradeAccount[];
}

export interface SnapTradeUser {
  readonly id: string;
  secret: string;
  readonly partner: SnapTradePartner;
  connections: SnapTradeConnection[];
}

/** Whoever has a key. A Personal key has one user, its owner. */
export interface SnapTradePartner {
  readonly client_id: string;
  readonly consumer_key: string;
  readonly isPersonal: boolean;
  /** `daily` answers holdings as they were read last, `realtime` reads them when they are asked for. */
  readonly plan: "daily" | "realtime";
  readonly redirect_uri: string | null;
  readonly users: Map<string, SnapTradeUser>;
}

export type SnapTradeEvent = Readonly<Record<string, unknown>> & { readonly eventType: string };

/** The state of SnapTrade: who has keys, who is connected where, and what was read when. */
export class SnapTradeBook {
  readonly clock: () => Date;
  readonly partners: SnapTradePartner[] = [];
  readonly brokerages: SnapTradeBrokerage[] = [];
  /** What is to be deleted when the queue is worked off. */
  readonly queue: (() => void)[] = [];
  /** Connections whose refresh was asked for and is not done. */
  readonly refreshing = new Set<SnapTradeConnection>();
  /** First readings wait until `finishFirstSync`. */
  isFirstSyncHeld = false;
  readonly #tell: (partner: SnapTradePartner, event: SnapTradeEvent) => void;

  constructor(clock: () => Date, tell: (partner: SnapTradePartner, event: SnapTradeEvent) => void) {
    this.clock = clock;
    this.#tell = tell;
  }

  addPartner(options: Partial<SnapTradePartner> = {}): SnapTradePartner {
    const partner: SnapTradePartner = {
      client_id: `${options.isPersonal ? "PERS" : "WEALTHLY"}-${randomBytes(3).toString("hex").toUpperCase()}`,
      consumer_key: randomBytes(25).toString("hex"),
      isPersonal: false,
      plan: "realtime",
      redirect_uri: null,
      users: new Map(),
      ...options,
    };
    this.partners.push(partner);
    if (partner.isPersonal) this.#addUser(partner, randomUUID());
    return partner;
  }

  addBrokerage(slug: string, name: string, more: Partial<SnapTradeBrokerage> = {}): SnapTradeBrokerage {
    const brokerage = new SnapTradeBrokerage(this.clock, slug, name, more);
    this.brokerages.push(brokerage);
    return brokerage;
  }

  /** Brokerages by the thousand: each eleventh is not enabled, each thirteenth in maintenance, each seventeenth without a page. */
  addManyBrokerages(count: number) {
    for (let number = 1; number <= count; number += 1)
      this.addBrokerage(`BROKERAGE_${number}`, `Brokerage No. ${number}`, {
        enabled: number % 11 !== 0,
        maintenance_mode: number % 13 === 0,
        allows_trading: number % 2 === 0,
        ...(number % 17 === 0 && { url: null }),
        ...(number % 5 === 0 && { type: "Cryptocurrency Exchange" }),
      });
  }

  /** Null if there is a user with this id. */
  registerUser(partner: SnapTradePartner, id: string): SnapTradeUser | null {
    if (partner.users.has(id)) return null;
    const user = this.#addUser(partner, id);
    this.tell(user, { eventType: "USER_REGISTERED" });
    return user;
  }

  #addUser(partner: SnapTradePartner, id: string): SnapTradeUser {
    const user: SnapTradeUser = { id, secret: randomUUID(), partner, connections: [] };
    partner.users.set(id, user);
    return user;
  }

  queueUser(user: SnapTradeUser) {
    this.queue.push(() => {
      if (user.partner.users.delete(user.id)) this.tell(user, { eventType: "USER_DELETED" });
    });
  }

  queueConnection(connection: SnapTradeConnection) {
    this.queue.push(() => {
      const { user } = connection;
      if (!user.connections.includes(connection)) return;
      user.connections = user.connections.filter((each) => each !== connection);
      this.tellOf(connection, { eventType: "CONNECTION_DELETED", brokerageId: connection.brokerage.id });
    });
  }

  /** A person has signed in. The same login is the same connection. */
  connect(user: SnapTradeUser, brokerage: SnapTradeBrokerage, login: BrokerageLogin, type: "read" | "trade") {
    const known = user.connections.find((each) => each.brokerage === brokerage && each.login === login);
    if (known) return this.reconnect(known, type);
    const connection: SnapTradeConnection = {
      id: randomUUID(),
      user,
      brokerage,
      login,
      type,
      created: this.clock(),
      disabled: null,
      accounts: [],
    };
    user.connections.push(connection);
    this.tellOf(connection, { eventType: "CONNECTION_ADDED", brokerageId: brokerage.id });
    this.#findAccounts(connection);
    return connection;
  }

  reconnect(connection: SnapTradeConnection, type: "read" | "trade"): SnapTradeConnection {
    const eventType = connection.disabled ? "CONNECTION_FIXED" : "CONNECTION_UPDATED";
    connection.disabled = null;
    connection.type = type;
    this.tellOf(connection, { eventType });
    this.#findAccounts(connection);
    return connection;
  }

  disable(connection: SnapTradeConnection) {
    if (connection.disabled) return;
    connection.disabled = this.clock();
    this.tellOf(connection, { eventType: "CONNECTION_BROKEN" });
  }

  /** Every account keeps its id as long as its connection lives. */
  #findAccounts(connection: SnapTradeConnection) {
    const gone = connection.accounts.filter(({ source }) => !connection.login.accounts.includes(source));
    connection.accounts = connection.accounts.filter((each) => !gone.includes(each));
    for (const { id } of gone) this.tellOf(connection, { eventType: "ACCOUNT_REMOVED", accountId: id });
    for (const source of connection.login.accounts) {
      if (connection.accounts.some((each) => each.source === source)) continue;
      const account: SnapTradeAccount = {
        id: randomUUID(),
        connection,
        source,
        created: this.clock(),
        holdings: null,
        syncedTo: null,
        rows: [],
      };
      connection.accounts.push(account);
      this.tellOf(connection, { eventType: "NEW_ACCOUNT_AVAILABLE", accountId: account.id });
      if (!this.isFirstSyncHeld) this.#syncFirst(account);
    }
  }

  /** Holdings first, transactions after them: `part` stops in between. */
  finishFirstSync(part: "holdings" | "all" = "all") {
    for (const account of this.accounts()) {
      if (account.holdings === null) this.readHoldings(account);
      if (account.syncedTo === null && part === "all") this.#syncFirst(account);
    }
    if (part === "all") this.isFirstSyncHeld = false;
  }

  #syncFirst(account: SnapTradeAccount) {
    this.readHoldings(account);
    this.#readActivities(account);
    this.tellOf(account.connection, { eventType: "ACCOUNT_TRANSACTIONS_INITIAL_UPDATE", accountId: account.id });
  }

  /** The daily sync: accounts that came or went, holdings, and the activities of days that are over. */
  sync(connections = this.connections()) {
    for (const connection of connections) {
      if (connection.disabled) continue;
      if (!connection.brokerage.isDown) this.#findAccounts(connection);
      for (const account of connection.accounts) if (account.syncedTo !== null) this.syncAccount(account);
    }
  }

  refresh(connection: SnapTradeConnection) {
    this.refreshing.add(connection);
    this.queue.push(() => {
      this.refreshing.delete(connection);
      this.sync([connection]);
    });
  }

  /** Of a brokerage that is down nothing changes, and the event says what failed. */
  syncAccount(account: SnapTradeAccount, isOnlyActivities = false) {
    const { brokerage } = account.connection;
    if (!isOnlyActivities) {
      if (!brokerage.isDown) this.readHoldings(account);
      const outcome = {
        success: !brokerage.isDown,
        error: brokerage.isDown ? `${brokerage.name} is unavailable` : null,
      };
      this.tellOf(account.connection, {
        eventType: "ACCOUNT_HOLDINGS_UPDATED",
        accountId: account.id,
        brokerageId: brokerage.id,
        details: { total_value: outcome, positions: outcome, balances: outcome, orders: outcome },
      });
    }
    if (brokerage.isDown) return;
    const before = account.rows.length;
    this.#readActivities(account);
    if (account.rows.length > before)
      this.tellOf(account.connection, { eventType: "ACCOUNT_TRANSACTIONS_UPDATED", accountId: account.id });
  }

  readHoldings(account: SnapTradeAccount) {
    const { source } = account;
    const positions = source.isUnavailable ? [] : source.positions.map((each) => ({ ...each }));
    const cash = new Map(source.isUnavailable ? [] : source.cash);
    for (const each of positions)
      if (each.cash_equivalent && each.currency)
        cash.set(each.currency, plus(cash.get(each.currency) ?? "0", worthOf(each)));
    const buyingPower = new Map(source.buyingPower);
    account.holdings = { at: this.clock(), positions, cash, buyingPower, total: totalOf(source) };
  }

  /** Those of today come tomorrow. */
  #readActivities(account: SnapTradeAccount) {
    const today = this.clock().toISOString().slice(0, 10);
    const known = new Set(account.rows.map(({ activity }) => activity));
    for (const activity of account.source.activities)
      if (!known.has(activity) && (activity.trade_date ?? "").slice(0, 10) < today)
        account.rows.push({ id: randomUUID(), activity });
    account.syncedTo = new Date(this.clock().getTime() - DAY_MS).toISOString().slice(0, 10);
  }

  /** An activity that is read between two syncs. */
  arrive(account: SnapTradeAccount, activity: SnapTradeActivity) {
    account.rows.push({ id: randomUUID(), activity });
  }

  /** SnapTrade reads the history of an account again: the same rows, with other ids. */
  reprocess(account: SnapTradeAccount) {
    account.rows = account.rows.map(({ activity }) => ({ id: randomUUID(), activity }));
  }

  connections(): SnapTradeConnection[] {
    return this.partners.flatMap(({ users }) => [...users.values()].flatMap(({ connections }) => connections));
  }

  accounts(): SnapTradeAccount[] {
    return this.connections().flatMap(({ accounts }) => accounts);
  }

  tell(user: SnapTradeUser, event: SnapTradeEvent) {
    this.#tell(user.partner, { userId: user.id, ...event });
  }

  tellOf(connection: SnapTradeConnection, event: SnapTradeEvent) {
    this.tell(connection.user, { ...event, brokerageAuthorizationId: connection.id });
  }
}

/** Cash and positions in the account's currency; what counts as cash is counted once. */
function totalOf(source: BrokerageAccount): string | null {
  if (source.total !== undefined) return source.total;
  const inOwn = (value: string, currency: string | null) =>
    currency === source.currency ? value : times(value, source.rates[currency ?? ""] ?? "0");
  return plus(
    ...[...source.cash].map(([currency, cash]) => inOwn(cash, currency)),
    ...source.positions.map((each) => inOwn(worthOf(each), each.currency)),
    "0",
  );
}
