import { createHash, randomBytes } from "node:crypto";
import type { InstitutionRequest, Reply } from "../../../provider-kit/test/stand-in/institution.js";

/** A user of the bank, and the customers whose data they may share. */
export interface BankUser {
  readonly name: string;
  customers: readonly string[];
}

export interface AuthorizationOptions {
  readonly client_id: string;
  readonly client_secret: string;
  /** Compared as a whole (RFC 9700 §2.1). */
  readonly redirect_uris: readonly string[];
  readonly users: readonly BankUser[];
  /** The customers that the client may see with its own credentials. */
  readonly client_customers: readonly string[];
  readonly grants: readonly ("client_credentials" | "authorization_code")[];
  readonly access_seconds: number;
  readonly code_seconds: number;
  /** Whether a refresh token stays valid until the tokens that replace it are used, for clients that never got them. */
  readonly keeps_former: boolean;
  /** How long a customer's consent lasts, which token answers then state as `refresh_token_expires_in`; left out: for ever. */
  readonly consent_seconds?: number;
}

/** Something that a client did against the standards. */
export interface AuthorizationViolation {
  readonly rule:
    | "a code was sent twice"
    | "a refresh token was sent twice"
    | "a code came with another redirect_uri"
    | "a code came with a wrong verifier"
    | "parameters came in the query";
}

/** The rights of a valid access token. */
export interface Admission {
  readonly customers: readonly string[];
  readonly user: string | null;
}

interface Consent {
  readonly user: BankUser | null;
  isWithdrawn: boolean;
  refresh: string | null;
  /** The token that `refresh` replaced; null once its successors are used. */
  former: string | null;
  /** In milliseconds. */
  readonly ends_at: number;
}

interface Code {
  readonly consent: Consent;
  readonly redirect_uri: string;
  readonly challenge: string;
  readonly expires_at: number;
  isSpent: boolean;
}

interface Ask {
  readonly redirect_uri: string;
  readonly state: string;
  readonly challenge: string;
}

/** The bank's authorization server: OAuth 2.0 with PKCE (RFC 6749, 7636), rotating refresh tokens (RFC 9700), revocation (RFC 7009). */
export class AuthorizationServer {
  readonly violations: AuthorizationViolation[] = [];
  /** The number of answers per grant type, including refusals. */
  readonly asked = { client_credentials: 0, authorization_code: 0, refresh_token: 0, revoked: 0 };
  readonly #options: AuthorizationOptions;
  readonly #asks = new Map<string, Ask>();
  readonly #codes = new Map<string, Code>();
  readonly #access = new Map<
    string,
    { readonly consent: Consent; readonly refresh: string | null; expires_at: number }
  >();
  readonly #refresh = new Map<string, Consent>();
  #accessSeconds: number;

  constructor(options: AuthorizationOptions) {
    this.#options = options;
    this.#accessSeconds = options.access_seconds;
  }

  /** How long access tokens issued from now on are valid. */
  set accessSeconds(seconds: number) {
    this.#accessSeconds = seconds;
  }

  /** Null if the request is not for the authorization server. */
  answer(request: InstitutionRequest): Reply | null {
    if (request.path === "/oauth/authorize") return this.#authorize(request);
    if (request.path === "/oauth/decide") return this.#decide(request);
    if (request.path === "/oauth/token") return this.#token(request);
    if (request.path === "/oauth/revoke") return this.#revoke(request);
    return null;
  }

  admit(authorization: string | undefined, at: Date): Admission | "missing" | "invalid" | "expired" {
    const [, token] = /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization ?? "") ?? [];
    if (!token) return "missing";
    const found = this.#access.get(token);
    if (!found || found.consent.isWithdrawn) return "invalid";
    if (Math.min(found.expires_at, found.consent.ends_at) <= at.getTime()) return "expired";
    const { user, refresh } = found.consent;
    if (found.refresh === refresh) found.consent.former = null;
    return { customers: user?.customers ?? this.#options.client_customers, user: user?.name ?? null };
  }

  /** The user withdraws the consent at the bank; null for the client's own access. */
  withdraw(user: string | null): void {
    for (const { consent } of this.#access.values())
      if ((consent.user?.name ?? null) === user) consent.isWithdrawn = true;
    for (const consent of this.#refresh.values()) if ((consent.user?.name ?? null) === user) consent.isWithdrawn = true;
  }

  /** Expires all access tokens; refresh tokens stay valid. */
  expireAccess(): void {
    for (const token of this.#access.values()) token.expires_at = 0;
  }

  /** Whether a user has any valid access or refresh token. `at` is a time in milliseconds, by which consents have ended. */
  isOpen(user: string | null, at = 0): boolean {
    const consents = [...this.#access.values()].map(({ consent }) => consent).concat([...this.#refresh.values()]);
    return consents.some(
      ({ user: of, isWithdrawn, ends_at }) => (of?.name ?? null) === user && !isWithdrawn && ends_at > at,
    );
  }

  #authorize({ method, query }: InstitutionRequest): Reply {
    if (method !== "GET") return page(405, "<h1>Method not allowed</h1>");
    const redirectUri = query.get("redirect_uri") ?? "";
    if (query.get("client_id") !== this.#options.client_id) return page(400, "<h1>Unknown client</h1>");
    if (!this.#options.redirect_uris.includes(redirectUri)) return page(400, "<h1>Unknown redirect address</h1>");
    const state = query.get("state") ?? "";
    const challenge = query.get("code_challenge") ?? "";
    const isWhole = query.get("response_type") === "code" && /^[\w-]{43}$/.test(challenge);
    if (!isWhole || query.get("code_challenge_method") !== "S256")
      return back(redirectUri, { error: "invalid_request", state });
    if (!this.#options.grants.includes("authorization_code"))
      return back(redirectUri, { error: "unauthorized_client", state });
    const id = randomBytes(16).toString("hex");
    this.#asks.set(id, { redirect_uri: redirectUri, state, challenge });
    const users = this.#options.users.map(({ name }) => `<option>${name}</option>`).join("");
    return page(
      200,
      `<h1>Bank of the stand-in</h1><p>A client wants to read your accounts.</p>
<form method="post" action="/oauth/decide"><input type="hidden" name="request" value="${id}">
<label>User <select name="user">${users}</select></label>
<button name="decision" value="approve">Approve</button> <button name="decision" value="decline">Decline</button></form>`,
    );
  }

  #decide(request: InstitutionRequest): Reply {
    const form = new URLSearchParams(request.body);
    const id = form.get("request") ?? "";
    const ask = this.#asks.get(id);
    const user = this.#options.users.find(({ name }) => name === form.get("user"));
    if (request.method !== "POST" || !ask || !user) return page(400, "<h1>This request has ended</h1>");
    this.#asks.delete(id);
    if (form.get("decision") !== "approve") {
      return back(ask.redirect_uri, {
        error: "access_denied",
        error_description: "The user said no",
        state: ask.state,
      });
    }
    const code = randomBytes(24).toString("base64url");
    const { code_seconds: codeSeconds, consent_seconds: consentSeconds = Number.POSITIVE_INFINITY } = this.#options;
    const ends_at = request.at.getTime() + consentSeconds * 1_000;
    this.#codes.set(code, {
      consent: { user, isWithdrawn: false, refresh: null, former: null, ends_at },
      redirect_uri: ask.redirect_uri,
      challenge: ask.challenge,
      expires_at: request.at.getTime() + codeSeconds * 1_000,
      isSpent: false,
    });
    return back(ask.redirect_uri, { code, state: ask.state });
  }

  #token(request: InstitutionRequest): Reply {
    if (request.method !== "POST") return json(405, { error: "invalid_request" });
    if ([...request.query.keys()].length > 0) this.violations.push({ rule: "parameters came in the query" });
    const form = new URLSearchParams(request.body);
    const grant = form.get("grant_type");
    if (grant !== "client_credentials" && grant !== "authorization_code" && grant !== "refresh_token") {
      return json(400, { error: "unsupported_grant_type" });
    }
    this.asked[grant] += 1;
    if (!this.#isClient(request, form)) {
      return json(401, { error: "invalid_client" }, { "www-authenticate": 'Basic realm="bank"' });
    }
    if (grant !== "refresh_token" && !this.#options.grants.includes(grant))
      return json(400, { error: "unauthorized_client" });
    if (grant === "client_credentials")
      return this.#issue(
        { user: null, isWithdrawn: false, refresh: null, former: null, ends_at: Number.POSITIVE_INFINITY },
        request.at,
        false,
      );
    return grant === "authorization_code" ? this.#redeem(form, request.at) : this.#renew(form, request.at);
  }

  #redeem(form: URLSearchParams, at: Date): Reply {
    const code = this.#codes.get(form.get("code") ?? "");
    const invalid = json(400, { error: "invalid_grant", error_description: "The code does not hold" });
    if (!code) return invalid;
    if (code.isSpent) {
      // RFC 6749 §4.1.2: tokens issued for the code are revoked.
      this.violations.push({ rule: "a code was sent twice" });
      code.consent.isWithdrawn = true;
      return invalid;
    }
    code.isSpent = true;
    if (code.expires_at <= at.getTime()) return invalid;
    if (form.get("redirect_uri") !== code.redirect_uri) {
      this.violations.push({ rule: "a code came with another redirect_uri" });
      return invalid;
    }
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (challenge !== code.challenge) {
      this.violations.push({ rule: "a code came with a wrong verifier" });
      return invalid;
    }
    return this.#issue(code.consent, at, true);
  }

  #renew(form: URLSearchParams, at: Date): Reply {
    const token = form.get("refresh_token") ?? "";
    const consent = this.#refresh.get(token);
    const invalid = json(400, { error: "invalid_grant", error_description: "The refresh token does not hold" });
    if (!consent || consent.isWithdrawn || consent.ends_at <= at.getTime()) return invalid;
    if (consent.refresh !== token && !(this.#options.keeps_former && consent.former === token)) {
      // RFC 9700 §4.14.2: the token may be stolen, so the whole consent is revoked.
      this.violations.push({ rule: "a refresh token was sent twice" });
      consent.isWithdrawn = true;
      return invalid;
    }
    consent.former = token;
    return this.#issue(consent, at, true);
  }

  #issue(consent: Consent, at: Date, withRefresh: boolean): Reply {
    const access = randomBytes(24).toString("base64url");
    const refresh = withRefresh ? randomBytes(24).toString("base64url") : null;
    this.#access.set(access, { consent, refresh, expires_at: at.getTime() + this.#accessSeconds * 1_000 });
    const answer = { access_token: access, token_type: "bearer", expires_in: this.#accessSeconds, scope: "custody" };
    if (refresh === null) return json(200, answer);
    consent.refresh = refresh;
    this.#refresh.set(refresh, consent);
    const left = Math.floor((consent.ends_at - at.getTime()) / 1_000);
    return json(200, {
      ...answer,
      refresh_token: refresh,
      ...(Number.isFinite(left) ? { refresh_token_expires_in: left } : {}),
    });
  }

  /** Revokes each kind of token separately. An unknown token counts as revoked. */
  #revoke(request: InstitutionRequest): Reply {
    const form = new URLSearchParams(request.body);
    if (request.method !== "POST" || !this.#isClient(request, form)) return json(401, { error: "invalid_client" });
    this.asked.revoked += 1;
    const token = form.get("token") ?? "";
    const consent = this.#refresh.get(token);
    if (consent) consent.isWithdrawn = true;
    this.#access.delete(token);
    this.#refresh.delete(token);
    return { status: 200 };
  }

  #isClient(request: InstitutionRequest, form: URLSearchParams): boolean {
    const [, basic] = /^Basic (.+)$/i.exec(request.headers.authorization ?? "") ?? [];
    const decoded = basic ? Buffer.from(basic, "base64").toString("utf8").split(":").map(formDecoded) : [];
    const [id, secret] = basic ? decoded : [form.get("client_id"), form.get("client_secret")];
    return id === this.#options.client_id && secret === this.#options.client_secret;
  }
}

/** RFC 6749 §2.3.1: both halves are form-encoded before they are joined. */
function formDecoded(value: string): string {
  return new URLSearchParams(`value=${value}`).get("value") ?? "";
}

function back(redirectUri: string, params: Readonly<Record<string, string>>): Reply {
  const target = new URL(redirectUri);
  for (const [name, value] of Object.entries(params)) target.searchParams.set(name, value);
  return { status: 303, headers: { location: target.href, "cache-control": "no-store" } };
}

function page(status: number, content: string): Reply {
  return {
    status,
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
    body: `<!DOCTYPE html><html lang="en"><head><title>Bank of the stand-in</title></head><body>${content}</body></html>`,
  };
}

function json(
  status: number,
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
    body: JSON.stringify(body),
  };
}
