import { type PlaidErrorCode, PlaidRefusal } from "./plaid-errors.js";

interface Limit {
  /** Requests a minute. */
  ofItem: number;
  ofClient: number;
  readonly code: PlaidErrorCode;
}

const NONE = Number.POSITIVE_INFINITY;
const MINUTE = 60_000;
type Limits = Readonly<Record<string, readonly [ofItem: number, ofClient: number, code: PlaidErrorCode]>>;

/** By plaid.com/docs/errors/rate-limit-exceeded; addresses without a number there are not limited. */
const production: Limits = {
  "/accounts/get": [15, 15_000, "ACCOUNTS_LIMIT"],
  "/institutions/get": [NONE, 50, "INSTITUTIONS_GET_LIMIT"],
  "/institutions/get_by_id": [NONE, 400, "INSTITUTIONS_GET_BY_ID_LIMIT"],
  "/investments/holdings/get": [15, 2000, "INVESTMENT_HOLDINGS_GET_LIMIT"],
  "/investments/transactions/get": [30, 20_000, "INVESTMENT_TRANSACTIONS_LIMIT"],
  "/item/get": [15, 5000, "ITEM_GET_LIMIT"],
  "/item/remove": [30, 2000, "RATE_LIMIT"],
};
const sandbox: Limits = {
  ...production,
  "/accounts/get": [100, 5000, "ACCOUNTS_LIMIT"],
  "/institutions/get": [NONE, 10, "INSTITUTIONS_GET_LIMIT"],
  "/investments/holdings/get": [100, 1000, "INVESTMENT_HOLDINGS_GET_LIMIT"],
  "/investments/transactions/get": [100, 1000, "INVESTMENT_TRANSACTIONS_LIMIT"],
  "/item/get": [40, 5000, "ITEM_GET_LIMIT"],
};

/** Requests a minute, of each item and of the application. */
export class PlaidLimits {
  readonly #clock: () => Date;
  readonly #limits: Map<string, Limit>;
  readonly #windows = new Map<string, { readonly until: number; used: number }>();

  constructor(clock: () => Date, environment: "sandbox" | "production") {
    this.#clock = clock;
    this.#limits = new Map(
      Object.entries(environment === "sandbox" ? sandbox : production).map(([path, [ofItem, ofClient, code]]) => [
        path,
        { ofItem, ofClient, code },
      ]),
    );
  }

  allow(path: string, ofItem: number, ofClient = NONE): void {
    this.#limits.set(path, { code: "RATE_LIMIT", ...this.#limits.get(path), ofItem, ofClient });
    this.#windows.clear();
  }

  count(path: string, accessToken: string | null): void {
    const limit = this.#limits.get(path);
    if (!limit) return;
    const isOver =
      this.#isOver(`${path} client`, limit.ofClient) ||
      (accessToken !== null && this.#isOver(`${path} ${accessToken}`, limit.ofItem));
    if (isOver) throw new PlaidRefusal(limit.code);
  }

  #isOver(key: string, allowed: number): boolean {
    const now = this.#clock().getTime();
    const last = this.#windows.get(key);
    const window = last && last.until > now ? last : { until: now + MINUTE, used: 0 };
    this.#windows.set(key, window);
    window.used += 1;
    return window.used > allowed;
  }
}
