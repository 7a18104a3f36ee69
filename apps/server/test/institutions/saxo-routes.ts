import type { JsonObject } from "../../../../packages/provider-openwealth/test/stand-in/exact-json.js";
import {
  accountOf,
  balanceOf,
  clientOf,
  closedPositionOf,
  instrumentOf,
  netPositionOf,
  positionOf,
  type SaxoScope,
  userOf,
} from "./saxo-answers.js";
import { dayOf, type SaxoBook, type SaxoInstrument, type SaxoPosition } from "./saxo-book.js";
import { bookingOf, closedReportOf, tradeOf } from "./saxo-reports.js";

/** How lists are paged: the most rows of an answer, and what stands before the path in `__next`. */
export interface Feed {
  readonly rows: number;
  readonly prefix: string;
  readonly isEmptyNoContent: boolean;
}

export interface SaxoRefusal {
  readonly status: number;
  readonly body?: JsonObject;
}

interface Asked extends SaxoScope {
  /** From the path, by name. */
  readonly keys: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

interface Route {
  readonly path: string;
  readonly allows?: readonly string[];
  readonly needs?: readonly string[];
  /** Field groups and those that are answered if none is named. */
  readonly groups?: Readonly<Record<string, string>>;
  readonly byDefault?: readonly string[];
  readonly mayBeNothing?: boolean;
  readonly one?: (asked: Asked) => JsonObject | null;
  readonly rows?: (asked: Asked) => readonly JsonObject[];
  /** The name of a parameter without which the request makes no sense. */
  readonly lacks?: (query: URLSearchParams) => string | null;
}

const OF_CLIENT = ["ClientKey", "AccountKey", "AccountGroupKey"];

const positions = {
  groups: {
    PositionBase: "PositionBase",
    PositionView: "PositionView",
    DisplayAndFormat: "DisplayAndFormat",
    ExchangeInfo: "Exchange",
    PositionIdOnly: "PositionId",
    Costs: "Costs",
    Greeks: "Greeks",
  },
  byDefault: ["PositionBase", "PositionView"],
  rows: (asked: Asked) =>
    ofAccounts(asked)
      .filter((each) => [null, each.id].includes(asked.query.get("PositionId")))
      .map((each) => positionOf(each, asked))
      .filter(({ NetPositionId }) => [null, NetPositionId].includes(asked.query.get("NetPositionId"))),
};

const netPositions = {
  groups: {
    NetPositionBase: "NetPositionBase",
    NetPositionView: "NetPositionView",
    DisplayAndFormat: "DisplayAndFormat",
    ExchangeInfo: "Exchange",
    Greeks: "Greeks",
    SinglePosition: "SinglePosition",
    SinglePositionBase: "SinglePositionBase",
    SinglePositionView: "SinglePositionView",
  },
  byDefault: ["NetPositionBase", "NetPositionView"],
  mayBeNothing: true,
  rows: (asked: Asked) => {
    const found = new Map<SaxoInstrument, [SaxoPosition, ...SaxoPosition[]]>();
    for (const each of ofAccounts(asked)) {
      const same = found.get(each.instrument);
      if (same) same.push(each);
      else found.set(each.instrument, [each]);
    }
    return [...found.values()].map((each) => netPositionOf(each, asked));
  },
};

const closedPositions = {
  groups: {
    ClosedPosition: "ClosedPosition",
    DisplayAndFormat: "DisplayAndFormat",
    ExchangeInfo: "Exchange",
    ClosedPositionDetails: "ClosedPositionDetails",
  },
  byDefault: ["ClosedPosition"],
  mayBeNothing: true,
  rows: (asked: Asked) =>
    asked.book.closed
      .filter(({ open, at }) => asked.accounts.includes(open.account) && !asked.book.isOver(at))
      .map((each) => closedPositionOf(each, asked)),
};

const accounts = {
  allows: ["ClientKey", "IncludeSubAccounts", "$inlinecount"],
  rows: ({ book }: Asked) => book.accounts.map((each) => accountOf(book, each)),
};

const balances = { allows: ["FieldGroups"], one: balanceOf };

const ofReports = ["AccountKey", "AccountGroupKey", "$skiptoken", "MockDataId"];

const ROUTES: readonly Route[] = [
  { path: "/port/v1/users/me", one: ({ book }) => userOf(book) },
  { path: "/port/v1/clients/me", one: ({ book }) => clientOf(book) },
  { path: "/port/v1/accounts", ...accounts },
  { path: "/port/v1/accounts/me", ...accounts, allows: ["$inlinecount"] },
  {
    path: "/port/v1/accounts/{Account}",
    one: ({ book, keys }) => {
      const found = book.accounts.find(({ key }) => key === keys.Account);
      return found ? accountOf(book, found) : null;
    },
  },
  { path: "/port/v1/balances", ...balances, allows: [...OF_CLIENT, "FieldGroups"], needs: ["ClientKey"] },
  { path: "/port/v1/balances/me", ...balances },
  {
    path: "/port/v1/positions",
    ...positions,
    allows: [...OF_CLIENT, "NetPositionId", "PositionId", "WatchlistId"],
    needs: ["ClientKey"],
  },
  { path: "/port/v1/positions/me", ...positions },
  { path: "/port/v1/netpositions", ...netPositions, allows: OF_CLIENT, needs: ["ClientKey"] },
  { path: "/port/v1/netpositions/me", ...netPositions },
  { path: "/port/v1/closedpositions", ...closedPositions, allows: OF_CLIENT, needs: ["ClientKey"] },
  { path: "/port/v1/closedpositions/me", ...closedPositions },
  {
    path: "/cs/v1/reports/trades/{ClientKey}",
    allows: [...ofReports, "FromDate", "ToDate", "TradeId"],
    lacks: (query) => (query.has("TradeId") ? missing(query, "AccountKey") : missing(query, "FromDate", "ToDate")),
    rows: (asked) =>
      asked.book.trades
        .filter(({ account, at, id }) =>
          asked.query.has("TradeId")
            ? account === asked.accounts[0] && id === asked.query.get("TradeId")
            : isReported(asked, account.id, at),
        )
        .map((each) => tradeOf(each, asked.book)),
  },
  {
    path: "/cs/v1/reports/bookings/{ClientKey}",
    allows: [...ofReports, "FromDate", "ToDate", "FilterType", "FilterValue"],
    lacks: (query) => (query.has("FilterType") ? missing(query, "FilterValue") : missing(query, "FromDate", "ToDate")),
    rows: (asked) => {
      const type = asked.query.get("FilterType");
      return asked.book.bookings
        .filter(({ account, at }) => isReported(asked, account.id, type ? null : at))
        .map((each) => bookingOf(each, asked.book))
        .filter((row) => type === null || row[type] === asked.query.get("FilterValue"));
    },
  },
  {
    path: "/cs/v1/reports/closedPositions/{ClientKey}/{FromDate}/{ToDate}",
    allows: ["AccountKey", "AccountGroupKey"],
    rows: (asked) =>
      asked.book.closed
        .filter(({ open, at }) => isReported(asked, open.account.id, at))
        .map((each) => closedReportOf(each, asked.book)),
  },
  {
    path: "/ref/v1/instruments/details",
    allows: ["Uics", "AssetTypes", "FieldGroups", "AccountKey", "Tags"],
    rows: ({ book, query }) => {
      const isOneOf = (name: string, value: string) => query.get(name)?.split(",").includes(value) ?? true;
      return [...book.instruments.values()]
        .filter(({ uic, assetType }) => isOneOf("Uics", String(uic)) && isOneOf("AssetTypes", assetType))
        .map(instrumentOf);
    },
  },
  {
    path: "/ref/v1/instruments/details/{Uic}/{AssetType}",
    allows: ["AccountKey", "ClientKey", "FieldGroups"],
    one: ({ book, keys }) => {
      const found = book.instruments.get(Number(keys.Uic));
      return found && found.assetType === keys.AssetType ? instrumentOf(found) : null;
    },
  },
];

interface Found {
  readonly route: Route;
  readonly keys: Readonly<Record<string, string>>;
}

/** The address and the keys in its path; a fixed part goes before one in braces. */
export function routeOf(path: string): Found | null {
  const parts = path.replace(/\/$/, "").split("/");
  for (const route of ROUTES) {
    const names = route.path.split("/");
    const isSame = names.length === parts.length && names.every((name, at) => name[0] === "{" || name === parts[at]);
    if (!isSame) continue;
    const keys = names.flatMap((name, at) =>
      name[0] === "{" ? [[name.slice(1, -1), decodeURIComponent(parts[at] ?? "")] as const] : [],
    );
    return { route, keys: Object.fromEntries(keys) };
  }
  return null;
}

/** `body` is null where there is nothing to say (204). */
export function feedOf(
  book: SaxoBook,
  { route, keys }: Found,
  query: URLSearchParams,
  { rows: most, prefix, isEmptyNoContent, path }: Feed & { readonly path: string },
): { readonly body: JsonObject | null } | { readonly refused: SaxoRefusal } {
  const allowed = [
    ...(route.allows ?? []),
    ...(route.rows ? ["$top", "$skip"] : []),
    ...(route.groups ? ["FieldGroups"] : []),
  ];
  const unknown = [...query.keys()].find((name) => !allowed.includes(name));
  if (unknown) return invalid(path, unknown, `The parameter ${unknown} is not known.`);
  const lacking = missing(query, ...(route.needs ?? [])) ?? route.lacks?.(query);
  if (lacking) return invalid(path, lacking, `The ${lacking} field is required.`);
  const dated = { FromDate: keys.FromDate ?? query.get("FromDate"), ToDate: keys.ToDate ?? query.get("ToDate") };
  const undated = Object.entries(dated).find(([, day]) => day && !/^\d{4}-\d{2}-\d{2}$/.test(day));
  if (undated) return invalid(path, undated[0], `The value '${undated[1]}' is not valid for ${undated[0]}.`);
  const clientKey = keys.ClientKey ?? query.get("ClientKey") ?? book.client.key;
  const [accountKey, groupKey] = [query.get("AccountKey"), query.get("AccountGroupKey")];
  const accounts = book.accounts.filter(
    (each) => [null, each.key].includes(accountKey) && [null, each.groupKey].includes(groupKey),
  );
  // "If you try to access data you're not allowed to access"
  const isOthers = accounts.length === 0 && (accountKey ?? groupKey) !== null;
  if (clientKey !== book.client.key || isOthers) return { refused: { status: 401 } };
  const currency = (accountKey && accounts[0]?.currency) || book.client.currency;
  const asked = { book, accounts, currency, isOneAccount: accountKey !== null, keys, query };
  if (route.one) {
    const body = route.one(asked);
    return body ? { body } : { refused: { status: 404 } };
  }
  const wanted = query.get("FieldGroups")?.split(",") ?? route.byDefault ?? [];
  const odd = route.groups && wanted.find((name) => !route.groups?.[name]);
  if (odd) return invalid(path, "FieldGroups", `The value '${odd}' is not valid for FieldGroups.`);
  const all = route.rows?.(asked) ?? [];
  if (all.length === 0 && route.mayBeNothing && isEmptyNoContent) return { body: null };
  const top = Number(query.get("$top") ?? 0);
  const skip = Number(query.get("$skiptoken") ?? query.get("$skip") ?? 0);
  const size = top > 0 ? Math.min(top, most) : most;
  const rows = all.slice(skip, skip + size).map((row) => (route.groups ? inGroups(row, route.groups, wanted) : row));
  const isCounted = query.get("$inlinecount") === "AllPages";
  return {
    body: {
      ...(isCounted && { __count: all.length }),
      ...(skip + size < all.length && { __next: prefix + nextOf(path, query, size, skip + size) }),
      Data: rows,
    },
  };
}

function nextOf(path: string, query: URLSearchParams, top: number, skip: number): string {
  const next = new URLSearchParams(query);
  next.set("$top", String(top));
  next.delete("$skip");
  next.set(
    path.startsWith("/cs/v1/reports/") && !path.includes("/closedPositions/") ? "$skiptoken" : "$skip",
    String(skip),
  );
  return `/openapi${path}?${next}`;
}

/** Groups that were not asked for are left out; ids are always there. */
function inGroups(row: JsonObject, groups: Readonly<Record<string, string>>, wanted: readonly string[]): JsonObject {
  const fields = new Set(Object.values(groups));
  const shown = new Set(wanted.map((name) => groups[name]));
  const isShown = (name: string) => !fields.has(name) || shown.has(name) || name === "PositionId";
  return Object.fromEntries(Object.entries(row).filter(([name]) => isShown(name)));
}

function ofAccounts({ book, accounts }: Asked): readonly SaxoPosition[] {
  return book.positions.filter(({ account }) => accounts.includes(account));
}

/** "Information is updated once per day at the end of a processing cycle": today's rows are not there yet. */
function isReported({ book, accounts, keys, query }: Asked, accountId: string, at: Date | null): boolean {
  if (!accounts.some(({ id }) => id === accountId)) return false;
  if (at === null) return true;
  const [from, to] = [keys.FromDate ?? query.get("FromDate") ?? "", keys.ToDate ?? query.get("ToDate") ?? ""];
  return book.isOver(at) && dayOf(at) >= from && dayOf(at) <= to;
}

function missing(query: URLSearchParams, ...names: readonly string[]): string | null {
  return names.find((name) => !query.get(name)) ?? null;
}

/** Each group of services has its own code for it. */
function invalid(path: string, name: string, words: string) {
  const body = {
    ErrorCode: path.startsWith("/cs/") ? "BadRequestError" : "InvalidRequest",
    Message: "One or more properties of the request are invalid!",
    ModelState: { [name]: [words] },
  };
  return { refused: { status: 400, body } };
}
