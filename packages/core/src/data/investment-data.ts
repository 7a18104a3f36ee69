import { decimalOf } from "../decimal.js";
import { invalid, invalidValue } from "../errors.js";
import type { TenantActor } from "../ports/actor.js";
import type { Runtime } from "../ports/runtime.js";
import { parseUuid, type Uuid } from "../schemas/identifier.js";
import { searchKey } from "../search-key.js";
import { clientsNamed, knownId, readOfClients, unknownIds } from "./client-connections.js";
import type { DataPage, DataQuery, DataReader, SourceState } from "./data-reader.js";
import type { AuditedRead, ReadAudit } from "./read-audit.js";
import {
  type AsOf,
  type CurrencyTotal,
  type DataGroup,
  type DataSort,
  extraFields,
  holdingFacts,
  holdingFields,
  ofClient,
  ofVersions,
  portfolioFields,
  type Source,
  type SourceCounts,
  transactionFacts,
  transactionFields,
} from "./rows.js";
import {
  type TransactionVersions,
  type TransactionVersionsRequest,
  transactionVersions,
} from "./transaction-versions.js";

/** Arguments of every data tool (contract §4), already checked for shape. */
export interface DataRequest {
  /** One or many clients; left out = of all, and of none. */
  readonly client_ref?: string | readonly string[] | undefined;
  readonly credentials_token?: string | readonly string[] | undefined;
  readonly page: number;
  readonly page_size: number;
  /** Item fields and facts to return; undefined = all fields. Unknown names are a fault of `fields`. */
  readonly fields?: readonly string[] | undefined;
  /** If `fields` is absent: whether items also have their known facts. */
  readonly with_facts?: boolean | undefined;
  readonly include_source_token?: boolean | undefined;
  /** `snapshot` of an earlier answer, to keep the pages of one query consistent. */
  readonly snapshot?: string | undefined;
  /** Part of the name, or of a transaction's description; case and accents do not matter. */
  readonly name?: string | undefined;
  readonly sort?: DataSort | undefined;
  /** One or two of the groups that the product has. */
  readonly totals_by?: DataGroup | readonly DataGroup[] | undefined;
  readonly totals_only?: boolean | undefined;
}
export interface PortfoliosRequest extends DataRequest {
  /** What the audit trail calls the read; portfolios if left out. */
  readonly read_as?: AuditedRead | undefined;
  readonly currency?: string | readonly string[] | undefined;
  readonly portfolio_type?: string | readonly string[] | undefined;
  /** Inclusive; a number or a decimal string. */
  readonly min_balance?: number | string | undefined;
}
export interface HoldingsRequest extends DataRequest {
  readonly portfolio_id?: string | undefined;
  readonly currency?: string | readonly string[] | undefined;
  readonly inv_type?: string | readonly string[] | undefined;
  readonly subtype?: string | readonly string[] | undefined;
  readonly isin?: string | readonly string[] | undefined;
  readonly min_balance?: number | string | undefined;
}
export interface TransactionsRequest extends DataRequest {
  readonly investment_id?: string | undefined;
  readonly isin?: string | readonly string[] | undefined;
  readonly kind?: string | readonly string[] | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
}

/**
 * One page of data, its members in the order in which answers have them: the rows come last, since what is cut off is the end. `items_json` is
 * the JSON array text of the rows, so that it is serialised once and never parsed on the way.
 */
export interface DataAnswer {
  readonly totals: readonly CurrencyTotal[];
  readonly as_of: AsOf;
  /**
   * With `credentials_token`: all connections that it names, in its order. Without it: those that are not ok, at most {@link MAX_SOURCES};
   * first error, then stale, then pending, each with the oldest connection first.
   */
  readonly sources: readonly Source[];
  readonly source_counts: SourceCounts;
  readonly page: number;
  readonly page_size: number;
  readonly pages: number;
  readonly total: number;
  /** Opaque; pass it as `snapshot` to get the next page. */
  readonly snapshot: string;
  readonly items_json: string;
}

/**
 * The data tools over the latest stored snapshots.
 * @throws CoreError NOT_FOUND for an unknown client_ref, credentials_token, portfolio_id or investment_id; VALIDATION_ERROR for unknown
 * `fields`, `start_date` after `end_date`, or a `snapshot` that is damaged or no longer kept.
 */
export interface InvestmentData {
  portfolios(actor: TenantActor, request: PortfoliosRequest): Promise<DataAnswer>;
  holdings(actor: TenantActor, request: HoldingsRequest): Promise<DataAnswer>;
  transactions(actor: TenantActor, request: TransactionsRequest): Promise<DataAnswer>;
  transactionVersions(actor: TenantActor, request: TransactionVersionsRequest): Promise<TransactionVersions>;
}

/** Maximum number of connections that one answer lists as not ok; `source_counts` counts them all. */
const MAX_SOURCES = 50;

/** @param deps `reads` is notified of every page that is answered */
export function createInvestmentData(deps: {
  reader: DataReader;
  runtime: Pick<Runtime, "clock">;
  reads?: ReadAudit;
}): InvestmentData {
  const { reader, runtime, reads } = deps;
  const noted = (actor: TenantActor, what: AuditedRead, page: DataPage) => {
    if (page.kind === "page") reads?.note(actor, what, page.sources, page.unlisted);
    return page;
  };

  return {
    async portfolios(actor, request) {
      const query = {
        currencies: listOf(request.currency, upper),
        types: listOf(request.portfolio_type, upper),
        min_balance: request.min_balance === undefined ? null : decimalOf(request.min_balance),
        ...common(request, portfolioFields, otherFields.portfolios, runtime.clock()),
      };
      const page = noted(actor, request.read_as ?? "portfolio", await read("portfolios", actor, request, query));
      const failed = listedFailures(request, page);
      return answer(request, page, failed.length === 0 ? none : await withHoldings(reader, actor, failed));
    },
    async holdings(actor, request) {
      const query = {
        portfolio_id: knownShape("portfolio_id", request.portfolio_id),
        currencies: listOf(request.currency, upper),
        types: listOf(request.inv_type, upper),
        subtypes: listOf(request.subtype, upper),
        isins: listOf(request.isin, upper),
        min_balance: request.min_balance === undefined ? null : decimalOf(request.min_balance),
        ...common(request, holdingFields, otherFields.holdings, runtime.clock()),
      };
      return answer(request, noted(actor, "investment", await read("holdings", actor, request, query)));
    },
    async transactions(actor, request) {
      const { start_date = null, end_date = null } = request;
      if (start_date !== null && end_date !== null && start_date > end_date)
        throw invalid(invalidValue("start_date", "must not be after end_date"));
      const query = {
        holding_id: knownShape("investment_id", request.investment_id),
        isins: listOf(request.isin, upper),
        kinds: listOf(request.kind, lower),
        start_date,
        end_date,
        ...common(request, transactionFields, otherFields.transactions, runtime.clock()),
      };
      return answer(request, noted(actor, "transaction", await read("transactions", actor, request, query)));
    },
    async transactionVersions(actor, request) {
      const found = await transactionVersions(reader, actor, request);
      const { credentials_token } = found;
      reads?.note(actor, "transaction", [{ credentials_token, as_of: runtime.clock().toISOString() }], 0);
      return found;
    },
  };

  /** Without clients this costs no promise more. */
  function read<P extends "portfolios" | "holdings" | "transactions">(
    product: P,
    actor: TenantActor,
    { client_ref }: DataRequest,
    query: Parameters<DataReader[P]>[1],
  ): Promise<DataPage> {
    const rows = (asked: typeof query) => reader[product](actor.tenant_id, asked as never);
    const clients = clientsNamed(actor, client_ref);
    return clients === null ? rows(query) : readOfClients(reader, actor, clients, query, rows);
  }
}

/** Fields that an item has only when they are named. */
const otherFields = {
  portfolios: [...extraFields.portfolio, ...ofClient.fields],
  holdings: [...extraFields.investment, ...ofClient.fields, ...holdingFacts],
  transactions: [...extraFields.transaction, ...ofClient.fields, ...ofVersions.fields, ...transactionFacts],
} as const;

/** Callers add their filters before it: V8 makes a new hidden class for each object that gets fields after a spread. */
function common(request: DataRequest, ownFields: readonly string[], others: readonly string[], now: Date): DataQuery {
  const tokens = listOf(request.credentials_token, lower);
  const ids = tokens?.map(parseUuid) ?? null;
  const malformed = tokens?.filter((_, index) => ids?.[index] === null) ?? [];
  if (malformed.length > 0) throw unknownIds("credentials_token", malformed);
  if (request.fields !== undefined) requireKnown(request.fields, [...ownFields, ...others]);
  return {
    connection_ids: ids as readonly Uuid[] | null,
    page: request.page,
    page_size: request.page_size,
    fields: request.fields ? [...new Set(request.fields)] : ownFields,
    with_facts: request.fields === undefined && (request.with_facts ?? false),
    include_source_token: request.include_source_token ?? false,
    revision: request.snapshot === undefined ? null : revisionOf(request.snapshot),
    name: request.name === undefined ? null : searchKey(request.name) || null,
    sort: request.sort ?? null,
    totals_by: [request.totals_by ?? []].flat() as readonly DataGroup[],
    totals_only: request.totals_only ?? false,
    now,
  };
}

function requireKnown(fields: readonly string[], known: readonly string[]): void {
  const unknown = fields.filter((field) => !known.includes(field));
  if (unknown.length > 0 || fields.length === 0)
    throw invalid(
      invalidValue(
        "fields",
        `must name fields of the item: ${known.join(", ")}${unknown.length > 0 ? `; not ${unknown.join(", ")}` : ""}`,
      ),
    );
}

/** Connections whose accounts failed, as far as the answer lists them. */
function listedFailures({ credentials_token }: DataRequest, page: DataPage): readonly SourceState[] {
  const failed = page.kind === "page" ? page.sources.filter(({ errored }) => errored) : [];
  if (credentials_token !== undefined || failed.length <= MAX_SOURCES) return failed;
  const isWithout = ({ as_of }: SourceState) => as_of === null;
  return [...failed.filter(isWithout), ...failed.filter((source) => !isWithout(source))].slice(0, MAX_SOURCES);
}

/** Of these connections, those whose holdings are known. */
async function withHoldings(
  reader: DataReader,
  actor: TenantActor,
  connections: readonly SourceState[],
): Promise<ReadonlySet<string>> {
  const read = await reader.holdings(actor.tenant_id, {
    ...common({ page: 1, page_size: 1, totals_only: true }, holdingFields, [], new Date(0)),
    ...{ portfolio_id: null, currencies: null, types: null, subtypes: null, isins: null, min_balance: null },
    connection_ids: connections.map(({ credentials_token }) => credentials_token as Uuid),
  });
  // A connection may have been removed meanwhile.
  const sources = read.kind === "page" ? read.sources : [];
  return new Set(sources.flatMap(({ credentials_token, as_of }) => (as_of === null ? [] : [credentials_token])));
}

const none: ReadonlySet<string> = new Set();

/** @param withKnownHoldings connections whose holdings are known although their accounts failed */
function answer(
  { page, page_size, credentials_token }: DataRequest,
  result: DataPage,
  withKnownHoldings: ReadonlySet<string> = none,
): DataAnswer {
  switch (result.kind) {
    case "unknown":
      throw unknownIds(result.field, result.ids);
    case "revision_gone":
      throw invalid(invalidValue("snapshot", "is no longer kept: leave it out and start again from page 1"));
    case "page":
      return {
        totals: result.totals,
        as_of: { oldest: dayOf(result.as_of.oldest), newest: dayOf(result.as_of.newest) },
        ...sourcesOf(result, credentials_token !== undefined, withKnownHoldings),
        page,
        page_size,
        pages: Math.ceil(result.total / page_size),
        total: result.total,
        snapshot: `r${result.revision}`,
        items_json: result.items_json,
      };
  }
}

/** @param areNamed whether the caller named the connections; all of them are listed then */
function sourcesOf(
  { sources, unlisted }: Extract<DataPage, { kind: "page" }>,
  areNamed: boolean,
  withKnownHoldings: ReadonlySet<string>,
): Pick<DataAnswer, "sources" | "source_counts"> {
  const all = sources.map((source) =>
    sourceOf(source, source.errored && withKnownHoldings.has(source.credentials_token)),
  );
  const inState = (state: Source["state"]) => all.filter((source) => source.state === state);
  const [error, stale, pending] = [inState("error"), inState("stale"), inState("pending")];
  const notOk = [...error, ...stale, ...pending];
  return {
    sources: areNamed ? all : notOk.slice(0, MAX_SOURCES),
    source_counts: {
      ok: all.length - notOk.length + unlisted,
      pending: pending.length,
      stale: stale.length,
      error: error.length,
    },
  };
}

/**
 * "No data yet", "the last extraction failed" and "really empty" are three different answers (contract §4). A tool is a next step only where
 * it has something to say. In few words: a model reads them in every answer, for each such connection.
 */
function sourceOf(source: SourceState, hasKnownHoldings: boolean): Source {
  const { credentials_token, bank, as_of, pending, blocked, errored, is_overdue } = source;
  const notOk = (state: Source["state"], message: string, next_action: string) => ({
    credentials_token,
    bank,
    as_of,
    state,
    message,
    next_action,
  });
  if (blocked || errored) {
    const reason = blocked ? "blocked" : "the last extraction failed";
    const next = hasKnownHoldings ? "read its holdings instead" : "wait";
    return notOk(
      as_of === null ? "error" : "stale",
      `${reason}${hasKnownHoldings ? "; its holdings are known" : ""}`,
      blocked ? "svc-needs-relogin" : `${next}; a login would not help`,
    );
  }
  if (as_of === null && pending) return notOk("pending", "no data yet", "ask again soon");
  if (as_of === null) return notOk("pending", "not delivered by the bank yet", "say so");
  if (is_overdue) return notOk("stale", "old", "say how old");
  return { credentials_token, bank, as_of, state: "ok" };
}

function listOf(
  value: string | readonly string[] | undefined,
  normal: (text: string) => string,
): readonly string[] | null {
  if (value === undefined) return null;
  return [...new Set((typeof value === "string" ? [value] : value).map(normal))];
}

function dayOf(time: string | null): string | null {
  return time?.slice(0, "YYYY-MM-DD".length) ?? null;
}

function upper(text: string): string {
  return text.toUpperCase();
}

function lower(text: string): string {
  return text.toLowerCase();
}

function revisionOf(snapshot: string): string {
  const match = /^r(\d{1,18})$/.exec(snapshot);
  if (!match?.[1]) throw invalid(invalidValue("snapshot", "must be the snapshot of an earlier answer"));
  return match[1];
}

function knownShape(field: string, text: string | undefined): Uuid | null {
  return text === undefined ? null : knownId(field, text);
}
