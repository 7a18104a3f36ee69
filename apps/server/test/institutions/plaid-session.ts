import { randomUUID } from "node:crypto";
import type { Reply } from "../../../../packages/provider-kit/test/stand-in/institution.js";
import type { JsonObject } from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import type { PlaidAccount, PlaidInstitution, PlaidLogin } from "./plaid-bank.js";
import { type PlaidErrorCode, plaidError, requestId } from "./plaid-errors.js";
import type { PlaidItem } from "./plaid-items.js";
import { pages } from "./plaid-pages.js";
import type { PlaidWebhooks } from "./plaid-webhooks.js";

/** The request of `/link/token/create`, after it has been held against its shape. */
export interface Wanted {
  readonly client_name: string;
  readonly language: string;
  readonly country_codes: readonly string[];
  readonly user?: { readonly client_user_id: string };
  readonly user_id?: string;
  readonly products?: readonly string[] | null;
  readonly required_if_supported_products?: readonly string[] | null;
  readonly optional_products?: readonly string[] | null;
  readonly additional_consented_products?: readonly string[] | null;
  readonly webhook?: string;
  readonly access_token?: string | null;
  readonly redirect_uri?: string;
  readonly institution_id?: string;
  readonly account_filters?: Readonly<Record<string, { readonly account_subtypes: readonly string[] }>>;
  readonly update?: { readonly account_selection_enabled?: boolean };
  readonly hosted_link?: {
    readonly completion_redirect_uri?: string;
    readonly url_lifetime_seconds?: number;
    readonly is_mobile_app?: boolean;
  };
}

/** A link token, and what came of it. */
export interface LinkToken {
  readonly link_token: string;
  readonly created_at: Date;
  readonly expiration: Date;
  readonly wanted: Wanted;
  /** The item that update mode is for. */
  readonly item: PlaidItem | null;
  readonly isHosted: boolean;
  readonly sessions: LinkSession[];
}

export interface LinkBank {
  readonly clock: () => Date;
  readonly environment: "sandbox" | "production";
  readonly webhooks: PlaidWebhooks;
  /** Institutions that Link shows for the token's countries and products. */
  search(words: string, token: LinkToken): readonly PlaidInstitution[];
  login(institution: PlaidInstitution, username: string): PlaidLogin | undefined;
}

/** What a session does when it ends well. */
interface Outcome {
  add(login: PlaidLogin, accounts: readonly PlaidAccount[]): { readonly item: PlaidItem; readonly publicToken: string };
  /** A public token, or none. */
  updated(item: PlaidItem): string | null;
  readonly institution: PlaidInstitution | null;
}

type View = "institutions" | "credentials" | "code" | "accounts" | "failed" | "finished";

/** Where a person was who left, in the words of `exit.metadata.status`. */
const exitStatus: Readonly<Record<View, string>> = {
  institutions: "requires_credentials",
  credentials: "requires_credentials",
  code: "requires_code",
  accounts: "requires_account_selection",
  failed: "requires_credentials",
  finished: "requires_credentials",
};
const viewNames: Readonly<Record<View, string>> = {
  institutions: "SELECT_INSTITUTION",
  credentials: "CREDENTIAL",
  code: "MFA",
  accounts: "SELECT_ACCOUNT",
  failed: "ERROR",
  finished: "CONNECTED",
};

/** Institutions on a page; the others are found by a search. */
const SHOWN = 50;

/** One visit of a person to Hosted Link. */
export class LinkSession {
  readonly link_session_id = randomUUID();
  readonly started_at: Date;
  finished_at: Date | null = null;
  readonly #token: LinkToken;
  readonly #bank: LinkBank;
  readonly #outcome: Outcome;
  readonly #events: JsonObject[] = [];
  #view: View = "institutions";
  #institution: PlaidInstitution | null;
  #login: PlaidLogin | null = null;
  #error: JsonObject | null = null;
  #exit: JsonObject | null = null;
  #added: JsonObject[] = [];
  #publicTokens: string[] = [];
  #search = "";

  constructor(token: LinkToken, bank: LinkBank, outcome: Outcome) {
    this.#token = token;
    this.#bank = bank;
    this.#outcome = outcome;
    this.started_at = bank.clock();
    this.#institution = token.item?.institution ?? outcome.institution;
    this.#event("OPEN");
    if (this.#institution) this.#choose(this.#institution);
    else this.#go("institutions");
  }

  static gone(status: number): Reply {
    return html(status, pages.gone());
  }

  show(): Reply {
    const institution = this.#institution;
    const message = String(this.#error?.display_message ?? this.#error?.error_message ?? "");
    if (this.#view === "finished") return html(200, pages.finished());
    if (!institution || this.#view === "institutions") {
      const { client_name: name } = this.#token.wanted;
      const shown = name.length > 30 ? "This Application" : name;
      const found = this.#bank.search(this.#search, this.#token).slice(0, SHOWN);
      return html(200, pages.institutions(shown, found, this.#search));
    }
    if (this.#view === "failed") return html(200, pages.failed(institution, message));
    if (this.#view === "code") return html(200, pages.code(institution, message));
    if (this.#view === "credentials") return html(200, pages.credentials(institution, message));
    const chosen = this.#token.item ? [...this.#token.item.accounts.values()] : [];
    const accounts = this.#choosable.map((account) => ({
      key: account.key,
      name: account.name,
      isChosen: chosen.includes(account),
    }));
    return html(200, pages.accounts(institution, accounts, message));
  }

  act(form: URLSearchParams): Reply {
    if (this.finished_at) return this.#back();
    const [action, id] = [form.get("action"), form.get("institution_id")];
    if (action === "exit") return this.#leave();
    this.#error = null;
    if (this.#view === "institutions" && id !== null) {
      const found = this.#bank.search("", this.#token).find((each) => each.institution_id === id);
      if (found) this.#choose(found);
    } else if (this.#view === "institutions") {
      this.#search = form.get("search") ?? "";
      this.#event("SEARCH_INSTITUTION", { institution_search_query: this.#search });
    } else if (this.#view === "credentials") this.#submitCredentials(form);
    else if (this.#view === "code") this.#submitCode(form);
    else if (this.#view === "accounts") return this.#submitAccounts(form.getAll("account"));
    return this.#here();
  }

  /** The page was closed; "the webhook will be fired 5-15 minutes after the last user interaction". */
  abandon(): void {
    this.#announce("EVENTS", { events: this.#events });
  }

  /** As in `link_sessions`. */
  get answer(): JsonObject {
    return {
      link_session_id: this.link_session_id,
      started_at: this.started_at.toISOString(),
      finished_at: this.finished_at?.toISOString() ?? null,
      exit: this.#exit,
      // The example has the latest event first.
      events: this.#events.toReversed(),
      results: this.finished_at
        ? {
            item_add_results: this.#added,
            cra_item_add_results: [],
            cra_update_results: [],
            bank_income_results: [],
            payroll_income_results: [],
            document_income_results: null,
          }
        : null,
    };
  }

  /** "any account type for which a filter is not specified will be entirely omitted" */
  get #choosable(): readonly PlaidAccount[] {
    const { account_filters: filters } = this.#token.wanted;
    return (this.#login?.accounts ?? []).filter(({ type, subtype }) => {
      const shown = filters?.[type]?.account_subtypes ?? [];
      return filters === undefined || shown.includes("all") || shown.includes(subtype ?? "");
    });
  }

  #choose(institution: PlaidInstitution): void {
    this.#institution = institution;
    this.#event("SELECT_INSTITUTION");
    if (institution.health === "DOWN") this.#refuse("INSTITUTION_DOWN", "failed");
    else {
      if (institution.oauth) this.#event("OPEN_OAUTH");
      this.#go("credentials");
    }
  }

  #submitCredentials(form: URLSearchParams): void {
    this.#event("SUBMIT_CREDENTIALS");
    const username = form.get("username") ?? "";
    const found = this.#institution && this.#bank.login(this.#institution, username);
    const expected = this.#token.item?.login;
    if (expected && username !== expected.username) this.#refuse("INVALID_UPDATED_USERNAME", "credentials");
    else if (found?.password === form.get("password")) {
      this.#login = found;
      if (found.code === null) this.#signedIn();
      else this.#go("code", { mfa_type: "code" });
    } else this.#refuse("INVALID_CREDENTIALS", "credentials");
  }

  #submitCode(form: URLSearchParams): void {
    this.#event("SUBMIT_MFA", { mfa_type: "code" });
    if (form.get("code") === this.#login?.code) this.#signedIn();
    else this.#refuse("INVALID_MFA", "code");
  }

  #signedIn(): void {
    const { item, wanted } = this.#token;
    const isSelecting = !item || wanted.update?.account_selection_enabled || item.institution.oauth;
    if (!this.#hasWanted(this.#choosable)) this.#refuse("NO_INVESTMENT_ACCOUNTS", "failed");
    else if (isSelecting) this.#go("accounts");
    else this.#finish([...item.accounts.values()]);
  }

  /** "the Item connected by the user must contain at least one compatible account" */
  #hasWanted(accounts: readonly PlaidAccount[]): boolean {
    const isWanted = this.#token.wanted.products?.includes("investments") ?? false;
    return !isWanted || accounts.some(({ type }) => type === "investment");
  }

  #submitAccounts(keys: readonly string[]): Reply {
    const chosen = this.#choosable.filter(({ key }) => keys.includes(key));
    if (chosen.length > 0 && this.#hasWanted(chosen)) {
      this.#finish(chosen);
      return this.#back();
    }
    this.#refuse(chosen.length > 0 ? "NO_INVESTMENT_ACCOUNTS" : "ACCESS_NOT_GRANTED", "accounts");
    return this.#here();
  }

  #finish(accounts: readonly PlaidAccount[]): void {
    const login = this.#login;
    if (!login) throw new Error("nobody has signed in");
    const { item: old } = this.#token;
    old?.restored(accounts);
    const done = old ? { item: old, publicToken: this.#outcome.updated(old) } : this.#outcome.add(login, accounts);
    const { item, publicToken: public_token } = done;
    const { name, institution_id } = login.institution;
    if (login.institution.oauth) this.#event("CLOSE_OAUTH");
    this.#go("finished");
    this.#event("HANDOFF");
    this.finished_at = this.#bank.clock();
    if (public_token !== null) {
      this.#publicTokens = [public_token];
      const shared = accounts.map((account) => {
        const { mask, name, subtype, type } = account.state.account;
        return { id: item.idOf(account), name, mask, type, subtype, verification_status: null, class_type: null };
      });
      this.#added = [{ public_token, accounts: shared, institution: { name, institution_id } }];
      if (!old) this.#announce("ITEM_ADD_RESULT", { public_token });
    }
    this.#end("SUCCESS");
  }

  #leave(): Reply {
    const error = this.#error;
    const status = this.#institution?.oauth && this.#view === "credentials" ? "requires_oauth" : exitStatus[this.#view];
    const isUnfound = this.#view === "institutions" && this.#bank.search(this.#search, this.#token).length === 0;
    const exit_status = isUnfound ? "institution_not_found" : status;
    const codes = error && {
      error_type: String(error.error_type),
      error_code: String(error.error_code),
      error_message: String(error.error_message),
    };
    this.#event("EXIT", { exit_status, ...codes });
    this.finished_at = this.#bank.clock();
    this.#view = "finished";
    this.#exit = {
      error,
      metadata: {
        institution: this.#institution && {
          name: this.#institution.name,
          institution_id: this.#institution.institution_id,
        },
        status: exit_status,
        link_session_id: this.link_session_id,
        request_id: requestId(),
      },
    };
    this.#end("EXITED");
    return this.#back();
  }

  #end(status: "SUCCESS" | "EXITED"): void {
    this.#announce("SESSION_FINISHED", { status, public_tokens: this.#publicTokens });
    this.#announce("EVENTS", { events: this.#events });
  }

  #announce(webhook_code: string, more: JsonObject): void {
    const { wanted, link_token } = this.#token;
    this.#bank.webhooks.announce(wanted.webhook ?? null, {
      webhook_type: "LINK",
      webhook_code,
      link_session_id: this.link_session_id,
      link_token,
      ...more,
      // The schema of EVENTS is the only one without the environment.
      ...(webhook_code !== "EVENTS" && { environment: this.#bank.environment }),
    });
  }

  #refuse(code: PlaidErrorCode, view: View): void {
    this.#error = plaidError(code);
    const { error_type, error_code, error_message } = this.#error;
    this.#event("ERROR", { error_type, error_code, error_message });
    this.#go(view);
  }

  #go(view: View, more: JsonObject = {}): void {
    this.#view = view;
    this.#event("TRANSITION_VIEW", { view_name: viewNames[view], ...more });
  }

  #event(event_name: string, more: JsonObject = {}): void {
    const of = this.#institution;
    this.#events.push({
      event_id: randomUUID(),
      event_metadata: {
        ...(of && { institution_id: of.institution_id, institution_name: of.name }),
        request_id: requestId(),
        ...more,
      },
      event_name,
      timestamp: this.#bank.clock().toISOString(),
    });
  }

  #here(): Reply {
    return {
      status: 303,
      headers: { location: `/hl/${this.#token.link_token}/${this.link_session_id}` },
    };
  }

  /** Where the application wanted the person, with nothing added to the address. */
  #back(): Reply {
    const uri = this.#token.wanted.hosted_link?.completion_redirect_uri;
    return uri ? { status: 303, headers: { location: uri } } : this.#here();
  }
}

function html(status: number, body: string): Reply {
  return { status, headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" }, body };
}
