import { randomBytes, randomUUID } from "node:crypto";
import {
  type Institution,
  type InstitutionRequest,
  type Reply,
  startInstitution,
} from "../../../../packages/provider-kit/test/stand-in/institution.js";
import {
  Exact,
  exactJson,
  type Json,
  type JsonObject,
} from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import { isZero, minus, negative, over, plus, times } from "./decimals.js";

/** HTTP Basic: the key is the user, the secret the password. */
export interface Trading212Key {
  readonly key: string;
  readonly secret: string;
}

/** `currency` is that of its prices, such as GBX; `rate` leads from it to the account's. */
export interface Trading212Instrument {
  readonly ticker: string;
  readonly name: string;
  readonly isin: string;
  readonly currency: string;
  price: string;
  rate: string;
}

/** One account (Invest or Stocks ISA). Amounts are decimal text in the account's currency. */
export interface Trading212Account {
  readonly id: number;
  readonly currency: string;
  readonly cash: string;
  readonly units: ReadonlyMap<string, string>;
  makeKey(): Trading212Key;
  /** Of this kind, with the sign that the movement has. */
  move(type: "DEPOSIT" | "WITHDRAW" | "FEE" | "TRANSFER", amount: string): void;
  /** A market order that is filled at once; what is sold has a negative quantity, as the documents say. */
  trade(ticker: string, quantity: string, price: string, taxes?: Readonly<Record<string, string>>): void;
  /** A fill that nobody ordered, such as STOCK_SPLIT: units without money. */
  event(type: string, ticker: string, quantity: string): void;
  dividend(ticker: string, perShare: string, amount: string, type?: string): void;
  /** An order that was never filled. */
  rejectedOrder(ticker: string, quantity: string): void;
}

/** A stand-in for the Public API v0 of Trading 212, in its edition with key and secret. */
export interface Trading212 {
  /** As in the documents, with `/api/v0`. */
  readonly base_url: string;
  readonly institution: Institution;
  readonly violations: readonly string[];
  list(
    ticker: string,
    name: string,
    isin: string,
    currency: string,
    price: string,
    rate?: string,
  ): Trading212Instrument;
  open(currency: string): Trading212Account;
  revoke(key: Trading212Key): void;
  /** Whether the documented limits hold; at first they do. */
  limit(holds: boolean): void;
  close(): Promise<void>;
}

const BASE = "/api/v0/equity";
/** Requests in a period of seconds, for each account and endpoint. */
const LIMITS: Readonly<Record<string, readonly [requests: number, seconds: number]>> = {
  "/account/summary": [1, 5],
  "/positions": [1, 1],
  "/metadata/instruments": [1, 50],
  "/history/orders": [6, 60],
  "/history/dividends": [6, 60],
  "/history/transactions": [6, 60],
};

export async function startTrading212({ clock }: { readonly clock: () => Date }): Promise<Trading212> {
  const accounts: Account[] = [];
  const keys = new Map<string, { readonly secret: string; readonly account: Account }>();
  const instruments = new Map<string, Trading212Instrument>();
  const violations: string[] = [];
  const windows = new Map<string, { readonly until: number; used: number }>();
  let isLimited = true;
  let serial = 1_000;

  const instrumentOf = (ticker: string) => {
    const found = instruments.get(ticker);
    if (!found) throw new Error(`${ticker} is not listed`);
    return found;
  };
  const named = ({ ticker, name, isin, currency }: Trading212Instrument) => ({ ticker, name, isin, currency });

  class Account implements Trading212Account {
    readonly id = 20_000_000 + accounts.length;
    cash = "0";
    readonly held = new Map<string, { qty: string; cost: string; paid: string; since: string }>();
    readonly orders: JsonObject[] = [];
    readonly dividends: JsonObject[] = [];
    readonly transactions: JsonObject[] = [];

    constructor(readonly currency: string) {}

    get units() {
      return new Map([...this.held].map(([ticker, { qty }]) => [ticker, qty]));
    }

    makeKey() {
      const made = { key: randomBytes(16).toString("hex"), secret: randomBytes(32).toString("base64url") };
      keys.set(made.key, { secret: made.secret, account: this });
      return made;
    }

    move(type: string, amount: string) {
      this.cash = plus(this.cash, amount);
      const row = {
        type,
        amount: new Exact(amount),
        currency: this.currency,
        dateTime: now(),
        reference: randomUUID(),
      };
      this.transactions.unshift(row);
    }

    trade(ticker: string, quantity: string, price: string, taxes: Readonly<Record<string, string>> = {}) {
      const { rate } = instrumentOf(ticker);
      const charged = plus("0", ...Object.values(taxes));
      const value = times(quantity, price, rate);
      this.cash = minus(this.cash, plus(value, charged));
      this.#hold(ticker, quantity, value, times(quantity, price));
      const netValue = new Exact(plus(value, charged).replace("-", ""));
      const rows = Object.entries(taxes).map(([name, amount]) => ({
        name,
        quantity: new Exact(negative(amount)),
        currency: this.currency,
        chargedAt: now(),
      }));
      const walletImpact = { currency: this.currency, netValue, fxRate: new Exact(rate), taxes: rows };
      this.#order(ticker, quantity, "FILLED", { type: "TRADE", price: new Exact(price), walletImpact });
    }

    event(type: string, ticker: string, quantity: string) {
      this.#hold(ticker, quantity, "0", "0");
      this.#order(ticker, quantity, "FILLED", { type, price: new Exact("0") });
    }

    rejectedOrder(ticker: string, quantity: string) {
      this.#order(ticker, quantity, "REJECTED");
    }

    dividend(ticker: string, perShare: string, amount: string, type = "ORDINARY") {
      this.cash = plus(this.cash, amount);
      const instrument = instrumentOf(ticker);
      this.dividends.unshift({
        ticker,
        instrument: named(instrument),
        reference: randomUUID(),
        quantity: new Exact(this.held.get(ticker)?.qty ?? "0"),
        amount: new Exact(amount),
        currency: this.currency,
        grossAmountPerShare: new Exact(perShare),
        tickerCurrency: instrument.currency,
        paidOn: now(),
        type,
      });
    }

    #order(ticker: string, quantity: string, status: string, fill?: JsonObject) {
      serial += 1;
      const order = {
        id: serial,
        strategy: "QUANTITY",
        type: "MARKET",
        ticker,
        instrument: named(instrumentOf(ticker)),
        quantity: new Exact(quantity),
        filledQuantity: new Exact(fill ? quantity : "0"),
        status,
        currency: this.currency,
        side: quantity.startsWith("-") ? "SELL" : "BUY",
        createdAt: now(),
        initiatedFrom: "IOS",
        extendedHours: false,
      };
      const its = { id: serial * 10, quantity: new Exact(quantity), filledAt: now(), tradingMethod: "TOTV", ...fill };
      this.orders.unshift({ order, ...(fill && { fill: its }) });
    }

    #hold(ticker: string, quantity: string, value: string, paid: string) {
      const before = this.held.get(ticker) ?? { qty: "0", cost: "0", paid: "0", since: now() };
      const qty = plus(before.qty, quantity);
      if (isZero(qty)) {
        this.held.delete(ticker);
        return;
      }
      const isSold = quantity.startsWith("-");
      const left = isSold ? over(qty, before.qty) : "1";
      const added = (was: string, more: string) => (isSold ? times(was, left) : plus(was, more));
      const after = { cost: added(before.cost, value), paid: added(before.paid, paid) };
      this.held.set(ticker, { ...before, ...after, qty });
    }
  }
  const now = () => clock().toISOString();

  function position(account: Account, ticker: string): JsonObject {
    const { qty, cost, paid, since } = account.held.get(ticker) ?? { qty: "0", cost: "0", paid: "0", since: now() };
    const instrument = instrumentOf(ticker);
    const value = times(qty, instrument.price, instrument.rate);
    return {
      instrument: named(instrument),
      createdAt: since,
      quantity: new Exact(qty),
      quantityAvailableForTrading: new Exact(qty),
      quantityInPies: new Exact("0"),
      currentPrice: new Exact(instrument.price),
      averagePricePaid: new Exact(over(paid, qty, 8)),
      walletImpact: {
        currency: account.currency,
        totalCost: new Exact(cost),
        currentValue: new Exact(value),
        unrealizedProfitLoss: new Exact(minus(value, cost)),
        fxImpact: null,
      },
    };
  }

  function summary({ id, currency, cash, held }: Account): JsonObject {
    const value = plus(
      "0",
      ...[...held].map(([ticker, { qty }]) => times(qty, instrumentOf(ticker).price, instrumentOf(ticker).rate)),
    );
    const cost = plus("0", ...[...held.values()].map((each) => each.cost));
    return {
      id,
      currency,
      totalValue: new Exact(plus(cash, value)),
      cash: { availableToTrade: new Exact(cash), reservedForOrders: new Exact("0"), inPies: new Exact("0") },
      investments: {
        currentValue: new Exact(value),
        totalCost: new Exact(cost),
        realizedProfitLoss: new Exact("0"),
        unrealizedProfitLoss: new Exact(minus(value, cost)),
      },
    };
  }

  /** A page of what is newest first. The cursor is the place after the last item; only `nextPagePath` tells it. */
  function page(path: string, rows: readonly JsonObject[], query: URLSearchParams): Reply {
    const limit = Number(query.get("limit") ?? 20);
    if (!(limit >= 1 && limit <= 50)) return json(400, { code: "InvalidLimit" });
    const ticker = query.get("ticker");
    const found = ticker ? rows.filter((row) => exactJson(row).includes(`"ticker":"${ticker}"`)) : rows;
    const cursor = Number(query.get("cursor") ?? found.length);
    if (!Number.isInteger(cursor)) return json(400, { code: "InvalidCursor" });
    const start = found.length - cursor;
    const left = cursor - limit;
    const next = `${BASE}${path}?limit=${limit}&cursor=${left}${ticker ? `&ticker=${ticker}` : ""}`;
    return json(200, { items: found.slice(start, start + limit), nextPagePath: left > 0 ? next : null });
  }

  function answer({ path, query, headers, method }: InstitutionRequest): Reply {
    const [, encoded = ""] = /^Basic (.+)$/.exec(String(headers.authorization)) ?? [];
    const [name = "", secret] = Buffer.from(encoded, "base64").toString("utf8").split(":");
    const found = keys.get(name);
    if (!found || found.secret !== secret) return json(401, null);
    if (method !== "GET") violations.push(`${method} ${path}`);
    const endpoint = path.startsWith(BASE) ? path.slice(BASE.length) : "";
    const rule = LIMITS[endpoint];
    if (!rule) return json(404, null);
    const { account } = found;
    const [requests, seconds] = rule;
    const at = clock().getTime();
    const place = `${account.id} ${endpoint}`;
    const last = windows.get(place);
    const window = last && last.until > at ? last : { until: at + seconds * 1000, used: 0 };
    windows.set(place, window);
    const isOver = isLimited && window.used >= requests;
    if (!isOver) window.used += 1;
    const limits = {
      "x-ratelimit-limit": String(requests),
      "x-ratelimit-period": String(seconds),
      "x-ratelimit-remaining": String(Math.max(0, requests - window.used)),
      "x-ratelimit-reset": String(Math.ceil(window.until / 1000)),
      "x-ratelimit-used": String(window.used),
    };
    const reply = isOver ? json(429, null) : data(account, endpoint, query);
    return { ...reply, headers: { ...reply.headers, ...limits } };
  }

  function data(account: Account, endpoint: string, query: URLSearchParams): Reply {
    switch (endpoint) {
      case "/account/summary":
        return json(200, summary(account));
      case "/positions":
        return json(
          200,
          [...account.held.keys()].map((ticker) => position(account, ticker)),
        );
      case "/metadata/instruments":
        return json(
          200,
          [...instruments.values()].map(({ currency, price, rate, ...more }) => ({
            ...more,
            type: "STOCK",
            currencyCode: currency,
          })),
        );
      case "/history/orders":
        return page(endpoint, account.orders, query);
      case "/history/dividends":
        return page(endpoint, account.dividends, query);
      default:
        return page(endpoint, account.transactions, query);
    }
  }

  const institution = await startInstitution({ clock, answer });
  return {
    base_url: `${institution.url}/api/v0`,
    institution,
    violations,
    list(ticker, name, isin, currency, price, rate = "1") {
      const instrument = { ticker, name, isin, currency, price, rate };
      instruments.set(ticker, instrument);
      return instrument;
    },
    open(currency) {
      const account = new Account(currency);
      accounts.push(account);
      return account;
    },
    revoke: ({ key }) => void keys.delete(key),
    limit(holds) {
      isLimited = holds;
    },
    close: () => institution.close(),
  };
}

function json(status: number, body: Json): Reply {
  return { status, headers: { "content-type": "application/json" }, body: body === null ? "" : exactJson(body) };
}
