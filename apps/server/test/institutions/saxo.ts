// A stand-in for the OpenAPI of Saxo Bank, from these documents (developer.saxo, in the state of 2026):
// - /authorize, /token: learn/oauth-authorization-code-grant and learn/oauth-authorization-code-grant-pkce; lifetimes
//   from the README on authentication of Saxo's samples (20 minutes, 1 hour).
// - /port/v1/users, clients, accounts, balances, positions, netpositions, closedpositions: referencedocs/port/v1;
//   sums of a balance: learn/account-details; signs of amounts: learn/real-time-vs-eod-netting.
// - /cs/v1/reports/trades, bookings, closedPositions: referencedocs/cs/v1/historicalreportdata-*, learn/reports.
// - /ref/v1/instruments/details: referencedocs/ref/v1/instruments, learn/price-formatting.
// - Headers of limits: learn/rate-limiting. 400, 401, 429 and 503: the same reference and learn/status-codes.
//
// What the documents at hand leave open, and is guessed here:
// - The token answer's status (201), `base_uri`, the lifetime of a code, refusals in the words of RFC 6749, that a
//   refresh token is used once, and where the secret stands (both HTTP Basic and the form are taken).
// - What an unknown query parameter does (400 with its name); the words in `Message` and `ModelState`.
// - `$top` of 0 or none is everything; `__next` is a path, as in the examples, or an address, by `links`.
//   That reports go on by `$skiptoken`, which "is normally only used in generated nextlinks".
// - Prices of bonds are percent of the nominal amount; products on margin have no MarketValue; an instrument
//   without access to its prices has prices and values of 0. Balances have no costs of closing.
// - Names of amounts but those of AMOUNT_TYPES' first part; amounts in the account's currency are cut to the cent.
// - When closedpositions and netpositions answer 204: here if there are none and `noContent` was called.
// Not played: hist/v1/transactions, whose fields no document at hand has whole; prices in pence; ISINs, which no
// answer here has by the documents.
import { createHash, randomBytes } from "node:crypto";
import {
  type Institution,
  type InstitutionRequest,
  type Reply,
  startInstitution,
} from "../../../../packages/provider-kit/test/stand-in/institution.js";
import { exactJson, type JsonObject } from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import { SaxoBook } from "./saxo-book.js";
import { type Feed, feedOf, routeOf, type SaxoRefusal } from "./saxo-routes.js";

/** `secret` is null for an application of the grant with PKCE. */
export interface SaxoApp {
  readonly key: string;
  readonly secret: string | null;
}

export interface Saxo {
  /** As in the documents, with `/openapi`. */
  readonly base_url: string;
  readonly authorization_url: string;
  readonly token_url: string;
  readonly app: SaxoApp;
  readonly institution: Institution;
  readonly violations: readonly string[];
  readonly book: SaxoBook;
  /** Codes are sent to registered addresses alone. */
  register(redirectUri: string): void;
  /** Whether the user logs in and agrees; at first so. */
  agree(agrees: boolean): void;
  /** The user signs out of all sessions. */
  revoke(): void;
  /** Access tokens end at once; refresh tokens stay. */
  expire(): void;
  /** Whether the documented limits hold; at first they do. */
  limit(holds: boolean): void;
  /** This many requests from now on are over the limit. */
  throttle(requests: number): void;
  /** No list has more rows in an answer; 1,000 at first. */
  page(rows: number): void;
  links(kind: "paths" | "addresses"): void;
  noContent(): void;
  /** Changes the answers of an address, such as `/port/v1/positions`, until null. */
  spoil(path: string, change: ((body: JsonObject) => JsonObject) | null): void;
  close(): Promise<void>;
}

const ACCESS_SECONDS = 1200;
const REFRESH_SECONDS = 3600;
const CODE_SECONDS = 300;
/** Of a session and service group, in a minute. */
const REQUESTS = 120;
const OF_A_DAY = 10_000_000;

interface Session {
  readonly windows: Map<string, { readonly until: number; used: number }>;
}

interface Code {
  readonly redirectUri: string;
  readonly challenge: string | null;
  readonly isHashed: boolean;
  readonly until: number;
}

export async function startSaxo({
  clock,
  app = { key: "8f4c2a", secret: "5d21e7c03b" },
}: {
  readonly clock: () => Date;
  readonly app?: SaxoApp;
}): Promise<Saxo> {
  const book = new SaxoBook(clock);
  const violations: string[] = [];
  const redirectUris = new Set<string>();
  const codes = new Map<string, Code>();
  const access = new Map<string, { readonly session: Session; readonly until: number }>();
  const refresh = new Map<string, { readonly session: Session; readonly until: number }>();
  const spoilt = new Map<string, (body: JsonObject) => JsonObject>();
  const feed: { -readonly [name in keyof Feed]: Feed[name] } = { rows: 1000, prefix: "", isEmptyNoContent: false };
  let agrees = true;
  let isLimited = true;
  let throttled = 0;
  const inSeconds = (seconds: number) => clock().getTime() + seconds * 1000;
  const isPast = (until: number) => until <= clock().getTime();

  function answer(request: InstitutionRequest): Reply {
    if (request.path === "/authorize") return authorize(request.query);
    if (request.path === "/token") return token(request);
    return request.path.startsWith("/openapi/") ? data(request) : { status: 404 };
  }

  /** The user is taken to have logged in; the page itself is not played. */
  function authorize(query: URLSearchParams): Reply {
    const redirectUri = query.get("redirect_uri") ?? "";
    const isKnown = query.get("client_id") === app.key && redirectUris.has(redirectUri);
    if (!isKnown) return { status: 400, body: "This application or its redirect address is not known." };
    const back = new URL(redirectUri);
    const state = query.get("state");
    const challenge = query.get("code_challenge");
    const method = query.get("code_challenge_method") ?? "plain";
    const isSound = ["plain", "S256"].includes(method) && (challenge !== null || app.secret !== null);
    const error =
      query.get("response_type") !== "code"
        ? "unsupported_response_type"
        : (!isSound && "invalid_request") || (!agrees && "access_denied");
    if (error) back.searchParams.set("error", error);
    else {
      const code = randomBytes(16).toString("hex");
      codes.set(code, { redirectUri, challenge, isHashed: method === "S256", until: inSeconds(CODE_SECONDS) });
      back.searchParams.set("code", code);
    }
    if (state !== null) back.searchParams.set("state", state);
    return { status: 302, headers: { location: back.href } };
  }

  function token({ method, headers, body }: InstitutionRequest): Reply {
    if (method !== "POST") return { status: 405 };
    const form = new URLSearchParams(body);
    const [, basic = ""] = String(headers.authorization ?? "").split("Basic ");
    const [name, secret] = basic
      ? Buffer.from(basic, "base64").toString("utf8").split(":").map(decodeURIComponent)
      : [form.get("client_id"), form.get("client_secret")];
    if (name !== app.key || (app.secret !== null && secret !== app.secret)) return oauthError(401, "invalid_client");
    switch (form.get("grant_type")) {
      case "authorization_code":
        return isExchanged(form) ? granted({ windows: new Map() }) : oauthError(400, "invalid_grant");
      case "refresh_token": {
        const used = form.get("refresh_token") ?? "";
        const found = refresh.get(used);
        refresh.delete(used);
        return found && !isPast(found.until) ? granted(found.session) : oauthError(400, "invalid_grant");
      }
      default:
        return oauthError(400, "unsupported_grant_type");
    }
  }

  /** A code is good once. */
  function isExchanged(form: URLSearchParams): boolean {
    const given = form.get("code") ?? "";
    const code = codes.get(given);
    codes.delete(given);
    if (!code || isPast(code.until) || form.get("redirect_uri") !== code.redirectUri) return false;
    const verifier = form.get("code_verifier");
    if (code.challenge === null) return verifier === null;
    const hash = createHash("sha256")
      .update(verifier ?? "")
      .digest("base64url");
    return (verifier ?? "").length >= 43 && (code.isHashed ? hash : verifier) === code.challenge;
  }

  function granted(session: Session): Reply {
    const [accessToken, refreshToken] = [randomBytes(48).toString("base64url"), randomBytes(18).toString("hex")];
    access.set(accessToken, { session, until: inSeconds(ACCESS_SECONDS) });
    refresh.set(refreshToken, { session, until: inSeconds(REFRESH_SECONDS) });
    return json(201, {
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: ACCESS_SECONDS,
      refresh_token: refreshToken,
      refresh_token_expires_in: REFRESH_SECONDS,
      base_uri: null,
    });
  }

  function data(request: InstitutionRequest): Reply {
    const path = request.path.slice("/openapi".length);
    const [, bearer = ""] = String(request.headers.authorization ?? "").split("Bearer ");
    const found = access.get(bearer);
    if (!found || isPast(found.until)) return { status: 401 };
    const { isOver, headers } = counted(found.session, path.split("/")[1] ?? "");
    const reply = isOver ? { status: 429 } : answered(request, path);
    return { ...reply, headers: { ...reply.headers, ...headers, "x-correlation": randomBytes(8).toString("hex") } };
  }

  function counted(session: Session, group: string) {
    const at = clock().getTime();
    const last = session.windows.get(group);
    const window = last && last.until > at ? last : { until: at + 60_000, used: 0 };
    session.windows.set(group, window);
    const isThrottled = throttled > 0;
    if (isThrottled) throttled -= 1;
    const isOver = isThrottled || (isLimited && window.used >= REQUESTS);
    if (!isOver) window.used += 1;
    const headers = {
      "X-RateLimit-AppDay-Limit": String(OF_A_DAY),
      "X-RateLimit-AppDay-Remaining": String(OF_A_DAY - window.used),
      "X-RateLimit-AppDay-Reset": String(Math.ceil((86_400_000 - (at % 86_400_000)) / 1000)),
      "X-RateLimit-Session-Limit": String(REQUESTS),
      "X-RateLimit-Session-Remaining": String(isThrottled ? 0 : Math.max(0, REQUESTS - window.used)),
      "X-RateLimit-Session-Reset": String(Math.ceil((window.until - at) / 1000)),
    };
    return { isOver, headers };
  }

  function answered({ method, query }: InstitutionRequest, path: string): Reply {
    const found = routeOf(path);
    if (!found || method !== "GET") {
      violations.push(`${method} ${path}`);
      return { status: 404 };
    }
    const refuse = (refusal: SaxoRefusal): Reply => {
      violations.push(`${path}: ${exactJson(refusal.body ?? refusal.status)}`);
      return refusal.body ? json(refusal.status, refusal.body) : { status: refusal.status };
    };
    const result = feedOf(book, found, query, { ...feed, path });
    if ("refused" in result) return refuse(result.refused);
    if (result.body === null) return { status: 204 };
    return json(200, spoilt.get(path)?.(result.body) ?? result.body);
  }

  const institution = await startInstitution({ clock, answer });
  return {
    base_url: `${institution.url}/openapi`,
    authorization_url: `${institution.url}/authorize`,
    token_url: `${institution.url}/token`,
    app,
    institution,
    violations,
    book,
    register: (redirectUri) => void redirectUris.add(redirectUri),
    agree(does) {
      agrees = does;
    },
    revoke() {
      access.clear();
      refresh.clear();
    },
    expire: () => access.clear(),
    limit(holds) {
      isLimited = holds;
    },
    throttle(requests) {
      throttled = requests;
    },
    page(rows) {
      feed.rows = rows;
    },
    links(kind) {
      feed.prefix = kind === "paths" ? "" : institution.url;
    },
    noContent() {
      feed.isEmptyNoContent = true;
    },
    spoil: (path, change) => void (change ? spoilt.set(path, change) : spoilt.delete(path)),
    close: () => institution.close(),
  };
}

function oauthError(status: number, error: string): Reply {
  return json(status, { error });
}

function json(status: number, body: JsonObject): Reply {
  return { status, headers: { "content-type": "application/json; charset=utf-8" }, body: exactJson(body) };
}
