import { randomBytes, randomUUID } from "node:crypto";
import type { InstitutionRequest, Reply } from "../../../../packages/provider-kit/test/stand-in/institution.js";
import { json, refusal } from "./snaptrade-answers.js";
import type { SnapTradeBook, SnapTradeConnection, SnapTradeUser } from "./snaptrade-book.js";
import type { BrokerageLogin, SnapTradeBrokerage } from "./snaptrade-brokerage.js";

/** "The returned URL expires in 5 minutes." */
const LINK_MS = 5 * 60_000;
/** How long a person may take once the link is open; the documents do not say. */
const VISIT_MS = 30 * 60_000;
const SHOWN = 50;
const LANGUAGES = /^(?:en|pt[-_]br)(?:[-_][a-z]{2})?$/i;

/** A failed attempt, by "Common Error Codes". */
const FAILURES = {
  credentials: [403, "1066", "Invalid credentials provided, please try again", "INVALID_CREDENTIALS"],
  code: [400, "1086", "Invalid 2FA code provided", "INVALID_MFA_CODE"],
  brokerage: [500, "3000", "Failed to connect to the brokerage", "UNCAUGHT_ERROR"],
  over: [400, "1006", "A brokerage authorization is not in progress", "AUTH_NOT_IN_PROGRESS"],
  permission: [403, "1140", "The API key does not have permission to retrieve account data", "NO_DATA"],
  user: [401, "0000", "User not found", "UNCAUGHT_ERROR"],
  other: [400, "1023", "Cannot change the linked brokerage account under an existing connection", "DIFFERENT_ACCOUNT"],
} as const;
type Failure = keyof typeof FAILURES;

export interface PortalHabits {
  bareExit: boolean;
  literalQuery: boolean;
}

interface Visit {
  readonly key: string;
  readonly user: SnapTradeUser;
  readonly token: string;
  readonly linkUntil: number;
  readonly until: number;
  readonly type: "read" | "trade" | "trade-if-available";
  readonly broker: SnapTradeBrokerage | null;
  readonly reconnect: SnapTradeConnection | null;
  readonly redirect: string | null;
  readonly isImmediate: boolean;
  readonly hasCloseButton: boolean;
  /** Who has signed in and is to agree on the brokerage's page. */
  pending: { readonly brokerage: SnapTradeBrokerage; readonly login: BrokerageLogin } | null;
  isOver: boolean;
}

/**
 * The Connection Portal: links to it, and its pages for people.
 * @param habits `bareExit`: who leaves comes back without a query, as reported of the live portal, and not with `status=ABANDONED`.
 * `literalQuery`: what comes back is put after the address with a question mark, as the documents spell it, whatever query it has
 */
export function createPortal(book: SnapTradeBook, url: () => string, habits: PortalHabits) {
  const visits = new Map<string, Visit>();

  /** `POST /snapTrade/login`. */
  function login(user: SnapTradeUser, body: Readonly<Record<string, unknown>>, violate: (what: string) => void): Reply {
    const fault = faultOf(body);
    if (fault) return fault;
    for (const name of Object.keys(body)) if (!(name in FIELDS)) violate(`login with ${name}`);
    const broker = book.brokerages.find(({ slug }) => slug === body.broker) ?? null;
    if (body.broker !== undefined && !broker?.enabled) return invalid("broker");
    const type = (body.connectionType ?? "read") as Visit["type"];
    if (broker && type === "trade" && !broker.allows_trading)
      return refusal(400, "1012", `${broker.slug} does not have a trade type available`);
    const reconnect = user.connections.find(({ id }) => id === body.reconnect) ?? null;
    if (body.reconnect !== undefined && !reconnect)
      return refusal(404, "1011", "The requested resource does not exist.");
    const now = book.clock().getTime();
    const visit: Visit = {
      key: randomUUID(),
      token: randomBytes(96).toString("base64"),
      user,
      linkUntil: now + LINK_MS,
      until: now + VISIT_MS,
      type,
      broker: reconnect?.brokerage ?? broker,
      reconnect,
      redirect: (body.customRedirect as string | undefined) ?? user.partner.redirect_uri,
      isImmediate: body.immediateRedirect === true,
      hasCloseButton: body.showCloseButton !== false,
      pending: null,
      isOver: false,
    };
    visits.set(visit.key, visit);
    const link = new URL("/snapTrade/redeemToken", url());
    link.searchParams.set("token", visit.token);
    link.searchParams.set("clientId", user.partner.client_id);
    if (broker) link.searchParams.set("broker", broker.slug);
    link.searchParams.set("connectionPortalVersion", "v4");
    link.searchParams.set("sessionId", visit.key);
    return json(200, { redirectURI: link.href, sessionId: visit.key });
  }

  /** Null where the path is none of the portal's. */
  function page(request: InstitutionRequest): Reply | null {
    const { path, query, method } = request;
    const now = book.clock().getTime();
    if (path === "/snapTrade/redeemToken") {
      const visit = visits.get(query.get("sessionId") ?? "");
      if (!visit || visit.token !== query.get("token") || visit.linkUntil <= now || visit.isOver)
        return html(
          403,
          "Link expired",
          "<p>This link has expired. Go back to where you came from and start again.</p>",
        );
      return { status: 302, headers: { location: `/portal/${visit.key}` } };
    }
    const [, key = "", step = ""] = /^\/portal\/([^/]+)\/?([^/]*)$/.exec(path) ?? [];
    const visit = visits.get(key);
    if (!visit) return path.startsWith("/portal/") ? html(404, "Not found", "<p>There is no such page.</p>") : null;
    if (step === "close") return close(visit);
    if (visit.isOver || visit.until <= now) return fail(visit, "over", null);
    if (!visit.user.partner.users.has(visit.user.id)) return fail(visit, "user", null);
    if (method === "POST") return step === "agree" ? agree(visit, request.body) : signIn(visit, request.body);
    const brokerage =
      visit.reconnect?.brokerage ?? chosen(query.get("broker")) ?? (query.has("q") ? null : visit.broker);
    return brokerage ? signInPage(visit, brokerage) : listPage(visit, query.get("q") ?? "");
  }

  const chosen = (slug: string | null) => book.brokerages.find((each) => each.slug === slug && each.enabled) ?? null;

  function listPage(visit: Visit, search: string): Reply {
    const found = book.brokerages
      .filter(({ enabled, allows_trading }) => enabled && (visit.type !== "trade" || allows_trading))
      .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
    const rows = found.slice(0, SHOWN).map(({ slug, name }) => `<li><a href="?broker=${slug}">${text(name)}</a></li>`);
    return html(
      200,
      "Select your institution",
      `<form><label>Search <input name="q" value="${text(search)}"></label> <button>Search</button></form>
<ul>${rows.join("")}</ul>${closeButton(visit)}`,
    );
  }

  function signInPage(visit: Visit, brokerage: SnapTradeBrokerage, complaint = ""): Reply {
    const back = visit.reconnect ? "" : `<p><a href="?q=">Back</a></p>`;
    if (brokerage.maintenance_mode)
      return html(
        200,
        `${brokerage.name} is under maintenance`,
        `<p>Try again when the maintenance is over.</p>${back}${closeButton(visit)}`,
      );
    const warning = brokerage.is_degraded ? "<p>There are connectivity issues with this institution.</p>" : "";
    const hasCode = brokerage.logins.some(({ code }) => code !== null);
    return html(
      200,
      `Sign in to ${brokerage.name}`,
      `${warning}${complaint}<form method="post" action="/portal/${visit.key}/sign-in">
<input type="hidden" name="broker" value="${brokerage.slug}">
<label>Username <input name="username" autocomplete="off"></label>
<label>Password <input name="password" type="password" autocomplete="off"></label>
${hasCode ? '<label>Security code <input name="code" autocomplete="off"></label>' : ""}
<button>Connect</button></form>${back}${closeButton(visit)}`,
    );
  }

  const closeButton = ({ key, hasCloseButton }: Visit) =>
    hasCloseButton ? `<form method="post" action="/portal/${key}/close"><button>Close</button></form>` : "";

  function signIn(visit: Visit, body: string): Reply {
    const form = new URLSearchParams(body);
    const brokerage = chosen(form.get("broker"));
    if (!brokerage || brokerage.maintenance_mode) return fail(visit, "over", brokerage);
    if (brokerage.isDown) return fail(visit, "brokerage", brokerage);
    const login = brokerage.logins.find(({ username }) => username === form.get("username"));
    if (login?.password !== form.get("password") || !login) return fail(visit, "credentials", brokerage);
    if (login.code !== null && login.code !== form.get("code")) return fail(visit, "code", brokerage);
    if (!login.mayRead) return fail(visit, "permission", brokerage);
    if (brokerage.auth_type === "TOKEN") return succeed(visit, brokerage, login);
    visit.pending = { brokerage, login };
    return html(
      200,
      `${brokerage.name}: share your data`,
      `<p>SnapTrade asks to read your accounts.</p><form method="post" action="/portal/${visit.key}/agree">
<button name="answer" value="allow">Allow</button> <button name="answer" value="decline">Decline</button></form>`,
    );
  }

  function agree(visit: Visit, body: string): Reply {
    const { pending } = visit;
    visit.pending = null;
    const doesAgree = pending && new URLSearchParams(body).get("answer") === "allow";
    return doesAgree
      ? succeed(visit, pending.brokerage, pending.login)
      : fail(visit, "over", pending?.brokerage ?? null);
  }

  function succeed(visit: Visit, brokerage: SnapTradeBrokerage, login: BrokerageLogin): Reply {
    const { user, reconnect } = visit;
    if (reconnect && (reconnect.login !== login || reconnect.brokerage !== brokerage))
      return fail(visit, "other", brokerage);
    const type = visit.type === "read" || !brokerage.allows_trading ? "read" : "trade";
    // The connection may have been deleted meanwhile.
    if (reconnect && !user.connections.includes(reconnect)) return fail(visit, "over", brokerage);
    attempted(visit, brokerage, "SUCCESS");
    const connection = reconnect ? book.reconnect(reconnect, type) : book.connect(user, brokerage, login, type);
    visit.isOver = true;
    return end(visit, { status: "SUCCESS", connection_id: connection.id }, "Connection successful", "Done");
  }

  function fail(visit: Visit, failure: Failure, brokerage: SnapTradeBrokerage | null): Reply {
    const [status, code, detail, result] = FAILURES[failure];
    if (brokerage) {
      attempted(visit, brokerage, result);
      book.tell(visit.user, { eventType: "CONNECTION_FAILED" });
    }
    if (!visit.isImmediate && failure !== "over" && brokerage)
      return signInPage(visit, brokerage, `<p role="alert">${detail}</p>`);
    visit.isOver = true;
    return end(visit, { status: "ERROR", status_code: String(status), error_code: code }, detail, "Go back");
  }

  const attempted = (visit: Visit, brokerage: SnapTradeBrokerage, connectionAttemptedResult: string) =>
    book.tell(visit.user, {
      eventType: "CONNECTION_ATTEMPTED",
      connectionAttemptedResult,
      brokerageId: brokerage.id,
      details: { sessionId: visit.key },
    });

  function close(visit: Visit): Reply {
    visit.isOver = true;
    if (visit.redirect === null) return html(200, "Closed", "<p>You can close this page.</p>");
    return sendBack(visit.redirect, habits.bareExit ? {} : { status: "ABANDONED" });
  }

  /** The screen at the end, or the way back at once. */
  function end(visit: Visit, query: Readonly<Record<string, string>>, title: string, button: string): Reply {
    if (visit.redirect === null) return html(200, title, "<p>You can close this page.</p>");
    if (visit.isImmediate) return sendBack(visit.redirect, query);
    return html(200, title, `<p><a href="${text(withQuery(visit.redirect, query))}">${button}</a></p>`);
  }

  const sendBack = (address: string, query: Readonly<Record<string, string>>): Reply => ({
    status: 303,
    headers: { location: withQuery(address, query) },
  });

  /** What the address had stays. */
  function withQuery(address: string, query: Readonly<Record<string, string>>): string {
    if (habits.literalQuery) return `${address}?${new URLSearchParams(query)}`;
    const back = new URL(address);
    for (const [name, value] of Object.entries(query)) back.searchParams.set(name, value);
    return back.href;
  }

  return { login, page };
}

const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  broker: (value) => typeof value === "string",
  immediateRedirect: (value) => typeof value === "boolean",
  customRedirect: (value) => typeof value === "string" && URL.canParse(value),
  reconnect: (value) => typeof value === "string" && /^[\da-f-]{36}$/.test(value),
  connectionType: (value) => ["read", "trade", "trade-if-available"].includes(value as string),
  showCloseButton: (value) => typeof value === "boolean",
  darkMode: (value) => typeof value === "boolean",
  locale: (value) => typeof value === "string" && LANGUAGES.test(value),
  connectionPortalVersion: (value) => ["v2", "v3", "v4"].includes(value as string),
};

const invalid = (name: string) => refusal(400, "1012", `Invalid input: ${name}`);

function faultOf(body: Readonly<Record<string, unknown>>): Reply | null {
  const wrong = Object.entries(body).find(([name, value]) => FIELDS[name]?.(value) === false);
  return wrong ? invalid(wrong[0]) : null;
}

const text = (value: string) =>
  value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;").replaceAll(">", "&gt;");

function html(status: number, title: string, body: string): Reply {
  const page = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${text(title)}</title></head><body><main><h1>${text(title)}</h1>${body}</main></body></html>`;
  return { status, headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" }, body: page };
}
