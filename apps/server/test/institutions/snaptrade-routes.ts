import type { InstitutionRequest, Reply } from "../../../../packages/provider-kit/test/stand-in/institution.js";
import type { JsonObject } from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import {
  accountAnswer,
  activityAnswer,
  balancesAnswer,
  connectionAnswer,
  json,
  positionsAnswer,
  refusal,
} from "./snaptrade-answers.js";
import type { SnapTradeAccount, SnapTradeBook, SnapTradeConnection, SnapTradeUser } from "./snaptrade-book.js";

/** How lists of activities are answered. */
export interface SnapTradePaging {
  /** No answer has more rows; 1,000 at first. */
  rows: number;
  /** Happens after a page was answered, before the next one is asked for. */
  after: ((account: SnapTradeAccount, offset: number) => void) | null;
  /** What a page is spoilt to: half of its rows, or those of the first page. Null once it was used as often as it says. */
  spoilt: { readonly to: "half" | "first"; readonly offset: number; times: number } | null;
}

interface Route {
  readonly book: SnapTradeBook;
  readonly user: SnapTradeUser;
  readonly request: InstitutionRequest;
  readonly paging: SnapTradePaging;
  /** What is answered while the first reading is under way: nothing yet, as if there were nothing, or 425. */
  readonly early: "empty" | "425";
  readonly violate: (what: string) => void;
}

export const NOT_FOUND = refusal(404, "1011", "The requested resource does not exist.");
const DISABLED = refusal(402, "3003", "Unable to sync with brokerage account because the connection is disabled.");
const EARLY = refusal(425, "3012", "The resource is currently being populated. Please try again later.");
const BUSY = refusal(503, "3002", "Unable to sync with brokerage account. Invalid response from Brokerage API.");
/** "This endpoint will return HTTP 410 Gone for all customers that sign up after May 11, 2026." */
const GONE = refusal(410, "0000", "This endpoint is no longer available.");
const RETIRED = ["holdings", "positions", "options"];

/** What a signed request of a known user answers. */
export function answerOf(route: Route, path: string): Reply {
  const { user, request, violate } = route;
  const [, resource = "", id = "", ...more] = path.split("/").map(decodeURIComponent);
  const what = `${request.method} ${more.join("/")}`;
  if (resource === "holdings" || (resource === "accounts" && RETIRED.includes(more.join("/")))) {
    violate(`${request.method} ${path} is retired`);
    return GONE;
  }
  if (path === "/authorizations" && request.method === "GET") return json(200, user.connections.map(connectionAnswer));
  if (path === "/accounts" && request.method === "GET")
    return json(
      200,
      user.connections.flatMap(({ accounts }) => accounts.map(accountAnswer)),
    );
  if (resource === "authorizations" || (resource === "connection" && what === "DELETE ")) {
    const connection = user.connections.find((each) => each.id === id);
    return (connection ? ofConnection(route, connection, what, resource) : NOT_FOUND) ?? unknown(route, path);
  }
  if (resource === "accounts") {
    const account = user.connections.flatMap(({ accounts }) => accounts).find((each) => each.id === id);
    return (account ? ofAccount(route, account, what) : NOT_FOUND) ?? unknown(route, path);
  }
  return unknown(route, path);
}

function unknown({ request, violate }: Route, path: string): Reply {
  violate(`${request.method} ${path}`);
  return { status: 404, headers: { "content-type": "text/html" }, body: "<h1>Not Found</h1>" };
}

function ofConnection({ book, user }: Route, connection: SnapTradeConnection, what: string, resource: string) {
  const { id } = connection;
  if (resource === "connection") {
    book.queueConnection(connection);
    const detail = "Connection queued for deletion; please wait for webhook for confirmation.";
    return json(200, { detail, connection_id: id });
  }
  switch (what) {
    case "GET ":
      return json(200, connectionAnswer(connection));
    case "GET accounts":
      for (const account of connection.accounts) readNow(book, account);
      return json(200, connection.accounts.map(accountAnswer));
    case "POST refresh":
      if (user.partner.plan === "realtime")
        return refusal(403, "1141", "Feature is not enabled for this customer or this connection");
      if (connection.disabled) return DISABLED;
      if (book.refreshing.has(connection))
        return refusal(429, "throttled", "Connection refreshed too recently. Please try again later.");
      book.refresh(connection);
      return json(200, { detail: `Connection ${id} scheduled for refresh` });
    case "POST transactions/sync":
      if (connection.disabled) return DISABLED;
      book.queue.push(() => {
        for (const account of connection.accounts) book.syncAccount(account, true);
      });
      return json(200, { detail: `Connection ${id} scheduled for transactions sync` });
    case "POST disable":
      if (connection.disabled) return refusal(402, "3011", "This connection is already disabled.");
      book.disable(connection);
      return json(200, { detail: `Connection ${id} has been disabled` });
    default:
      return null;
  }
}

/** With real-time data the brokerage is asked now. What cannot be read stays as it was. */
function readNow(book: SnapTradeBook, account: SnapTradeAccount) {
  const { user, disabled, brokerage } = account.connection;
  if (user.partner.plan === "realtime" && !disabled && !brokerage.isDown && account.holdings !== null)
    book.readHoldings(account);
}

function ofAccount(route: Route, account: SnapTradeAccount, what: string): Reply | null {
  const { book } = route;
  switch (what) {
    case "GET ":
      readNow(book, account);
      return json(200, accountAnswer(account));
    case "GET balances":
      return notYet(route, account) ?? json(200, balancesAnswer(account));
    case "GET positions/all":
      return notYet(route, account) ?? json(200, positionsAnswer(account));
    case "GET activities":
      return activities(route, account);
    default:
      return null;
  }
}

function notYet({ book, early }: Route, account: SnapTradeAccount): Reply | null {
  readNow(book, account);
  if (account.holdings !== null) return null;
  if (account.connection.brokerage.isDown) return BUSY;
  return early === "425" ? EARLY : null;
}

/** The latest trade dates first; those without a date last. */
function activities({ request, paging, violate }: Route, account: SnapTradeAccount): Reply {
  const { query } = request;
  for (const name of query.keys())
    if (!"clientId timestamp userId userSecret startDate endDate offset limit type".split(" ").includes(name))
      violate(`activities by ${name}`);
  const [start, end] = ["startDate", "endDate"].map((name) => query.get(name));
  for (const date of [start, end])
    if (date != null && (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date))))
      return refusal(400, "1012", "Invalid input");
  const offset = Number(query.get("offset") ?? 0);
  const wanted = Number(query.get("limit") ?? 1000);
  if (!Number.isInteger(offset) || offset < 0 || !Number.isInteger(wanted) || wanted < 1)
    return refusal(400, "1012", "Invalid input");
  const limit = Math.min(wanted, paging.rows);
  const types = query.get("type")?.split(",");
  const found = account.rows
    .map((row, at) => ({ row, at, date: row.activity.trade_date ?? "" }))
    .filter(({ row }) => !types || types.includes(row.activity.type))
    .filter(({ date }) => (!start || date.slice(0, 10) >= start) && (!end || (date !== "" && date.slice(0, 10) <= end)))
    .sort((one, other) => (one.date === other.date ? other.at - one.at : one.date < other.date ? 1 : -1));
  const isSpoilt = paging.spoilt !== null && paging.spoilt.times > 0 && paging.spoilt.offset === offset;
  const from = isSpoilt && paging.spoilt?.to === "first" ? 0 : offset;
  const whole = found.slice(from, from + limit);
  const page = isSpoilt && paging.spoilt?.to === "half" ? whole.slice(0, Math.floor(whole.length / 2)) : whole;
  if (isSpoilt && paging.spoilt) paging.spoilt.times -= 1;
  const data: JsonObject[] = page.map(({ row }) => activityAnswer(row, account.connection.brokerage.name));
  paging.after?.(account, offset);
  return json(200, { data, pagination: { offset, limit, total: found.length } });
}
