import { randomUUID } from "node:crypto";
import { exactJson, type JsonObject } from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import {
  type PlaidAccount,
  type PlaidInstitution,
  type PlaidLogin,
  type PlaidSecurity,
  plaidId,
} from "./plaid-bank.js";
import { type PlaidErrorCode, PlaidRefusal, plaidError, statusOf } from "./plaid-errors.js";
import type { PlaidWebhooks } from "./plaid-webhooks.js";

const DAY = 86_400_000;
/** In the Sandbox items want a login again after so many days. */
const SANDBOX_DAYS = 30;
/** Webhooks tell of an end this many days before. */
const NOTICE_DAYS = 7;

/** How far the first extraction of an item is: done, waited for by requests, or refused with PRODUCT_NOT_READY. */
export type Extraction = "done" | "waiting" | "not_ready";

export interface ItemSurroundings {
  readonly clock: () => Date;
  readonly environment: "sandbox" | "production";
  readonly webhooks: PlaidWebhooks;
  readonly securities: ReadonlyMap<string, PlaidSecurity>;
}

export interface ItemStart {
  readonly login: PlaidLogin;
  readonly accounts: readonly PlaidAccount[];
  /** Products that were asked for, then those that the person has consented to beside them. */
  readonly products: readonly string[];
  readonly consented: readonly string[];
  readonly webhook: string | null;
  readonly extraction: Extraction;
}

type Seen = ReadonlyMap<PlaidAccount, PlaidAccount["state"]>;

/** One connection of a person's login to an application. */
export class PlaidItem {
  readonly item_id = plaidId("item", randomUUID());
  readonly login: PlaidLogin;
  readonly products: string[];
  readonly consented: readonly string[];
  readonly created_at: Date;
  access_token: string;
  webhook: string | null;
  error: JsonObject | null = null;
  isRemoved = false;
  /** Whether update mode may begin after the person has revoked permission. */
  isRestorable = true;
  consent_expiration_time: Date | null = null;
  #disconnect: { readonly at: Date; readonly isSilent: boolean } | null = null;
  #hasNotice = false;
  #chosen: readonly PlaidAccount[];
  #seen: Seen = new Map();
  #extraction: Extraction;
  readonly #waiting: (() => void)[] = [];
  #updates: { success: Date | null; failure: Date | null } = { success: null, failure: null };
  #lastWebhook: JsonObject | null = null;
  readonly #around: ItemSurroundings;

  constructor(start: ItemStart, around: ItemSurroundings) {
    this.#around = around;
    this.login = start.login;
    this.products = [...start.products];
    this.consented = [...start.products, ...start.consented];
    this.webhook = start.webhook;
    this.created_at = around.clock();
    this.access_token = `access-${around.environment}-${randomUUID()}`;
    this.#chosen = start.accounts;
    this.#extraction = this.products.includes("investments") ? start.extraction : "not_ready";
    if (this.#extraction === "done") this.#look();
    this.#renew();
  }

  get institution(): PlaidInstitution {
    return this.login.institution;
  }

  /** Accounts that the person shares and the bank still has, by their id in this item. */
  get accounts(): ReadonlyMap<string, PlaidAccount> {
    return new Map(
      this.login.accounts
        .filter((account) => this.#chosen.includes(account))
        .map((account) => [plaidId(this.item_id, account.key), account]),
    );
  }

  idOf(account: PlaidAccount): string {
    return plaidId(this.item_id, account.key);
  }

  /** What Plaid knew of an account at the last update. */
  seen(account: PlaidAccount): PlaidAccount["state"] {
    return this.#seen.get(account) ?? { ...account.state, holdings: [], bookings: [] };
  }

  /** Whether the first extraction has not ended. */
  get isExtracting(): boolean {
    return this.#extraction !== "done";
  }

  /** Waits for the first extraction, or refuses, as the item is to do. `isAsync` is `async_update`. */
  async ready(isAsync = false): Promise<void> {
    if (!this.isExtracting) return;
    if (!this.products.includes("investments")) {
      this.products.push("investments");
      if (!isAsync) this.#look();
    }
    if (!this.isExtracting) return;
    if (this.#extraction === "not_ready") throw new PlaidRefusal("PRODUCT_NOT_READY");
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** The first extraction has ended. */
  extracted(): void {
    this.#look();
    const transactions = [...this.#seen.values()].flatMap(({ bookings }) => bookings).length;
    this.tell("INVESTMENTS_TRANSACTIONS", "HISTORICAL_UPDATE", {
      error: null,
      new_investments_transactions: transactions,
      cancelled_investments_transactions: 0,
    });
  }

  /** Plaid asks the bank again; webhooks tell what is new. False if it could not. */
  update(): boolean {
    this.tick();
    if (this.error !== null || this.institution.health === "DOWN") {
      this.#updates.failure = this.#around.clock();
      return false;
    }
    const before = this.#facts();
    this.#look();
    const after = this.#facts();
    const added = (name: "holdings" | "bookings") => [...after[name]].filter(([key]) => !before[name].has(key));
    const gone = [...before.bookings].filter(([key]) => !after.bookings.has(key)).length;
    const changed = [...after.holdings].filter(([key, text]) => (before.holdings.get(key) ?? text) !== text).length;
    const holdings = added("holdings").length;
    const bookings = added("bookings").length;
    const isLess = [...before.holdings].some(([key]) => !after.holdings.has(key));
    if (holdings + changed > 0 || isLess)
      this.tell("HOLDINGS", "DEFAULT_UPDATE", { error: null, new_holdings: holdings, updated_holdings: changed });
    if (bookings + gone > 0)
      this.tell("INVESTMENTS_TRANSACTIONS", "DEFAULT_UPDATE", {
        error: null,
        new_investments_transactions: bookings,
        cancelled_investments_transactions: gone,
      });
    return true;
  }

  /** The bank wants the person again; with `reason` as banks with OAuth give it, such as `OAUTH_CONSENT_EXPIRED`. */
  requireLogin(reason?: string): void {
    this.fail("ITEM_LOGIN_REQUIRED", reason === undefined ? {} : { error_code_reason: reason });
  }

  /** An error that stays until it is repaired. */
  fail(code: PlaidErrorCode, more: JsonObject = {}): void {
    this.error = plaidError(code, more);
    this.tell("ITEM", "ERROR", { error: { ...this.error, status: statusOf(code) } });
  }

  /** The person repaired the login in another application. */
  repair(): void {
    this.error = null;
    this.tell("ITEM", "LOGIN_REPAIRED", {});
  }

  /** The item will be disconnected; the webhook of it is sent at once. */
  disconnectAt(at: Date, reason: "INSTITUTION_MIGRATION" | "INSTITUTION_TOKEN_EXPIRATION"): void {
    this.#disconnect = { at, isSilent: false };
    this.#hasNotice = true;
    this.tell("ITEM", "PENDING_DISCONNECT", { reason, disconnect_time: at.toISOString() });
  }

  /** The person takes the permission back. */
  revoke({ isRestorable = true }: { readonly isRestorable?: boolean } = {}): void {
    this.error = plaidError("USER_PERMISSION_REVOKED");
    this.isRestorable = isRestorable;
    const error = { ...this.error, error_type: "ITEM_ERROR", status: statusOf("USER_PERMISSION_REVOKED") };
    this.tell("ITEM", "USER_PERMISSION_REVOKED", { error });
  }

  /** The person no longer shares an account. */
  revokeAccount(account: PlaidAccount): void {
    this.#chosen = this.#chosen.filter((each) => each !== account);
    this.tell("ITEM", "USER_ACCOUNT_REVOKED", { account_id: this.idOf(account) });
  }

  /** Plaid has seen an account that is not shared yet. */
  newAccounts(): void {
    this.tell("ITEM", "NEW_ACCOUNTS_AVAILABLE", { error: null });
  }

  /** Update mode has gone well. */
  restored(accounts?: readonly PlaidAccount[]): void {
    if (accounts) this.#chosen = accounts;
    this.error = null;
    this.#renew();
    this.update();
  }

  remove(): void {
    this.isRemoved = true;
    this.access_token = "";
  }

  invalidate(): string {
    this.access_token = `access-${this.#around.environment}-${randomUUID()}`;
    return this.access_token;
  }

  /** What the time brings: notices of an end, and the end. */
  tick(): void {
    const now = this.#around.clock().getTime();
    const end = this.#disconnect;
    if (!end || this.isRemoved) return;
    if (!this.#hasNotice && !end.isSilent && now >= end.at.getTime() - NOTICE_DAYS * DAY) this.#notice(end.at);
    if (now < end.at.getTime()) return;
    this.#disconnect = null;
    const isConsent = this.consent_expiration_time?.getTime() === end.at.getTime();
    if (this.error === null) this.requireLogin(isConsent ? "OAUTH_CONSENT_EXPIRED" : undefined);
  }

  /** "fired only for US or Canadian institutions", and the other one only in Europe. */
  #notice(at: Date): void {
    const isAmerican = this.institution.country_codes.some((code) => code === "US" || code === "CA");
    this.#hasNotice = true;
    if (isAmerican) this.disconnectAt(at, "INSTITUTION_TOKEN_EXPIRATION");
    else this.tell("ITEM", "PENDING_EXPIRATION", { consent_expiration_time: at.toISOString() });
  }

  #renew(): void {
    const now = this.#around.clock().getTime();
    const days = this.institution.consent_days;
    this.#hasNotice = false;
    this.consent_expiration_time = days === null ? null : new Date(now + days * DAY);
    const isSandbox = this.#around.environment === "sandbox";
    this.#disconnect = this.consent_expiration_time
      ? { at: this.consent_expiration_time, isSilent: false }
      : isSandbox
        ? { at: new Date(now + SANDBOX_DAYS * DAY), isSilent: true }
        : null;
  }

  #look(): void {
    this.#extraction = "done";
    for (const go of this.#waiting.splice(0)) go();
    this.#updates.success = this.#around.clock();
    this.#seen = new Map(this.login.accounts.map((account) => [account, account.state]));
  }

  #facts(): { readonly holdings: ReadonlyMap<string, string>; readonly bookings: ReadonlyMap<string, string> } {
    const shared = [...this.accounts.values()];
    const states = [...this.#seen].filter(([account]) => shared.includes(account));
    return {
      holdings: new Map(
        states.flatMap(([{ key }, { holdings }]) =>
          holdings.map((each) => [`${key} ${String(each.security_id)}`, exactJson(each)] as const),
        ),
      ),
      bookings: new Map(states.flatMap(([, { bookings }]) => bookings.map((each) => [each.key, each.date] as const))),
    };
  }

  /** Sends a webhook of this item to the address that the item has. */
  tell(webhook_type: string, webhook_code: string, more: JsonObject): void {
    const { clock, environment, webhooks } = this.#around;
    if (this.webhook === null || this.isRemoved) return;
    this.#lastWebhook = { sent_at: clock().toISOString(), code_sent: webhook_code };
    webhooks.announce(this.webhook, { webhook_type, webhook_code, item_id: this.item_id, ...more, environment });
  }

  /** The schema `Item`. */
  get answer(): JsonObject {
    const { institution } = this;
    const available = institution.products.filter((product) => !this.products.includes(product));
    return {
      available_products: available,
      billed_products: this.products,
      consent_expiration_time: this.consent_expiration_time?.toISOString() ?? null,
      consented_products: this.consented,
      error: null,
      institution_id: institution.institution_id,
      institution_name: institution.name,
      item_id: this.item_id,
      products: this.products,
      update_type: "background",
      webhook: this.webhook,
      auth_method: null,
    };
  }

  /** The answer of `/item/get`, the only one with the item's error. */
  get status(): JsonObject {
    const { success, failure } = this.#updates;
    return {
      item: { ...this.answer, error: this.error, created_at: this.created_at.toISOString() },
      status: {
        investments: {
          last_successful_update: success?.toISOString() ?? null,
          last_failed_update: failure?.toISOString() ?? null,
        },
        last_webhook: this.#lastWebhook,
      },
    };
  }

  securities(ids: readonly unknown[]): readonly JsonObject[] {
    return [...new Set(ids)].flatMap((id) => this.#around.securities.get(String(id)) ?? []);
  }
}
