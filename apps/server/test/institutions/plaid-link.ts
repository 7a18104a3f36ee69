import { randomUUID } from "node:crypto";
import type { InstitutionRequest, Reply } from "../../../../packages/provider-kit/test/stand-in/institution.js";
import type { JsonObject } from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import type { PlaidAccount, PlaidInstitution, PlaidLogin } from "./plaid-bank.js";
import { PlaidRefusal } from "./plaid-errors.js";
import type { PlaidItem } from "./plaid-items.js";
import { type LinkBank, LinkSession, type LinkToken, type Wanted } from "./plaid-session.js";

const MINUTE = 60_000;
const SIX_HOURS = 6 * 60 * MINUTE;
const DAYS_21 = 21 * 24 * 60 * 60;
/** "The `public_token` is ephemeral and expires after 30 minutes." */
const PUBLIC_TOKEN_MS = 30 * MINUTE;

interface PublicToken {
  readonly item: PlaidItem;
  readonly until: number;
}

/** What Link needs of the rest of Plaid. */
export interface LinkSurroundings extends LinkBank {
  readonly url: () => string;
  itemOf(accessToken: string): PlaidItem;
  /** Products that the application is not enabled for. */
  unauthorized(products: readonly string[]): readonly string[];
  findInstitution(id: string): PlaidInstitution | undefined;
  add(login: PlaidLogin, accounts: readonly PlaidAccount[], token: LinkToken): PlaidItem;
}

/** Link tokens, Hosted Link's pages, and public tokens. */
export class PlaidLink {
  readonly tokens: LinkToken[] = [];
  /** Whether update mode ends with a public token, as it does in browsers; Hosted Link's pages do not say. */
  givesTokenOfUpdate = false;
  readonly #around: LinkSurroundings;
  readonly #redirectUris = new Set<string>();
  readonly #publicTokens = new Map<string, PublicToken>();

  constructor(around: LinkSurroundings) {
    this.#around = around;
  }

  /** Allows an address as `redirect_uri`, as the dashboard does; that of Hosted Link's completion needs no leave. */
  register(uri: string): void {
    this.#redirectUris.add(uri);
  }

  create(body: JsonObject): JsonObject {
    const wanted = body as unknown as Wanted;
    this.#check(wanted);
    const { hosted_link: hosted, access_token: accessToken } = wanted;
    const item = accessToken ? this.#around.itemOf(accessToken) : null;
    const now = this.#around.clock();
    const lifetime = hosted ? (hosted.url_lifetime_seconds ?? 1800) * 1000 : item ? 30 * MINUTE : 4 * 60 * MINUTE;
    const token: LinkToken = {
      link_token: `link-${this.#around.environment}-${randomUUID()}`,
      created_at: now,
      expiration: new Date(now.getTime() + lifetime),
      wanted,
      item,
      isHosted: hosted !== undefined,
      sessions: [],
    };
    this.tokens.push(token);
    return {
      link_token: token.link_token,
      expiration: token.expiration.toISOString(),
      ...(hosted && { hosted_link_url: `${this.#around.url()}/hl/${token.link_token}` }),
    };
  }

  #check(wanted: Wanted): void {
    const { hosted_link: hosted, access_token: accessToken, redirect_uri: redirectUri } = wanted;
    if (!wanted.user && !wanted.user_id) throw new PlaidRefusal("MISSING_FIELDS", { message: "user" });
    const item = accessToken ? this.#around.itemOf(accessToken) : null;
    if (item?.error?.error_code === "USER_PERMISSION_REVOKED" && !item.isRestorable)
      throw new PlaidRefusal("USER_PERMISSION_REVOKED");
    const products = wanted.products ?? [];
    if (!item && products.length === 0) throw new PlaidRefusal("MISSING_FIELDS", { message: "products" });
    if (item && products.length > 0) throw invalid("products should be omitted in update mode");
    if (wanted.country_codes.length === 0) throw invalid("country_codes must not be empty");
    const seconds = hosted?.url_lifetime_seconds;
    if (seconds !== undefined && !(seconds >= 1 && seconds <= DAYS_21))
      throw invalid("hosted_link.url_lifetime_seconds must be positive and at most 21 days");
    if (hosted?.completion_redirect_uri !== undefined && !URL.canParse(hosted.completion_redirect_uri))
      throw invalid("hosted_link.completion_redirect_uri must be a URI");
    if (wanted.institution_id && !this.#around.findInstitution(wanted.institution_id))
      throw new PlaidRefusal("INVALID_INSTITUTION");
    const completion = hosted?.completion_redirect_uri;
    if (hosted?.is_mobile_app && !(redirectUri && completion))
      throw invalid(
        "redirect_uri and hosted_link.completion_redirect_uri must be set when hosted_link.is_mobile_app is set to true",
      );
    if (redirectUri !== undefined && !this.#redirectUris.has(redirectUri))
      throw invalid("OAuth redirect URI must be configured in the developer dashboard");
    const foreign = this.#around.unauthorized(products);
    if (foreign.length > 0) {
      const message = `client is not authorized to access the following products: ${JSON.stringify(foreign)}`;
      throw new PlaidRefusal("INVALID_PRODUCT", { message });
    }
  }

  /** The answer of `/link/token/get`; sessions are in it until six hours after their end. */
  get(linkToken: string): JsonObject {
    const token = this.tokens.find((each) => each.link_token === linkToken);
    if (!token) throw new PlaidRefusal("INVALID_LINK_TOKEN");
    const { wanted } = token;
    const since = this.#around.clock().getTime() - SIX_HOURS;
    return {
      link_token: token.link_token,
      created_at: token.created_at.toISOString(),
      expiration: token.expiration.toISOString(),
      link_sessions: token.sessions
        .filter(({ finished_at: end }) => end === null || end.getTime() > since)
        .map((session) => session.answer),
      metadata: {
        initial_products: wanted.products ?? [],
        webhook: wanted.webhook ?? null,
        country_codes: wanted.country_codes,
        language: wanted.language,
        redirect_uri: wanted.redirect_uri ?? null,
        client_name: wanted.client_name,
        account_filters: wanted.account_filters,
      },
    };
  }

  /** A public token for an item, good once and for 30 minutes. */
  publicToken(item: PlaidItem): string {
    const token = `public-${this.#around.environment}-${randomUUID()}`;
    this.#publicTokens.set(token, { item, until: this.#around.clock().getTime() + PUBLIC_TOKEN_MS });
    return token;
  }

  exchange(publicToken: string): JsonObject {
    const found = this.#publicTokens.get(publicToken);
    this.#publicTokens.delete(publicToken);
    if (!found || found.item.isRemoved) throw new PlaidRefusal("INVALID_PUBLIC_TOKEN");
    if (found.until <= this.#around.clock().getTime()) {
      const message =
        "provided public token is expired. Public tokens expire 30 minutes after creation at which point they can no longer be exchanged";
      throw new PlaidRefusal("INVALID_PUBLIC_TOKEN", { message });
    }
    return { access_token: found.item.access_token, item_id: found.item.item_id };
  }

  /** Hosted Link: each visit of its address begins a session, which goes on at an address of its own. */
  page({ method, path, body }: InstitutionRequest): Reply {
    const [, , linkToken = "", sessionId] = path.split("/");
    const token = this.tokens.find((each) => each.link_token === linkToken && each.isHosted);
    if (!token) return LinkSession.gone(404);
    if (sessionId === undefined) {
      if (token.expiration <= this.#around.clock()) return LinkSession.gone(410);
      const session = new LinkSession(token, this.#around, {
        add: (login, accounts) => {
          const item = this.#around.add(login, accounts, token);
          return { item, publicToken: this.publicToken(item) };
        },
        updated: (item) => (this.givesTokenOfUpdate ? this.publicToken(item) : null),
        institution: token.wanted.institution_id
          ? (this.#around.findInstitution(token.wanted.institution_id) ?? null)
          : null,
      });
      token.sessions.push(session);
      return { status: 303, headers: { location: `${path}/${session.link_session_id}` } };
    }
    const session = token.sessions.find((each) => each.link_session_id === sessionId);
    if (!session) return LinkSession.gone(404);
    if (method === "GET") return session.show();
    if (token.expiration <= this.#around.clock() && !session.finished_at) return LinkSession.gone(410);
    return session.act(new URLSearchParams(body));
  }
}

const invalid = (message: string) => new PlaidRefusal("INVALID_FIELD", { message });
