import { createHash, randomUUID } from "node:crypto";
import { Exact, type JsonObject } from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import { negative, plus, times } from "./decimals.js";

/** A bank as Plaid has it, and how it behaves. */
export interface PlaidInstitution {
  readonly institution_id: string;
  readonly name: string;
  readonly country_codes: readonly string[];
  readonly products: readonly string[];
  readonly oauth: boolean;
  readonly url: string | null;
  readonly routing_numbers: readonly string[];
  /** How long consent lasts; null if it does not end. */
  consent_days: number | null;
  /** Whether `/investments/refresh` is supported. */
  can_refresh: boolean;
  health: "HEALTHY" | "DEGRADED" | "DOWN";
}

/** An amount or a number of units in decimal text, with as many digits as the bank has. */
export type Figure = string;

/** An id as Plaid's are: 37 characters, of which case matters. */
export function plaidId(...seed: readonly string[]): string {
  const hash = createHash("sha512").update(seed.join("\n")).digest("base64");
  return hash.replace(/[^A-Za-z0-9]/g, "").slice(0, 37);
}

const currencyOf = (more: JsonObject, currency = "USD") => ({
  iso_currency_code: "unofficial_currency_code" in more ? null : currency,
  unofficial_currency_code: null,
});

/** A security; fields that are not named are null. */
export function security(name: string | null, more: JsonObject = {}): JsonObject & { readonly security_id: string } {
  return {
    security_id: plaidId("security", name ?? randomUUID()),
    isin: null,
    cusip: null,
    sedol: null,
    institution_security_id: null,
    institution_id: null,
    proxy_security_id: null,
    name,
    ticker_symbol: null,
    is_cash_equivalent: false,
    type: "equity",
    subtype: "common stock",
    close_price: null,
    close_price_as_of: null,
    update_datetime: null,
    ...currencyOf(more),
    market_identifier_code: null,
    sector: null,
    industry: null,
    cfi_code: null,
    option_contract: null,
    fixed_income: null,
    ...more,
  };
}

export type PlaidSecurity = ReturnType<typeof security>;

/** A transaction at the bank; `row` is as Plaid answers it, without ids. */
export interface PlaidBooking {
  readonly key: string;
  readonly date: string;
  readonly row: JsonObject;
}

export interface AccountOptions {
  readonly type?: string;
  readonly subtype?: string | null;
  readonly mask?: string | null;
  readonly official_name?: string | null;
  readonly currency?: string;
  /** Balances; `current` is the sum of the holdings where it is not set. */
  readonly balances?: JsonObject;
}

/** An account at the bank, before anybody has connected it. */
export class PlaidAccount {
  readonly key = randomUUID();
  readonly name: string;
  readonly type: string;
  readonly subtype: string | null;
  readonly currency: string;
  readonly bookings: PlaidBooking[] = [];
  readonly #options: AccountOptions;
  readonly #clock: () => Date;
  readonly #securities: Map<string, PlaidSecurity>;
  readonly #held = new Map<string, JsonObject>();

  constructor(
    name: string,
    options: AccountOptions,
    { clock, securities }: { clock: () => Date; securities: Map<string, PlaidSecurity> },
  ) {
    this.name = name;
    this.type = options.type ?? "investment";
    this.subtype = options.subtype === undefined ? "brokerage" : options.subtype;
    this.currency = options.currency ?? "USD";
    this.#options = options;
    this.#clock = clock;
    this.#securities = securities;
  }

  get #today(): string {
    return this.#clock().toISOString().slice(0, 10);
  }

  /** What is held of a security, as Plaid answers it; `more` has fields of the holding. */
  hold(of: PlaidSecurity, quantity: Figure, price: Figure, more: JsonObject = {}): void {
    this.#securities.set(of.security_id, of);
    const currency = { iso_currency_code: of.iso_currency_code, unofficial_currency_code: of.unofficial_currency_code };
    this.#held.set(of.security_id, {
      security_id: of.security_id,
      institution_price: new Exact(price),
      institution_price_as_of: this.#today,
      institution_price_datetime: null,
      institution_value: new Exact(times(quantity, price)),
      cost_basis: null,
      quantity: new Exact(quantity),
      ...currency,
      vested_quantity: null,
      vested_value: null,
      ...more,
    });
  }

  /** No longer held. */
  release(of: PlaidSecurity): void {
    this.#held.delete(of.security_id);
  }

  /** A transaction; `more` has fields of it, and `date` is today where it is not named. */
  book(type: string, subtype: string, amount: Figure, more: JsonObject & { readonly of?: PlaidSecurity } = {}): string {
    const { of, ...fields } = more;
    if (of) this.#securities.set(of.security_id, of);
    const date = typeof fields.date === "string" ? fields.date : this.#today;
    const key = randomUUID();
    this.bookings.push({
      key,
      date,
      row: {
        cancel_transaction_id: null,
        security_id: of?.security_id ?? null,
        date,
        transaction_datetime: null,
        name: `${subtype.toUpperCase()} ${String(of?.name ?? "CASH")}`,
        quantity: new Exact("0"),
        amount: new Exact(amount),
        price: new Exact("0"),
        fees: new Exact("0"),
        type,
        subtype,
        ...currencyOf(fields, this.currency),
        ...fields,
      },
    });
    return key;
  }

  /** Buys or sells: units, value and a holding of cash follow. Positive amounts leave the account; fees are not in them. */
  trade(side: "buy" | "sell", of: PlaidSecurity, quantity: Figure, price: Figure, fees: Figure = "0"): string {
    const signed = side === "buy" ? quantity : negative(quantity);
    const amount = times(signed, price);
    const before = this.#figureOf(of.security_id, "quantity");
    const after = plus(before, signed);
    const cost = plus(this.#figureOf(of.security_id, "cost_basis"), amount);
    if (after === "0") this.release(of);
    else this.hold(of, after, price, { cost_basis: new Exact(cost) });
    this.#pay(plus(amount, fees));
    return this.book(side, side, amount, {
      of,
      quantity: new Exact(signed),
      price: new Exact(price),
      fees: new Exact(fees),
    });
  }

  /** The bank takes a transaction back, as if it had not been. */
  cancel(key: string): void {
    const at = this.bookings.findIndex((each) => each.key === key);
    if (at === -1) throw new Error(`no booking ${key}`);
    this.bookings.splice(at, 1);
  }

  #figureOf(securityId: string, name: string): string {
    const held = this.#held.get(securityId)?.[name];
    return held instanceof Exact ? held.text : "0";
  }

  #pay(amount: Figure): void {
    const cash = [...this.#held.keys()]
      .map((id) => this.#securities.get(id))
      .find((of) => of?.type === "cash" && of.iso_currency_code === this.currency);
    if (cash) this.hold(cash, plus(this.#figureOf(cash.security_id, "quantity"), negative(amount)), "1");
  }

  /** The account and all of it, as it is now. */
  get state() {
    const holdings = [...this.#held.values()];
    const sum = holdings.reduce((total, { institution_value: value }) => {
      return plus(total, value instanceof Exact && !/e/i.test(value.text) ? value.text : "0");
    }, "0");
    return {
      holdings,
      bookings: [...this.bookings],
      account: {
        balances: {
          available: null,
          current: new Exact(sum),
          limit: null,
          ...currencyOf(this.#options.balances ?? {}, this.currency),
          margin_loan_amount: null,
          ...this.#options.balances,
        },
        mask: this.#options.mask === undefined ? this.key.slice(-4) : this.#options.mask,
        name: this.name,
        official_name: this.#options.official_name ?? null,
        subtype: this.subtype,
        type: this.type,
      },
    };
  }
}

/** A person's access to the online banking of an institution. */
export class PlaidLogin {
  readonly institution: PlaidInstitution;
  readonly username: string;
  password: string;
  /** Asked for after the password; null if it is not. */
  code: string | null;
  readonly accounts: PlaidAccount[] = [];
  readonly #surroundings: { clock: () => Date; securities: Map<string, PlaidSecurity> };

  constructor(
    institution: PlaidInstitution,
    username: string,
    options: { readonly password?: string; readonly code?: string | null },
    surroundings: { clock: () => Date; securities: Map<string, PlaidSecurity> },
  ) {
    this.institution = institution;
    this.username = username;
    this.password = options.password ?? "pass_good";
    this.code = options.code ?? null;
    this.#surroundings = surroundings;
  }

  open(name: string, options: AccountOptions = {}): PlaidAccount {
    const account = new PlaidAccount(name, options, this.#surroundings);
    this.accounts.push(account);
    return account;
  }

  close(account: PlaidAccount): void {
    this.accounts.splice(this.accounts.indexOf(account), 1);
  }
}
