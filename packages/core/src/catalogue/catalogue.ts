import { singleFlight } from "@org/admission";
import { type PreparedCatalog, prepareCatalog } from "@org/connector-filter";
import { alpha3Of } from "@org/connector-filter/countries";
import { prepareWarnings } from "@org/connector-filter/warnings";
import type { Steps } from "@org/provider-kit";
import { CoreError, type Fault, invalid, invalidValue } from "../errors.js";
import { createEventLoopYielder, type EventLoopYielder, runInSteps, waitOf } from "../event-loop-yielder.js";
import { checkInput, faultsOf } from "../faults.js";
import type { Runtime } from "../ports/runtime.js";
import type { ProviderDirectory } from "../providers/provider-directory.js";
import { type CatalogueConnector, DATAFEED_TYPE } from "../schemas/connector.js";
import { catalogueRowSchema } from "../schemas/connector-requests.js";
import { isStorableText } from "../schemas/identifier.js";
import { cleanText } from "../schemas/stated-text.js";
import { searchKey } from "../search-key.js";
import type { CatalogueStore } from "./catalogue-store.js";
import { institutionsOf, type Ways } from "./institutions.js";
import { createNameIndex, type NameIndex } from "./name-index.js";

/** The current catalogue as one tenant or an operator sees it, sorted by id, with what searching and filtering need. */
export interface CurrentCatalogue {
  readonly connectors: readonly CatalogueConnector[];
  /** The names, in the order of `connectors`. */
  readonly names: NameIndex;
  /** The ids in lower case, in the order of `connectors`. */
  readonly ids: readonly string[];
  readonly byId: ReadonlyMap<string, CatalogueConnector>;
  /** Ids of connectors whose rows say that they are available, but which no provider serves. */
  readonly unserved: ReadonlySet<string>;
  readonly prepared: PreparedCatalog<CatalogueConnector>;
  readonly preparedWarnings: ReturnType<typeof prepareWarnings>;
}

/** How many offerings' catalogues are cached. Offerings with the same result share one; at 40,000 connectors each takes about 10 MB. */
const KEPT = 16;

/**
 * Keeps the catalogue in memory and asks the store only for its revision, so that 40,000 connectors are read once per change and every
 * replica sees an import with its next call. A connector that no provider serves is shown as unavailable, whatever its row says. The row
 * itself stays as it is, because the provider may be loaded or get its settings at any time.
 *
 * Reading and preparing 40,000 connectors takes some 100 ms, which is done in steps, once for all that ask meanwhile.
 */
export function createCatalogueCache(
  store: CatalogueStore,
  providers: Pick<ProviderDirectory, "serves" | "offering" | "names"> | undefined,
  loop?: Runtime["loop"],
): (tenantId: string | null) => Promise<CurrentCatalogue> {
  let held: HeldCatalogue | undefined;
  const reloadProviders = singleFlight(async () => (held?.revision === (await store.revision()) ? held : load()));

  return async function current(tenantId) {
    const revision = await store.revision();
    const catalogue = held?.revision === revision ? held : await reloadProviders();
    const { offered } = catalogue;
    const key = offeringOf(tenantId);
    const found = offered.get(key);
    if (found === undefined) return prepare(catalogue, tenantId);
    offered.delete(key);
    offered.set(key, found);
    return found;
  };

  /** An operator's view has no tenant, and its offering may have the same text as a tenant's. */
  function offeringOf(tenantId: string | null): string {
    return tenantId === null ? `anybody ${providers?.offering(null)}` : `some ${providers?.offering(tenantId)}`;
  }

  /** Prepares one offering after the other, because the next may be the same or lack the same connectors. */
  function prepare(catalogue: HeldCatalogue, tenantId: string | null): Promise<CurrentCatalogue> {
    const before = catalogue.preparing;
    const made = (async () => {
      await before?.catch(() => undefined);
      const { rows, offered } = catalogue;
      const key = offeringOf(tenantId);
      const pace = createEventLoopYielder(waitOf(loop, tenantId));
      const found = offered.get(key) ?? (await offerOf(rows, missingIn(rows, tenantId), offered.values(), pace));
      offered.set(key, found);
      for (const oldest of offered.keys()) {
        if (offered.size <= KEPT) break;
        offered.delete(oldest);
      }
      return found;
    })();
    catalogue.preparing = made;
    return made;
  }

  /** Data feeds come through letters and need no provider. */
  function missingIn({ connectors }: Rows, tenantId: string | null): ReadonlySet<string> {
    const isMissing = (row: CatalogueConnector) =>
      row.available && row.type !== DATAFEED_TYPE && providers?.serves(row, tenantId) === false;
    return new Set(connectors.filter(isMissing).map(({ id }) => id));
  }

  async function load() {
    const { revision, connectors: rows } = await store.all();
    held = {
      revision,
      rows: await runInSteps(readRows(rows, providers?.names ?? []), createEventLoopYielder(waitOf(loop, null))),
      offered: new Map(),
    };
    return held;
  }
}

interface HeldCatalogue {
  readonly revision: string;
  readonly rows: Rows;
  readonly offered: Map<string, CurrentCatalogue>;
  /** The last offering that is being prepared, or was. */
  preparing?: Promise<CurrentCatalogue>;
}

/** Connectors of one step. */
const STEP = 1_000;

function* readRows(rows: readonly CatalogueConnector[], providers: readonly string[]): Steps<Rows> {
  const connectors = rows.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const [names, ids]: [string[], string[]] = [[], []];
  for (const [index, { id, name }] of connectors.entries()) {
    if (index % STEP === 0) yield;
    names.push(searchKey(name));
    ids.push(id.toLowerCase());
  }
  return { connectors, names: createNameIndex(names), ids, ways: yield* institutionsOf(connectors, providers) };
}

/** The catalogue as stored, and the ways of connectors that share their institution with others, by id. */
interface Rows extends Pick<CurrentCatalogue, "connectors" | "names" | "ids"> {
  readonly ways: ReadonlyMap<string, Ways>;
}

/** @param others catalogues made of the same rows; one that lacks the same connectors is reused */
async function offerOf(
  rows: Rows,
  unserved: ReadonlySet<string>,
  others: Iterable<CurrentCatalogue>,
  pace: EventLoopYielder,
): Promise<CurrentCatalogue> {
  for (const other of others)
    if (other.unserved.size === unserved.size && [...unserved].every((id) => other.unserved.has(id))) return other;
  return runInSteps(prepareOffer(rows, unserved), pace);
}

function* prepareOffer(
  { connectors: rows, names, ids, ways }: Rows,
  unserved: ReadonlySet<string>,
): Steps<CurrentCatalogue> {
  const unavailable = new Set(rows.flatMap((row) => (row.available && !unserved.has(row.id) ? [] : row.id)));
  const connectors = rows.map((row) => {
    const all = ways.get(row.id)?.filter((id) => !unavailable.has(id)) ?? [];
    if (all.length < 2 || unavailable.has(row.id)) return unserved.has(row.id) ? { ...row, available: false } : row;
    return { ...row, ways: all };
  });
  const byId = new Map<string, CatalogueConnector>();
  const prepared = prepareCatalog<CatalogueConnector>([]);
  for (const [index, connector] of connectors.entries()) {
    if (index % STEP === 0) yield;
    byId.set(connector.id, connector);
    prepared.add(connector);
  }
  return { connectors, names, ids, byId, unserved, prepared, preparedWarnings: prepareWarnings(connectors) };
}

const MAX_FAULTS = 20;
const MAX_ROWS = 1_000_000;
/** Lines of one step. */
const LINES_STEP = 100;

/**
 * Reads NDJSON lines as catalogue entries (contract §9). Empty lines are skipped; of two rows with the same id the later one counts. A step is a
 * hundred lines.
 * @param pace leaves the event loop to others
 * @param leaveOut is told of faulty lines, counted from 1, and they are left out; absent = they refuse all
 * @throws CoreError VALIDATION_ERROR with the faulty lines, at most 20 faults, also where no other is left; TOO_LARGE above a million connectors
 */
export async function readCatalogueRows(
  lines: AsyncIterable<string> | Iterable<string>,
  defaultProvider: string | null,
  pace: EventLoopYielder,
  leaveOut?: (line: number, faults: readonly Fault[]) => void,
): Promise<readonly CatalogueConnector[]> {
  const rows = new Map<string, CatalogueConnector>();
  const faults: Fault[] = [];
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (number % LINES_STEP === 0 && pace.isDue()) await pace.turn();
    if (line.trim() === "") continue;
    const row = readRow(line, `line ${number}`, defaultProvider);
    if (!Array.isArray(row)) rows.set(row.id, row);
    else {
      if (faults.length < MAX_FAULTS) faults.push(...row);
      leaveOut?.(number, row);
    }
    if ((faults.length >= MAX_FAULTS && !leaveOut) || rows.size > MAX_ROWS) break;
  }
  if (faults.length > 0 && !(leaveOut && rows.size > 0)) throw invalid(...faults.slice(0, MAX_FAULTS));
  if (rows.size > MAX_ROWS) throw new CoreError("TOO_LARGE", `a catalogue has at most ${MAX_ROWS} connectors`);
  if (rows.size === 0) throw invalid(invalidValue("file", "must hold at least one connector"));
  return [...rows.values()];
}

function readRow(line: string, at: string, defaultProvider: string | null): CatalogueConnector | Fault[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return [invalidValue(at, "must be one JSON object")];
  }
  if (!isStorableText(line) || line.includes("\\u0000"))
    return [invalidValue(at, "must not hold NUL or half a surrogate pair")];
  const parsed = checkInput(catalogueRowSchema, value);
  if (!parsed.success) return faultsOf(parsed.error, value, at);
  const {
    id,
    country,
    countries = [country as string],
    available,
    provider,
    provider_ref = null,
    ...stated
  } = parsed.data;
  const clean = cleanJson(stated);
  if (clean === null) return [invalidValue(at, "must not be nested that deep")];
  const { name, type, ...metadata } = clean;
  if (name === "") return [invalidValue(`${at}.name`, "must hold a character that is shown")];
  const codes = countries.map(countryCode);
  const unknown = countries.filter((_, index) => codes[index] === null);
  if (unknown.length > 0)
    return [
      invalidValue(
        `${at}.${country === undefined ? "countries" : "country"}`,
        `must be a country (ISO 3166-1 code or English name), not ${unknown.join(", ")}`,
      ),
    ];
  const served = provider ?? (type === "datafeed" ? "datafeed" : defaultProvider);
  if (served === null) return [invalidValue(`${at}.provider`, "is required while the sandbox banks are off")];
  return {
    id,
    name,
    type,
    countries: [...new Set(codes as string[])],
    available,
    provider: served,
    provider_ref,
    metadata,
  };
}

/** Cleans all texts and names in a JSON value; null if it is nested too deeply for that. */
function cleanJson<T extends object>(value: T): T | null {
  const json = JSON.stringify(value);
  try {
    return JSON.parse(json, (_, part: unknown) => {
      if (typeof part === "string") return cleanText(part);
      if (part === null || typeof part !== "object" || Array.isArray(part)) return part;
      return Object.fromEntries(Object.entries(part).map(([name, inner]) => [cleanText(name), inner]));
    }) as T;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Keeps any three letters, because catalogues contain countries that are no longer, or not yet, in ISO 3166-1. */
function countryCode(text: string): string | null {
  return alpha3Of(text) ?? (/^[A-Za-z]{3}$/.test(text) ? text.toLowerCase() : null);
}
