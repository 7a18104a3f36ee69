import { randomUUID } from "node:crypto";
import { isNegative, isZero, minus, negative, plus, times } from "./decimals.js";

/** What is held and traded, with what SnapTrade knows about it. */
export interface SnapTradeInstrument {
  readonly id: string;
  readonly kind: "stock" | "etf" | "adr" | "cef" | "mutualfund" | "crypto" | "other" | "option" | "future" | "cfd";
  /** With the suffix of its exchange; that of OCC for options. */
  readonly symbol: string;
  readonly raw_symbol: string;
  readonly description: string | null;
  readonly currency: string | null;
  /** A MIC. */
  readonly exchange: string | null;
  readonly figi: { readonly figi_code: string | null; readonly figi_share_class: string | null } | null;
  readonly option?: {
    readonly option_type: "CALL" | "PUT";
    readonly strike_price: string;
    readonly expiration_date: string;
    readonly multiplier: string;
  };
  readonly future?: { readonly expiration_code: string; readonly expiration_date: string; readonly multiplier: string };
  /** Of an option or a CFD. */
  readonly underlying?: SnapTradeInstrument;
}

export function instrument(
  kind: SnapTradeInstrument["kind"],
  symbol: string,
  description: string,
  more: Partial<SnapTradeInstrument> = {},
): SnapTradeInstrument {
  return {
    id: randomUUID(),
    kind,
    symbol,
    raw_symbol: symbol.split(".")[0] ?? symbol,
    description,
    currency: "USD",
    exchange: kind === "crypto" ? null : "XNAS",
    figi: null,
    ...more,
  };
}

/** A position as the brokerage states it; every number is decimal text, prices are those of one share. */
export interface SnapTradePosition {
  readonly instrument: SnapTradeInstrument;
  units: string | null;
  price: string | null;
  /** Average price of a share, not the total. */
  cost_basis: string | null;
  currency: string | null;
  /** Of a mutual fund that is counted in the cash balance too. */
  cash_equivalent?: boolean;
}

/** Positive amounts bring cash, negative ones spend it; units likewise. */
export interface SnapTradeActivity {
  type: string;
  instrument: SnapTradeInstrument | null;
  units: string;
  price: string;
  amount: string | null;
  /** Null where price, amount and fee are in `quote`. */
  currency: string | null;
  quote: SnapTradeInstrument | null;
  fee: string;
  fx_rate: string | null;
  description: string;
  option_type: string;
  /** Such as `2026-11-18` where the brokerage has no times. */
  trade_date: string | null;
  settlement_date: string | null;
  external_reference_id: string | null;
}

type AccountOptions = Partial<
  Pick<
    BrokerageAccount,
    | "name"
    | "total"
    | "raw_type"
    | "currency"
    | "institution_account_id"
    | "account_category"
    | "status"
    | "is_paper"
    | "rates"
  >
>;

/** An account at a brokerage, before SnapTrade has read it. */
export class BrokerageAccount {
  readonly number: string;
  name: string | null = "Individual";
  raw_type: string | null = "Margin";
  currency = "USD";
  institution_account_id: string | null = null;
  account_category: "INVESTMENT" | "DEPOSIT" | "LOC" | null = "INVESTMENT";
  status: "open" | "closed" | "archived" | "unavailable" | null = "open";
  is_paper = false;
  /** What one of these currencies is worth in that of the account. */
  rates: Readonly<Record<string, string>> = {};
  /** The brokerage does not show what the account holds. */
  isUnavailable = false;
  /** Null where the brokerage states no total; undefined where it is the sum. */
  total: string | null | undefined;
  readonly cash = new Map<string, string>();
  readonly buyingPower = new Map<string, string | null>();
  readonly positions: SnapTradePosition[] = [];
  readonly activities: SnapTradeActivity[] = [];
  readonly #clock: () => Date;

  constructor(clock: () => Date, number: string, options: AccountOptions) {
    this.#clock = clock;
    this.number = number;
    Object.assign(this, options);
  }

  deposit(amount: string, more: Partial<SnapTradeActivity> = {}) {
    return this.book("CONTRIBUTION", { amount, description: "Deposit", ...more });
  }

  /** Cash moves by units times price and the contract's size, and by the fee. */
  trade(
    side: "BUY" | "SELL",
    of: SnapTradeInstrument,
    units: string,
    price: string,
    more: Partial<SnapTradeActivity> = {},
  ) {
    const value = times(units, price, multiplierOf(of));
    const fee = more.fee ?? "0";
    return this.book(side, {
      instrument: of,
      units: side === "BUY" ? units : negative(units),
      price,
      amount: minus(side === "BUY" ? negative(value) : value, fee),
      currency: of.currency ?? this.currency,
      fee,
      description: `${side === "BUY" ? "Bought" : "Sold"} ${of.description}`,
      ...(of.kind === "option" && { option_type: `${side}_TO_${side === "BUY" ? "OPEN" : "CLOSE"}` }),
      ...more,
    });
  }

  /** Any activity: its amount moves cash, its units a position. */
  book(type: string, more: Partial<SnapTradeActivity> = {}): SnapTradeActivity {
    const activity: SnapTradeActivity = {
      type,
      instrument: null,
      units: "0",
      price: "0",
      amount: null,
      currency: this.currency,
      quote: null,
      fee: "0",
      fx_rate: null,
      description: type,
      option_type: "",
      trade_date: `${this.#clock().toISOString().slice(0, 19)}Z`,
      settlement_date: null,
      external_reference_id: null,
      ...more,
    };
    this.activities.push(activity);
    if (activity.amount !== null && activity.currency !== null)
      this.cash.set(activity.currency, plus(this.cash.get(activity.currency) ?? "0", activity.amount));
    if (activity.instrument && !isZero(activity.units)) this.#move(activity.instrument, activity.units, activity.price);
    return activity;
  }

  /** States a position, whatever was booked. */
  hold(of: SnapTradeInstrument, units: string, more: Partial<SnapTradePosition> = {}): SnapTradePosition {
    const position = {
      instrument: of,
      units,
      price: null,
      cost_basis: null,
      currency: of.currency ?? this.currency,
      ...more,
    };
    this.#drop(of);
    this.positions.push(position);
    return position;
  }

  price(of: SnapTradeInstrument, price: string | null) {
    for (const position of this.positions) if (position.instrument === of) position.price = price;
  }

  #move(of: SnapTradeInstrument, units: string, price: string) {
    const before = this.positions.find((each) => each.instrument === of);
    const after = plus(before?.units ?? "0", units);
    if (isZero(after)) return this.#drop(of);
    if (!before) return void this.hold(of, after, { price, cost_basis: price });
    // What is sold leaves the average price as it is; that of a purchase is the test's to state.
    before.units = after;
    if (!isNegative(units) && before.cost_basis === null) before.cost_basis = price;
  }

  #drop(of: SnapTradeInstrument) {
    const at = this.positions.findIndex((each) => each.instrument === of);
    if (at !== -1) this.positions.splice(at, 1);
  }
}

function multiplierOf({ option, future }: SnapTradeInstrument): string {
  return option?.multiplier ?? future?.multiplier ?? "1";
}

export function worthOf({ instrument: of, units, price }: SnapTradePosition): string {
  return times(units ?? "0", price ?? "0", multiplierOf(of));
}

/** What one person signs in with at a brokerage. */
export interface BrokerageLogin {
  readonly username: string;
  readonly password: string;
  /** Asked for after the password, if there is one. */
  readonly code: string | null;
  readonly accounts: BrokerageAccount[];
  /** Whether what they sign in with may read accounts. */
  mayRead: boolean;
  open(number: string, options?: AccountOptions): BrokerageAccount;
}

/** A brokerage or exchange that SnapTrade reads. */
export class SnapTradeBrokerage {
  readonly id = randomUUID();
  readonly slug: string;
  readonly name: string;
  url: string | null;
  enabled = true;
  maintenance_mode = false;
  is_degraded = false;
  allows_trading: boolean | null = true;
  /** With `OAUTH` a person agrees on a page of the brokerage after signing in. */
  auth_type: "TOKEN" | "OAUTH" = "TOKEN";
  type = "Traditional Brokerage";
  /** Nobody can read or connect. */
  isDown = false;
  readonly logins: BrokerageLogin[] = [];
  readonly #clock: () => Date;

  constructor(clock: () => Date, slug: string, name: string, more: Partial<SnapTradeBrokerage> = {}) {
    this.#clock = clock;
    this.slug = slug;
    this.name = name;
    this.url = `https://${slug.toLowerCase().replaceAll("_", "-")}.example`;
    Object.assign(this, more);
  }

  /** A person who has a login there. */
  register(username: string, password: string, code: string | null = null): BrokerageLogin {
    const accounts: BrokerageAccount[] = [];
    const open = (number: string, options: AccountOptions = {}) => {
      const account = new BrokerageAccount(this.#clock, number, options);
      accounts.push(account);
      return account;
    };
    const login = { username, password, code, accounts, mayRead: true, open };
    this.logins.push(login);
    return login;
  }
}
