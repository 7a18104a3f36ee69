import { randomBytes, randomUUID } from "node:crypto";
import {
  type Institution,
  type InstitutionRequest,
  type Reply,
  startInstitution,
} from "../../../../packages/provider-kit/test/stand-in/institution.js";
import {
  type AlpacaInstrument,
  assetAnswer,
  type Held,
  json,
  multiplierOf,
  newYork,
  positionAnswer,
} from "./alpaca-answers.js";
import { isNegative, isZero, minus, negative, over, plus, times } from "./decimals.js";

/** As the customer copies it from Alpaca's page. */
export interface AlpacaKey {
  readonly id: string;
  readonly secret: string;
}

/** An activity as it is answered; every amount is text. */
export type AlpacaActivity = Readonly<Record<string, string | null>> & {
  readonly id: string;
  readonly activity_type: string;
};

/** One account, and what its owner and the market do with it. */
export interface AlpacaAccount {
  readonly id: string;
  readonly number: string;
  readonly currency: string;
  /** Its cash and units by the symbol of positions, as the activities made them. */
  readonly cash: string;
  readonly units: ReadonlyMap<string, string>;
  readonly activities: readonly AlpacaActivity[];
  makeKey(): AlpacaKey;
  deposit(amount: string, date?: string): AlpacaActivity;
  withdraw(amount: string, date?: string): AlpacaActivity;
  /** An order that is filled in one execution, or in several of these quantities. */
  trade(side: "buy" | "sell", symbol: string, price: string, ...quantities: readonly string[]): AlpacaActivity[];
  /** Any activity other than an execution; it moves `net_amount`, and units as `units` says. */
  book(type: string, more: Readonly<Record<string, string>>, units?: { symbol: string; qty: string }): AlpacaActivity;
  /** What was booked did not happen: cash and units are as before, the activity stays under its id. */
  cancel(id: string): void;
  /** Another amount than was booked. */
  correct(id: string, net_amount: string): void;
  /** From now on every member of the account that is named here is answered like this. */
  state(more: Readonly<Record<string, unknown>>): void;
}

/** A stand-in for Alpaca's Trading API, by its OpenAPI document and the pages of docs.alpaca.markets. */
export interface AlpacaBroker {
  /** As in the settings: without `/v2`. */
  readonly base_url: string;
  readonly institution: Institution;
  /** What clients did that the documents do not allow. */
  readonly violations: readonly string[];
  list(symbol: string, name: string, price: string, more?: Partial<AlpacaInstrument>): AlpacaInstrument;
  open(options?: { currency?: string; swap_rate?: string; paper?: boolean }): AlpacaAccount;
  revoke(key: AlpacaKey): void;
  /** How many requests a minute an account may send; 200 at first. */
  allow(requests: number): void;
  close(): Promise<void>;
}

/** Requests an account may send a minute, by alpaca.markets/support/usage-limit-api-calls. */
const A_MINUTE = 200;
const MINUTE_MS = 60_000;
const TRANS = ["CSD", "CSW"];
const KNOWN =
  "FILL TRANS MISC ACATC ACATS CFEE CGD CSD CSW DIV DIVCGL DIVCGS DIVFEE DIVFT DIVNRA DIVROC DIVTW DIVTXEX FEE INT INTNRA INTTW JNL JNLC JNLS MA NC OPASN OPCA OPCSH OPEXC OPEXP OPTRD PTC PTR REORG SPIN SPLIT FOPT".split(
    " ",
  );

export async function startAlpaca({ clock }: { readonly clock: () => Date }): Promise<AlpacaBroker> {
  const accounts: Account[] = [];
  const keys = new Map<string, { readonly secret: string; readonly account: Account }>();
  const instruments = new Map<string, AlpacaInstrument>();
  const violations: string[] = [];
  let allowed = A_MINUTE;
  const windows = new Map<Account, { readonly until: number; used: number }>();

  class Account implements AlpacaAccount {
    readonly id = randomUUID();
    readonly number: string;
    readonly currency: string;
    readonly held = new Map<string, Held>();
    readonly activities: AlpacaActivity[] = [];
    readonly created_at = clock().toISOString();
    cash = "0";
    more: Readonly<Record<string, unknown>> = {};
    readonly swap_rate: string | undefined;

    constructor({ currency = "USD", swap_rate, paper = false }: Parameters<AlpacaBroker["open"]>[0] = {}) {
      this.currency = currency;
      this.swap_rate = swap_rate;
      this.number = `${paper ? "PA" : ""}${700_000_000 + accounts.length}`;
    }

    get units() {
      return new Map([...this.held].map(([symbol, { qty }]) => [symbol, qty]));
    }

    makeKey() {
      const key = {
        id: `AK${randomBytes(9).toString("hex").toUpperCase()}`,
        secret: randomBytes(30).toString("base64"),
      };
      keys.set(key.id, { secret: key.secret, account: this });
      return key;
    }

    deposit(amount: string, date?: string) {
      return this.book("CSD", { net_amount: amount, ...(date && { date }) });
    }

    withdraw(amount: string, date?: string) {
      return this.book("CSW", { net_amount: negative(amount), ...(date && { date }) });
    }

    trade(side: "buy" | "sell", symbol: string, price: string, ...quantities: readonly string[]) {
      const order_id = randomUUID();
      const whole = plus(...quantities);
      let cum_qty = "0";
      return quantities.map((qty) => {
        cum_qty = plus(cum_qty, qty);
        const leaves_qty = minus(whole, cum_qty);
        const isLast = isZero(leaves_qty);
        const activity = this.#keep({
          id: this.#nextId(),
          activity_type: "FILL",
          transaction_time: clock().toISOString().replace("Z", "482Z"),
          type: isLast ? "fill" : "partial_fill",
          price,
          qty,
          side,
          symbol,
          leaves_qty,
          order_id,
          cum_qty,
          order_status: isLast ? "filled" : "partially_filled",
        });
        this.#apply(activity, 1);
        return activity;
      });
    }

    book(type: string, more: Readonly<Record<string, string>>, units?: { symbol: string; qty: string }) {
      const date = more.date ?? clock().toISOString().slice(0, 10);
      const activity = this.#keep({
        id: this.#nextId(date),
        activity_type: type,
        date,
        created_at: clock().toISOString(),
        net_amount: "0",
        currency: this.currency,
        status: "executed",
        ...more,
      });
      if (units) moved.set(activity.id, units);
      this.#apply(activity, 1);
      return activity;
    }

    cancel(id: string) {
      this.#apply(this.#find(id), -1);
      this.#replace(id, { status: "canceled" });
    }

    correct(id: string, net_amount: string) {
      this.#apply(this.#find(id), -1);
      this.#replace(id, { net_amount, status: "correct" });
      this.#apply(this.#find(id), 1);
    }

    state(more: Readonly<Record<string, unknown>>) {
      this.more = more;
    }

    #find(id: string): AlpacaActivity {
      const found = this.activities.find((each) => each.id === id);
      if (!found) throw new Error(`no activity ${id}`);
      return found;
    }

    #replace(id: string, more: Readonly<Record<string, string>>) {
      const at = this.activities.findIndex((each) => each.id === id);
      this.activities[at] = { ...this.#find(id), ...more };
    }

    #keep(activity: AlpacaActivity): AlpacaActivity {
      this.activities.push(activity);
      return activity;
    }

    /** The document's examples start with the time in New York, or a day's own; what comes later has a higher id. */
    #nextId(date?: string): string {
      const serial = String(this.activities.length).padStart(8, "0");
      const at = clock();
      const stamp =
        date && date !== at.toISOString().slice(0, 10) ? `${date.replaceAll("-", "")}000000000` : newYork(at);
      return `${stamp}::${serial}${randomUUID().slice(8)}`;
    }

    #apply(activity: AlpacaActivity, sign: 1 | -1) {
      const signed = (value: string) => (sign === 1 ? value : negative(value));
      const { side, symbol, qty, price, net_amount } = activity;
      if (activity.activity_type === "FILL" && symbol && qty && price) {
        const value = times(qty, price, multiplier(symbol));
        const isBuy = side === "buy";
        this.cash = plus(this.cash, signed(isBuy ? negative(value) : value));
        this.#move(symbol, signed(isBuy ? qty : negative(qty)), price);
      } else if (net_amount) this.cash = plus(this.cash, signed(net_amount));
      const units = moved.get(activity.id);
      if (units) this.#move(units.symbol, signed(units.qty), "0");
    }

    #move(symbol: string, qty: string, price: string) {
      const name = symbol.replace("/", "");
      const before = this.held.get(name) ?? { qty: "0", cost: "0" };
      const isClosing = isNegative(before.qty) !== isNegative(qty) && !isZero(before.qty);
      const cost = isClosing
        ? times(before.cost, over(plus(before.qty, qty), before.qty))
        : plus(before.cost, times(qty, price, multiplier(symbol)));
      const after = { qty: plus(before.qty, qty), cost };
      if (isZero(after.qty)) this.held.delete(name);
      else this.held.set(name, after);
    }
  }
  /** Units that an activity moved beside its cash. */
  const moved = new Map<string, { symbol: string; qty: string }>();

  const instrumentOf = (symbol: string) =>
    [...instruments.values()].find((each) => each.symbol === symbol || each.symbol.replace("/", "") === symbol);
  const multiplier = (symbol: string) => multiplierOf(instrumentOf(symbol));

  const positions = (account: Account) =>
    [...account.held].map(([symbol, held]) => positionAnswer(account, instrumentOf(symbol), symbol, held));

  function accountAnswer(account: Account) {
    const values = positions(account).map(({ market_value }) => market_value);
    const long = plus("0", ...values.filter((each) => !isNegative(each)));
    const short = plus("0", ...values.filter(isNegative));
    const equity = plus(account.cash, long, short);
    return {
      id: account.id,
      account_number: account.number,
      status: "ACTIVE",
      crypto_status: "ACTIVE",
      currency: account.currency,
      cash: account.cash,
      buying_power: account.cash,
      portfolio_value: equity,
      equity,
      last_equity: equity,
      long_market_value: long,
      short_market_value: short,
      position_market_value: plus(long, short),
      accrued_fees: "0",
      pending_transfer_in: "0",
      multiplier: "2",
      created_at: account.created_at,
      trading_blocked: false,
      account_blocked: false,
      ...account.more,
    };
  }

  function activities(account: Account, query: URLSearchParams, path?: string): Reply {
    const types = path ? [path] : (query.get("activity_types")?.split(",") ?? []);
    const unknown = types.find((each) => !KNOWN.includes(each));
    if (unknown) return json(422, { code: 40010001, message: `invalid activity type: ${unknown}` });
    const category = query.get("category");
    if (category && types.length > 0) violations.push("category beside activity_types");
    const size = Number(query.get("page_size") ?? 100);
    if (!(size >= 1 && size <= 100)) return json(422, { code: 40010001, message: "page_size must be 1 to 100" });
    const [date, after, until] = ["date", "after", "until"].map((name) => query.get(name));
    const created = (each: AlpacaActivity) => Date.parse(each.created_at ?? each.transaction_time ?? "");
    const isOf = ({ activity_type: type }: AlpacaActivity) =>
      types.length === 0 ||
      types.includes(type) ||
      (types.includes("TRANS") && TRANS.includes(type)) ||
      (types.includes("MISC") && type !== "FILL" && type !== "DIV" && !TRANS.includes(type));
    const found = account.activities
      .filter(isOf)
      .filter((each) => !category || (category === "trade_activity") === (each.activity_type === "FILL"))
      .filter((each) => !after || created(each) > Date.parse(after))
      .filter((each) => !until || created(each) < Date.parse(until))
      .filter((each) => !date || new Date(created(each)).toISOString().slice(0, 10) === date.slice(0, 10))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    if (query.get("direction") !== "asc") found.reverse();
    const token = query.get("page_token");
    const at = token ? found.findIndex(({ id }) => id === token) : -1;
    if (token && at === -1) return json(422, { code: 40010001, message: "page_token is invalid" });
    return json(200, found.slice(at + 1, at + 1 + size));
  }

  function answer(request: InstitutionRequest): Reply {
    const { path, query, headers, method } = request;
    const key = keys.get(String(headers["apca-api-key-id"] ?? ""));
    if (!key || key.secret !== headers["apca-api-secret-key"]) return json(401, { message: "unauthorized" });
    if (method !== "GET") violations.push(`${method} ${path}`);
    const { account } = key;
    const now = clock().getTime();
    const last = windows.get(account);
    const window = last && last.until > now ? last : { until: now + MINUTE_MS, used: 0 };
    windows.set(account, window);
    window.used += 1;
    const limits = {
      "x-ratelimit-limit": String(allowed),
      "x-ratelimit-remaining": String(Math.max(0, allowed - window.used)),
      "x-ratelimit-reset": String(Math.ceil(window.until / 1000)),
    };
    const limited = (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, ...limits } });
    if (window.used > allowed) return limited(json(429, { code: 42910000, message: "rate limit exceeded" }));
    const [, , resource = "", name = "", kind] = path.split("/").map(decodeURIComponent);
    if (path === "/v2/account") return limited(json(200, accountAnswer(account)));
    if (resource === "account" && name === "activities") return limited(activities(account, query, kind));
    if (path === "/v2/positions") return limited(json(200, positions(account)));
    if (path === "/v2/assets") {
      const wanted = query.get("asset_class") ?? "us_equity";
      return limited(
        json(200, [...instruments.values()].filter((each) => each.asset_class === wanted).map(assetAnswer)),
      );
    }
    const found = resource === "assets" && (instrumentOf(name) ?? instruments.get(name));
    if (found && found.asset_class !== "us_option") return limited(json(200, assetAnswer(found)));
    return limited(json(404, { code: 40410000, message: `${resource} not found` }));
  }

  const institution = await startInstitution({ clock, answer });
  return {
    base_url: institution.url,
    institution,
    violations,
    list(symbol, name, price, more = {}) {
      const instrument: AlpacaInstrument = {
        asset_id: randomUUID(),
        symbol,
        name,
        asset_class: "us_equity",
        exchange: "NASDAQ",
        price,
        ...more,
      };
      instruments.set(instrument.asset_id, instrument);
      return instrument;
    },
    open(options) {
      const account = new Account(options);
      accounts.push(account);
      return account;
    },
    revoke: ({ id }) => void keys.delete(id),
    allow(requests) {
      allowed = requests;
      windows.clear();
    },
    close: () => institution.close(),
  };
}
