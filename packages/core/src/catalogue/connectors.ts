import { type ConnectorFilter, ConnectorFilterError, parseConnectorFilter } from "@org/connector-filter";
import { alpha3Of } from "@org/connector-filter/countries";
import { type Fault, invalid, invalidAll, invalidValue } from "../errors.js";
import { createEventLoopYielder, waitOf } from "../event-loop-yielder.js";
import { checkInput, collectFaults, faultsOf, parseOrRefuse } from "../faults.js";
import { createPager } from "../pager.js";
import type { Runtime } from "../ports/runtime.js";
import type { ProviderDirectory } from "../providers/provider-directory.js";
import { type CatalogueConnector, type ConnectorView, DATAFEED_TYPE } from "../schemas/connector.js";
import { connectorListSchema, type MatchedAs, previewSchema } from "../schemas/connector-requests.js";
import { type Page, toPage } from "../schemas/paging.js";
import { searchKey } from "../search-key.js";
import { createCatalogueCache, readCatalogueRows } from "./catalogue.js";
import type { CatalogueStore, ImportedRows } from "./catalogue-store.js";
import type { NameIndex } from "./name-index.js";

/** A page of the connect API: `next_page_token` is opaque and null on the last page. */
export interface TokenPage<T> {
  readonly items: readonly T[];
  readonly next_page_token: string | null;
}

/** A part of a filter that is allowed but has no effect; `field` as in a fault. */
export interface FilterWarning {
  readonly field: string;
  readonly message: string;
}

/**
 * The catalogue of connectors, and what a filter leaves of it. Whether a connector is available depends on the providers that a tenant has
 * settings for. A null tenant stands for the operator, who sees as available whatever is available to any tenant.
 */
export interface Connectors {
  /**
   * Connectors whose name contains `name` (compared by {@link searchKey}), in catalogue order (by id). With `unserved`, only those that no
   * provider serves.
   */
  search(
    query: { name: string | null; unserved?: boolean; page: number; page_size: number },
    tenantId: string | null,
  ): Promise<Page<CatalogueConnector>>;
  /** What a text that is in no name may have meant. */
  suggest(name: string, tenantId: string | null): Promise<ConnectorSuggestion>;
  /**
   * Ids of connectors whose id or name contains the typed text (compared by {@link searchKey}); ids that start with it come first. With
   * `connectable`, only those for which a Connect session can be opened.
   */
  completions(typed: string, query: { connectable: boolean }, tenantId: string | null): Promise<readonly string[]>;
  /** `tenantId` defaults to null, for callers that do not need to know what is available. */
  find(connectorId: string, tenantId?: string | null): Promise<CatalogueConnector | null>;
  /** Every connector, as the letters API lists them. */
  all(tenantId: string | null): Promise<readonly CatalogueConnector[]>;
  /** The available connectors that pass a filter, in catalogue order; a null filter passes all of them. */
  allowedBy(filter: ConnectorFilter | null, tenantId: string | null): Promise<readonly CatalogueConnector[]>;
  /** The fault of a filter at the path `at` that leaves no connector: the rule that removed the last one. Null if one is left. */
  emptyFilterFault(filter: ConnectorFilter, at: string, tenantId: string | null): Promise<Fault | null>;
  /**
   * The connectors that pass a filter, 100 per page. `body` = `{connector_filter, page_token?}` as sent (S2 §4). Each page has the same
   * `warnings`: values of the filter that match nothing, at most 100; absent if there are none.
   * @throws CoreError VALIDATION_ERROR with every fault; a token of another filter, or a damaged one, is a fault of `page_token`.
   */
  preview(
    body: unknown,
    tenantId: string | null,
  ): Promise<TokenPage<ConnectorView> & { readonly warnings?: readonly FilterWarning[] }>;
  /** `body` = `{query?: {connector_id_in?}, page_token?}` (contract §5). */
  list(body: unknown, tenantId: string | null): Promise<TokenPage<ConnectorView>>;
  /**
   * Imports NDJSON lines (contract §9 "Catalogue rows"), all or none. A connector that no provider serves is imported, but is not available
   * until one does.
   * @throws CoreError VALIDATION_ERROR naming the line (`line 17`) and what is wrong with it.
   */
  importLines(
    lines: AsyncIterable<string> | Iterable<string>,
    leaveOut?: (line: number, faults: readonly Fault[]) => void,
  ): Promise<ImportedCatalogue>;
  /**
   * Decides for connectors which institution they reach, whatever their identifiers say; of one that was decided together with others before, those
   * that are not named are decided by their identifiers again.
   * @throws CoreError VALIDATION_ERROR on `connector_ids`
   */
  match(connectorIds: readonly string[], as: MatchedAs): Promise<readonly CatalogueConnector[]>;
}

/** Connectors that a text in no name may have meant. */
export interface ConnectorSuggestion {
  /** The ISO 3166-1 alpha-3 code of the country that the text names, else null. */
  readonly country: string | null;
  /**
   * The available ones of that country; without one, those with the longest beginning of a word of the text in their name. At most five, in
   * catalogue order.
   */
  readonly connectors: readonly CatalogueConnector[];
  /** How many there are. */
  readonly total: number;
}

/** The result of an import. */
export interface ImportedCatalogue extends ImportedRows {
  /** Rows that say they are available, but whose provider is not loaded on this server or has no settings. */
  readonly unserved_total: number;
  /** The first 100 of them, by id. */
  readonly unserved: readonly { readonly id: string; readonly provider: string }[];
}

const PREVIEW_PAGE = 100;
/** Bounds the answer to a filter of unknown values, which would otherwise be many times the size of the filter. */
const MAX_WARNINGS = 100;
const MAX_UNSERVED = 100;
const MAX_SUGGESTED = 5;
/** Shorter beginnings of words are in too many names. */
const MIN_BEGINNING = 3;
const MAX_BEGINNING = 30;
/** Bounds the look-ups of one suggestion. */
const MAX_WORDS = 5;

/** A connector's name, or its id if the catalogue does not have it. */
export async function nameOfConnector(
  connectors: Pick<Connectors, "find">,
  connectorId: string,
  tenantId?: string,
): Promise<string> {
  return (await connectors.find(connectorId, tenantId))?.name ?? connectorId;
}

/**
 * @param deps.defaultProvider provider of imported rows that name none; null when there is no default (the sandbox is off)
 * @param deps.providers without it every connector counts as served
 * @param deps.loop shares the event loop between tenants while it is late
 */
export function createConnectors(deps: {
  catalogue: CatalogueStore;
  mac: Runtime["mac"];
  defaultProvider: string | null;
  providers?: Pick<ProviderDirectory, "serves" | "offering" | "names">;
  loop?: Runtime["loop"];
}): Connectors {
  const current = createCatalogueCache(deps.catalogue, deps.providers, deps.loop);
  const page = createPager(deps.mac);

  return {
    async search({ name, unserved: onlyUnserved = false, page, page_size }, tenantId) {
      const { connectors, names, unserved } = await current(tenantId);
      const needle = searchKey(name ?? "");
      const named = needle === "" ? connectors : namedBy(names, needle, connectors);
      const matches = onlyUnserved ? named.filter(({ id }) => unserved.has(id)) : named;
      return toPage(matches.slice((page - 1) * page_size, page * page_size), matches.length, page, page_size);
    },
    async suggest(name, tenantId) {
      const { connectors, names } = await current(tenantId);
      const country = alpha3Of(name);
      const beginning = country === null ? longestBeginning(names, searchKey(name)) : null;
      const found =
        country !== null
          ? connectors.filter(({ available, countries }) => available && countries.includes(country))
          : beginning !== null
            ? namedBy(names, beginning, connectors)
            : [];
      return { country, connectors: found.slice(0, MAX_SUGGESTED), total: found.length };
    },
    async completions(typed, { connectable }, tenantId) {
      const { connectors, names, ids } = await current(tenantId);
      const wanted = searchKey(typed);
      const named = new Set(names.matching(wanted));
      const [beginning, others]: [string[], string[]] = [[], []];
      for (const [index, { id, available, type }] of connectors.entries()) {
        if (connectable && (!available || type === DATAFEED_TYPE)) continue;
        if (ids[index]?.startsWith(wanted)) beginning.push(id);
        else if (ids[index]?.includes(wanted) || named.has(index)) others.push(id);
      }
      return [...beginning, ...others];
    },
    async find(connectorId, tenantId = null) {
      return (await current(tenantId)).byId.get(connectorId) ?? null;
    },
    async all(tenantId) {
      return (await current(tenantId)).connectors;
    },
    async allowedBy(filter, tenantId) {
      return (await current(tenantId)).prepared.apply(filter ?? undefined);
    },
    async emptyFilterFault(filter, at, tenantId) {
      const { preparedWarnings } = await current(tenantId);
      const pace = createEventLoopYielder(waitOf(deps.loop, tenantId));
      const index = preparedWarnings.emptyingRule(filter);
      if (index === null) return null;
      if (pace.isDue()) await pace.turn();
      const [warning] = preparedWarnings.warnings(filter).filter(({ path }) => ruleOf(path) > index);
      const hint = warning ? ` (${warning.path.replace(/^connector_filter/, at)}: ${warning.message})` : "";
      return invalidValue(`${at}.rules[${index}]`, `leaves no connector, and no rule after it adds one back${hint}`);
    },
    async preview(body, tenantId) {
      const pace = createEventLoopYielder(waitOf(deps.loop, tenantId));
      const { filter, token } = readPreview(body);
      const { prepared, preparedWarnings } = await current(tenantId);
      if (pace.isDue()) await pace.turn();
      const warnings = preparedWarnings.warnings(filter, MAX_WARNINGS);
      if (pace.isDue()) await pace.turn();
      const kept = prepared.apply(filter);
      if (pace.isDue()) await pace.turn();
      return {
        ...(await pageAfter(kept, { preview: filter }, token)),
        ...(warnings.length > 0 && { warnings: warnings.map(({ path, message }) => ({ field: path, message })) }),
      };
    },
    async list(body, tenantId) {
      const request = parseOrRefuse(connectorListSchema, body ?? {});
      const wanted = request.query?.connector_id_in ?? null;
      const { connectors, byId } = await current(tenantId);
      const matches = wanted === null ? connectors : [...new Set(wanted)].sort().flatMap((id) => byId.get(id) ?? []);
      return pageAfter(matches, { list: wanted }, request.page_token ?? null);
    },
    async importLines(lines, leaveOut) {
      const read = await readCatalogueRows(
        lines,
        deps.defaultProvider,
        createEventLoopYielder(waitOf(deps.loop, null)),
        leaveOut,
      );
      const decided = new Map((await deps.catalogue.decided()).map(({ id, metadata }) => [id, metadata]));
      const rows = read.map((row) => ({ ...row, metadata: withDecision(row.metadata, decided.get(row.id)) }));
      const done = await deps.catalogue.importAll(rows);
      const unserved = rows.filter((row) => row.available && !isServed(row));
      const named = unserved.map(({ id, provider }) => ({ id, provider })).sort((a, b) => (a.id < b.id ? -1 : 1));
      return { ...done, unserved_total: unserved.length, unserved: named.slice(0, MAX_UNSERVED) };
    },
    async match(connectorIds, as) {
      const ids = [...new Set(connectorIds)];
      if (as === "one" && ids.length < 2) throw invalid(invalidValue("connector_ids", "must have at least 2 entries"));
      const rows = await storedRows(ids);
      const decided = await deps.catalogue.decided();
      const left = decided.filter(
        ({ id, metadata }) => !ids.includes(id) && ids.includes(String(metadata.institution)),
      );
      const changed = [
        ...rows.map((row, index) =>
          decidedAs(
            row,
            as === "one" ? { institution: ids[0], way: index + 1 } : as === "separate" ? { institution: row.id } : {},
          ),
        ),
        ...left.map((row) => decidedAs(row, {})),
      ];
      await deps.catalogue.importAll(changed);
      const { byId } = await current(null);
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
  };

  async function storedRows(ids: readonly string[]): Promise<readonly CatalogueConnector[]> {
    const found = await Promise.all(ids.map((id) => deps.catalogue.find(id)));
    const faults = found.flatMap((row, index) =>
      row === null ? [invalidValue(`connector_ids[${index}]`, "is not in the catalogue")] : [],
    );
    if (faults.length > 0) throw invalidAll(faults);
    return found as readonly CatalogueConnector[];
  }

  /** Data feeds come through letters and need no provider. */
  function isServed(row: CatalogueConnector): boolean {
    return row.type === DATAFEED_TYPE || (deps.providers?.serves(row, null) ?? true);
  }

  function pageAfter(
    sorted: readonly CatalogueConnector[],
    query: unknown,
    token: string | null,
  ): Promise<TokenPage<ConnectorView>> {
    return page({
      query,
      token,
      size: PREVIEW_PAGE,
      rows: (after: string | null, limit) => {
        const start = after === null ? 0 : sorted.findIndex(({ id }) => id > after);
        return start < 0 ? [] : sorted.slice(start, start + limit);
      },
      keyOf: ({ id }) => id,
      readKey: (id) => id,
    }).then(({ rows, next_page_token }) => ({ items: rows.map(connectorView), next_page_token }));
  }
}

function namedBy(names: NameIndex, key: string, connectors: readonly CatalogueConnector[]) {
  return names.matching(key).map((place) => connectors[place] as CatalogueConnector);
}

/** The longest beginning of a word of the text that is in a name; null if none of at least three letters is. */
function longestBeginning(names: NameIndex, text: string): string | null {
  let longest = "";
  for (const word of text.split(/\s+/).slice(0, MAX_WORDS)) {
    // Where a beginning is in no name, no longer one is.
    let [known, unknown] = [Math.max(longest.length, MIN_BEGINNING - 1), Math.min(word.length, MAX_BEGINNING) + 1];
    while (unknown - known > 1) {
      const middle = (known + unknown) >> 1;
      const beginning = word.slice(0, middle);
      if (names.has(beginning)) [known, longest] = [middle, beginning];
      else unknown = middle;
    }
  }
  return longest === "" ? null : longest;
}

/** Reads the body and the filter in it, and reports the faults of both together. */
function readPreview(body: unknown): { filter: ConnectorFilter; token: string | null } {
  const parsed = checkInput(previewSchema, body);
  const faults = parsed.success ? [] : faultsOf(parsed.error, body);
  const given =
    body !== null && typeof body === "object" && "connector_filter" in body ? body.connector_filter : undefined;
  const filter =
    given === undefined ? null : collectFaults(faults, () => parseFilterOrRefuse(given, "connector_filter"));
  if (!parsed.success || filter === null) throw invalidAll(faults);
  return { filter, token: parsed.data.page_token ?? null };
}

/** What an operator has decided about a connector's institution stays until an import or another decision says otherwise; null ends it. */
function withDecision(stated: CatalogueConnector["metadata"], before: CatalogueConnector["metadata"] = {}) {
  const { institution = before.institution, way = before.way, ...metadata } = stated;
  return { ...metadata, ...(institution != null && { institution }), ...(way != null && { way }) };
}

function decidedAs(
  row: CatalogueConnector,
  decision: { readonly institution?: string | undefined; readonly way?: number },
) {
  return { ...row, metadata: withDecision({ ...row.metadata, institution: null, way: null, ...decision }) };
}

/** The public fields of a catalogue entry. */
export function connectorView({ id, name, type, countries, available }: CatalogueConnector): ConnectorView {
  return { id, name, type, countries, available };
}

/** Index of the rule in the path of a warning. */
function ruleOf(path: string): number {
  return Number(/\[(\d+)\]/.exec(path)?.[1]);
}

/** Far more than real filters have. Each value costs time whenever the filter is applied, and a megabyte of them would delay all requests. */
const MAX_RULES = 1_000;
const MAX_IDS = 10_000;
/** Countries and types together; ISO 3166-1 has 249 countries. */
const MAX_OTHERS = 1_000;
const MAX_VALUE_LENGTH = 200;
const MAX_FAULTS = 1_000;

/** Parses the connector filter at the path `at` of a request. @throws CoreError with the paths of the first 1,000 faults */
export function parseFilterOrRefuse(value: unknown, at: string) {
  const fault = excessOf((value as { readonly rules?: unknown } | null)?.rules, at);
  if (fault !== null) throw invalid(fault);
  try {
    return parseConnectorFilter(value);
  } catch (error) {
    if (!(error instanceof ConnectorFilterError)) throw error;
    throw invalidAll(
      error.issues.slice(0, MAX_FAULTS).map(({ path, error_type, message }) => ({
        field: path.replace(/^connector_filter/, at),
        error_type,
        message,
        rule: message,
      })),
    );
  }
}

/** Checks the size of a filter before the rest of it is parsed. */
function excessOf(rules: unknown, at: string): Fault | null {
  if (!Array.isArray(rules)) return null;
  if (rules.length > MAX_RULES) return invalidValue(`${at}.rules`, `must be at most ${MAX_RULES} rules`);
  let [ids, others] = [0, 0];
  for (const [index, rule] of rules.entries()) {
    const { field, value } = (rule ?? {}) as { readonly field?: unknown; readonly value?: unknown };
    const texts = Array.isArray(value) ? value : [value];
    if (field === "connector_id") ids += texts.length;
    else others += texts.length;
    const path = `${at}.rules[${index}].value`;
    if (ids > MAX_IDS) return invalidValue(path, `must not be more than ${MAX_IDS} connector ids with those before`);
    if (others > MAX_OTHERS)
      return invalidValue(path, `must not be more than ${MAX_OTHERS} countries and types with those before`);
    if (texts.some((text) => typeof text === "string" && text.length > MAX_VALUE_LENGTH))
      return invalidValue(path, `must have at most ${MAX_VALUE_LENGTH} characters each`);
  }
  return null;
}
