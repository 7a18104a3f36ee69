// A stand-in for SnapTrade, from its OpenAPI description (version 1.0.0, MIT) and the pages of docs.snaptrade.com/docs of 2026:
// - Keys, users: authentication-methods, personal-vs-commercial. Signatures: request-signatures. Limits: ratelimiting.
// - Portal: implement-connection-portal (links, query of the way back, error codes), fix-broken-connections.
// - Data: account-data, syncing, realtime-data, symbology, sandbox (types of activities). Webhooks: webhooks.
//
// What they leave open or say in two ways, and what stands here:
// - The path in a signature "includes /api/v1", while activities call the root canonical: at the root a signature over either path
//   is good, under /api/v1 only one with it. The example in Python escapes what is not ASCII, the others do not: both are good.
// - Timestamps: whole seconds, at most five minutes off. `/` and `/brokerages`: the description wants a signature for the latter.
// - Refusals have `detail`, `status_code`, `code`; the description has `default_detail`, `default_code` for some (`wording`).
//   Codes beyond the documents, as reported of the live service: 1083 (401, user or secret), 1012 (400, registerUser with a Personal key).
// - userId and userSecret with a Personal key: no matter, but a violation, since the documents say to omit them.
// - A refused request does not count against a limit. Deletions happen when `settle` is called; until then all is as before.
// - The way back keeps the query that the address had, or has a second question mark (`literalQuery`); who leaves comes with `status=ABANDONED` or, as reported, with nothing (`bareExit`).
// - A webhook that is sent again has its first `eventTimestamp`, so that it is older than the five minutes of the same page.
// - While the first reading is under way lists are empty, or 425 (`early`), which the description has for a retired endpoint alone.
// - Rows of activities of one time: the latest read first. No `limit` above 1,000 helps.
// Not played: OAuth apps, orders, trading, returns, tax lots, /connections/{id}/accounts (experimental).
import { randomUUID } from "node:crypto";
import {
  type Institution,
  type InstitutionRequest,
  type Reply,
  startInstitution,
} from "../../../../packages/provider-kit/test/stand-in/institution.js";
import { exactJson, type JsonObject } from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import { brokerageAnswer, json, partnerAnswer, refusal } from "./snaptrade-answers.js";
import { SnapTradeBook, type SnapTradePartner, type SnapTradeUser } from "./snaptrade-book.js";
import { createPortal, type PortalHabits } from "./snaptrade-portal.js";
import { answerOf, NOT_FOUND, type SnapTradePaging } from "./snaptrade-routes.js";
import { signatureOf, signedParts } from "./snaptrade-signature.js";
import { createWebhooks, type SnapTradeWebhooks } from "./snaptrade-webhooks.js";

const TOLERANCE_S = 300;
const WINDOW_MS = 60_000;
const A_MINUTE = 250;
const OF_AN_ACCOUNT = 10;
/** When the path prefix /api/v1 went out of use. */
const DEPRECATED = "@1781222400";

export interface SnapTrade {
  readonly base_url: string;
  readonly institution: Institution;
  /** What clients did that the documents do not allow. */
  readonly violations: readonly string[];
  readonly book: SnapTradeBook;
  readonly webhooks: SnapTradeWebhooks;
  readonly paging: SnapTradePaging;
  /** A test may change these. */
  readonly habits: SnapTradeHabits;
  /** Does what was queued (deletions, refreshes), then sends the webhooks that are due. */
  settle(): Promise<void>;
  /** How many requests a minute a key, and a Personal key for each account, may send; 250 and 10 at first. */
  allow(requests: number, ofAnAccount?: number): void;
  /** Changes the answers of paths that match, until null. */
  spoil(path: RegExp, change: ((body: string) => string) | null): void;
  close(): Promise<void>;
}

export interface SnapTradeHabits extends PortalHabits {
  early: "empty" | "425";
  wording: "detail" | "default_detail";
}

export async function startSnapTrade({ clock }: { readonly clock: () => Date }): Promise<SnapTrade> {
  const webhooks = createWebhooks(clock);
  const book = new SnapTradeBook(clock, webhooks.tell);
  const violations: string[] = [];
  const habits: SnapTradeHabits = { bareExit: false, literalQuery: false, early: "empty", wording: "detail" };
  const paging: SnapTradePaging = { rows: 1000, after: null, spoilt: null };
  const portal = createPortal(book, () => institution.url, habits);
  const spoilt = new Map<string, { readonly path: RegExp; readonly change: (body: string) => string }>();
  const limits = { ofKey: A_MINUTE, ofAccount: OF_AN_ACCOUNT };
  const used = new Map<string, number[]>();
  const violate = (what: string) => void violations.push(what);

  function answer(request: InstitutionRequest): Reply {
    const page = portal.page(request);
    if (page) return page;
    const isPrefixed = request.path.startsWith("/api/v1/");
    const path = isPrefixed ? request.path.slice("/api/v1".length) : request.path;
    const reply = inWords(called(request, path));
    const change = [...spoilt.values()].find((each) => each.path.test(path))?.change;
    return {
      ...reply,
      ...(change && reply.body !== undefined && { body: change(reply.body) }),
      headers: {
        ...reply.headers,
        "x-request-id": randomUUID(),
        ...(isPrefixed && { deprecation: DEPRECATED }),
      },
    };
  }

  /** The description names the members of some refusals otherwise. */
  function inWords(reply: Reply): Reply {
    if (habits.wording === "detail" || ![400, 401, 403, 404].includes(reply.status ?? 200)) return reply;
    if (!reply.headers?.["content-type"]?.includes("json")) return reply;
    const { detail, code } = JSON.parse(reply.body ?? "");
    return { ...reply, body: exactJson({ default_detail: detail, default_code: code }) };
  }

  function called(request: InstitutionRequest, path: string): Reply {
    if (path === "/" && request.method === "GET")
      return json(200, { version: 153, timestamp: clock().toISOString(), online: true });
    const partner = book.partners.find(({ client_id }) => client_id === request.query.get("clientId"));
    if (!partner) return refusal(401, "0000", "Authentication credentials were not provided.");
    const refused = refusedSignature(partner, request, path);
    if (refused) return refused;
    const { headers, isOver } = counted(partner, path);
    const reply = isOver ?? ofPartner(partner, request, path);
    return { ...reply, headers: { ...reply.headers, ...headers } };
  }

  function refusedSignature(partner: SnapTradePartner, request: InstitutionRequest, path: string): Reply | null {
    const timestamp = request.query.get("timestamp") ?? "";
    const isNow = /^\d+$/.test(timestamp) && Math.abs(Number(timestamp) - clock().getTime() / 1000) <= TOLERANCE_S;
    if (!isNow) return refusal(401, "0000", "Invalid timestamp");
    let isSigned = false;
    try {
      const paths = request.path === path ? [path, `/api/v1${path}`] : [request.path];
      isSigned = paths
        .map((each) => signedParts(each, request.query_text, request.body))
        .some((parts) =>
          [true, false].some(
            (isAscii) => signatureOf(parts, partner.consumer_key, isAscii) === request.headers.signature,
          ),
        );
    } catch {
      return refusal(400, "1076", "Unable to verify data sent");
    }
    return isSigned ? null : refusal(401, "1076", "Unable to verify signature sent");
  }

  /** Two limits over the last 60 seconds; a request that is over one counts for none. */
  function counted(partner: SnapTradePartner, path: string) {
    const now = clock().getTime();
    const open = (name: string) => {
      const times = (used.get(name) ?? []).filter((at) => at > now - WINDOW_MS);
      used.set(name, times);
      return times;
    };
    const key = open(partner.client_id);
    const [, id] = /^\/accounts\/([^/]+)/.exec(path) ?? [];
    const account = partner.isPersonal && id ? open(`${partner.client_id} ${id}`) : null;
    const until = (times: readonly number[]) => String(Math.ceil(((times[0] ?? now) + WINDOW_MS - now) / 1000));
    const over = [
      ...(key.length >= limits.ofKey ? [until(key)] : []),
      ...(account && account.length >= limits.ofAccount ? [until(account)] : []),
    ];
    if (over.length === 0) {
      key.push(now);
      account?.push(now);
    }
    const headers = {
      "X-RateLimit-Limit": String(limits.ofKey),
      "X-RateLimit-Remaining": String(Math.max(0, limits.ofKey - key.length)),
      "X-RateLimit-Reset": until(key),
      ...(account && {
        "X-RateLimit-Account-Limit": String(limits.ofAccount),
        "X-RateLimit-Account-Remaining": String(Math.max(0, limits.ofAccount - account.length)),
        "X-RateLimit-Account-Reset": until(account),
      }),
    };
    const seconds = Math.max(0, ...over.map(Number));
    const detail = `Request was throttled. Expected available in ${seconds} seconds.`;
    return { headers, isOver: over.length > 0 ? refusal(429, "0000", detail) : null };
  }

  function ofPartner(partner: SnapTradePartner, request: InstitutionRequest, path: string): Reply {
    const what = `${request.method} ${path}`;
    if (what === "GET /brokerages") return json(200, book.brokerages.map(brokerageAnswer));
    if (what === "GET /snapTrade/partners")
      return json(
        200,
        partnerAnswer(
          partner,
          book.brokerages.filter(({ enabled }) => enabled),
        ),
      );
    const management = ["GET /snapTrade/listUsers", "POST /snapTrade/registerUser", "DELETE /snapTrade/deleteUser"];
    if ([...management, "POST /snapTrade/resetUserSecret"].includes(what)) return users(partner, request, what);
    const user = userOf(partner, request);
    if ("status" in user) return user;
    if (what === "POST /snapTrade/login") return portal.login(user, bodyOf(request), violate);
    return answerOf({ book, user, request, paging, early: habits.early, violate }, path);
  }

  /** For Commercial keys alone. */
  function users(partner: SnapTradePartner, request: InstitutionRequest, what: string): Reply {
    if (partner.isPersonal) {
      violate(`${what} with a Personal key`);
      const words = "Personal SnapTrade keys are provisioned with their user automatically at signup";
      return refusal(400, "1012", `${words}; ${what.split("/").at(-1)} is not available for personal keys.`);
    }
    if (what.endsWith("listUsers")) return json(200, [...partner.users.keys()]);
    const { userId, userSecret } = bodyOf(request);
    if (what.endsWith("registerUser")) {
      if (typeof userId !== "string" || userId === "") return refusal(400, "1012", "Invalid input: userId");
      const user = book.registerUser(partner, userId);
      if (!user) return refusal(400, "1010", "User with the following userId already exists");
      return json(200, { userId: user.id, userSecret: user.secret });
    }
    if (what.endsWith("deleteUser")) {
      const user = partner.users.get(request.query.get("userId") ?? "");
      if (!user) return NOT_FOUND;
      book.queueUser(user);
      const detail = "User queued for deletion; please wait for webhook for confirmation.";
      return json(200, { status: "deleted", detail, userId: user.id });
    }
    const user = partner.users.get(String(userId));
    if (!user || user.secret !== userSecret) return UNKNOWN_USER;
    user.secret = randomUUID();
    return json(200, { userId: user.id, userSecret: user.secret });
  }

  function userOf(
    partner: SnapTradePartner,
    { query, path }: InstitutionRequest,
  ): SnapTradeUser | (Reply & { status: number }) {
    const [id, secret] = [query.get("userId"), query.get("userSecret")];
    if (partner.isPersonal) {
      if (id !== null || secret !== null) violate(`${path} with a user and a Personal key`);
      return [...partner.users.values()][0] as SnapTradeUser;
    }
    if (id === null || secret === null)
      return { ...refusal(401, "0000", "Please provide clientId, userId and userSecret in query params"), status: 401 };
    const user = partner.users.get(id);
    return user && user.secret === secret ? user : { ...UNKNOWN_USER, status: 401 };
  }

  const institution = await startInstitution({ clock, answer });
  return {
    base_url: institution.url,
    institution,
    violations,
    book,
    webhooks,
    paging,
    habits,
    async settle() {
      for (const work of book.queue.splice(0)) work();
      await webhooks.deliver();
    },
    allow(requests, ofAnAccount = OF_AN_ACCOUNT) {
      limits.ofKey = requests;
      limits.ofAccount = ofAnAccount;
      used.clear();
    },
    spoil: (path, change) => void (change ? spoilt.set(path.source, { path, change }) : spoilt.delete(path.source)),
    close: () => institution.close(),
  };
}

const UNKNOWN_USER = refusal(401, "1083", "Invalid userID or userSecret provided");

function bodyOf({ body }: InstitutionRequest): JsonObject {
  const read: unknown = body === "" ? {} : JSON.parse(body);
  return typeof read === "object" && read !== null ? (read as JsonObject) : {};
}
