import type {
  Actor,
  AuditedAction,
  Connectors,
  FeedMappingStore,
  MappingOwner,
  Runtime,
  Storage,
  StoredFeedMapping,
  Uuid,
} from "@org/core";
import {
  auditEntry,
  CoreError,
  contentVersion,
  ifVersion,
  invalid,
  invalidAll,
  invalidValue,
  versionConflict,
} from "@org/core";
import { FeedRefusal } from "@org/provider-kit";
import type { SentFile } from "./data-feeds.js";

/**
 * What a mapping language does; `@org/feed-mapping` implements it. A mapping or file that takes too long or too much memory is a FeedRefusal;
 * CoreError RATE_LIMITED and UNAVAILABLE say that too many are waiting.
 */
export interface MappingLanguage {
  /** Faults of a mapping, at most {@link MAX_MAPPING_FAULTS}; empty if it is valid. */
  faultsOf(stated: unknown): Promise<readonly MappingFaultView[]>;
  /** Reads a file by a mapping and returns what it would show, or the mapping's faults. */
  test(
    file: SentFile,
    stated: unknown,
    limit: number,
  ): Promise<{ readonly faults: readonly MappingFaultView[] } | { readonly shown: object }>;
  /**
   * Proposes a mapping for a file.
   * @throws FeedRefusal if the file is not a table
   */
  draft(file: SentFile): Promise<object>;
  /** Shipped mappings. Loaded on demand, because checking them all takes time that no start should spend. */
  shipped(): readonly { readonly name: string; readonly title: string }[];
}

/** One fault of a mapping: its path, such as `tables[0].rows[2].when`, or `mapping` for the whole, and a message. */
export interface MappingFaultView {
  readonly path: string;
  readonly message: string;
}

/** The owner of a mapping: a connector or a connection; neither = a shipped mapping. */
export interface MappingTarget {
  readonly connector_id?: string | undefined;
  readonly connection_id?: Uuid | undefined;
}

/** A mapping without its text. */
export interface FeedMappingView {
  readonly name: string;
  readonly title: string;
  readonly connector_id: string | null;
  readonly connection_id: string | null;
  /** Null for a shipped mapping. */
  readonly changed_at: Date | null;
  /** Differs after each change; 0 for a shipped mapping. */
  readonly version: number;
}

/** Mappings of custodians' tables, as operators manage them. */
export interface FeedMappings {
  /** Stored mappings by owner and name, then the shipped ones. */
  list(): Promise<readonly FeedMappingView[]>;
  /** @throws CoreError NOT_FOUND */
  show(target: MappingTarget, name: string): Promise<FeedMappingView & { readonly mapping: object }>;
  /**
   * Creates the owner's mapping of this name or replaces it, and tries waiting files again.
   * @throws CoreError VALIDATION_ERROR with every fault, NOT_FOUND, CONFLICT if it changed since the `version` that the operator saw
   */
  set(
    operator: Actor,
    target: MappingTarget,
    mapping: unknown,
    version?: number,
  ): Promise<{ readonly mapping: FeedMappingView } & TriedAgain>;
  /**
   * Tries waiting files again, because a file that two mappings recognised may have one left.
   * @throws CoreError NOT_FOUND
   */
  remove(operator: Actor, target: MappingTarget, name: string): Promise<void>;
  /**
   * Shows what a file would be read as by the given mapping, without keeping the mapping.
   * @throws CoreError VALIDATION_ERROR for a mapping with faults, and on `file` where it takes too long or too much memory; RATE_LIMITED,
   * UNAVAILABLE when too many are waiting
   */
  test(file: SentFile, mapping: unknown, limit: number): Promise<object>;
  /** @throws CoreError VALIDATION_ERROR on `file` if it is not a table; otherwise as {@link FeedMappings.test} */
  draft(file: SentFile): Promise<object>;
}

/** How many waiting files were tried again, and how many of them were ingested. */
export interface TriedAgain {
  readonly retried: number;
  readonly taken: number;
}

/** Maximum number of mappings listed. */
const MAX_LISTED = 1_000;

export function createFeedMappings(deps: {
  storage: Pick<Storage, "directory" | "feedMappings" | "inTenant">;
  runtime: Runtime;
  connectors: Pick<Connectors, "find">;
  language: MappingLanguage;
  /** Called after an owner's mappings have changed: tries waiting files again. */
  onChanged?: (operator: Actor, owner: MappingOwner) => Promise<TriedAgain>;
}): FeedMappings {
  const { storage, runtime, connectors, language } = deps;
  const store: FeedMappingStore = storage.feedMappings;

  return {
    async list() {
      const stored = await store.list(MAX_LISTED);
      return [...stored.map(viewOf), ...language.shipped().map(shippedView)];
    },

    async show(target, name) {
      if (target.connector_id === undefined && target.connection_id === undefined) {
        const mapping = language.shipped().find((each) => each.name === name);
        if (!mapping) throw mappingNotFound();
        return { ...shippedView(mapping), mapping };
      }
      const found = (await store.of(await ownerOf(target))).find((each) => each.name === name);
      if (!found) throw mappingNotFound();
      return { ...viewOf(found), mapping: found.mapping };
    },

    async set(operator, target, stated, version) {
      const faults = await tried(language.faultsOf(stated), "mapping");
      if (faults.length > 0) throw faultsFound(faults);
      const mapping = stated as { name: string };
      const owner = await ownerOf(target);
      const row = { owner, name: mapping.name, mapping, changed_at: runtime.clock() };
      const entry = entryOf(operator, "feed_mapping.set", owner, mapping.name);
      const kept = await store.keep(row, entry, ifVersion(version, mappingVersion));
      if (kept === "unknown") throw connectionNotFound();
      if (kept === "overtaken") throw versionConflict("mapping", version);
      return { mapping: viewOf(row), ...((await deps.onChanged?.(operator, owner)) ?? { retried: 0, taken: 0 }) };
    },

    async remove(operator, target, name) {
      const owner = await ownerOf(target);
      if (!(await store.remove(owner, name, entryOf(operator, "feed_mapping.remove", owner, name))))
        throw mappingNotFound();
      await deps.onChanged?.(operator, owner);
    },

    async test(file, stated, limit) {
      const result = await tried(language.test(file, stated, limit), "file");
      if ("shown" in result) return result.shown;
      throw faultsFound(result.faults);
    },
    draft: (file) => tried(language.draft(file), "file"),
  };

  /** @throws CoreError VALIDATION_ERROR where neither or both are named, NOT_FOUND */
  async function ownerOf({ connector_id, connection_id }: MappingTarget): Promise<MappingOwner> {
    if ((connector_id === undefined) === (connection_id === undefined))
      throw invalid(invalidValue("connector_id", "exactly one of connector_id and connection_id is required"));
    if (connector_id !== undefined) {
      if (!(await connectors.find(connector_id))) throw new CoreError("NOT_FOUND", "no such connector_id");
      return { connector_id };
    }
    const tenant_id = connection_id && (await storage.directory.tenantOfConnection(connection_id));
    if (!connection_id || !tenant_id) throw connectionNotFound();
    return { tenant_id, connection_id };
  }

  function entryOf(operator: Actor, action: AuditedAction, owner: MappingOwner, name: string) {
    const [kind, id]: [string, string] =
      "connector_id" in owner ? ["connector", owner.connector_id] : ["connection", owner.connection_id];
    return auditEntry(runtime, operator, action, kind, id, { name });
  }
}

/** Maximum number of faults reported for one mapping. */
export const MAX_MAPPING_FAULTS = 100;

function faultsFound(faults: readonly MappingFaultView[]): CoreError {
  return invalidAll(
    faults.map(({ path, message }) => invalidValue(path === "mapping" ? path : `mapping.${path}`, message)),
  );
}

function viewOf({ owner, name, mapping, changed_at }: StoredFeedMapping): FeedMappingView {
  const title = (mapping as { title?: string }).title ?? name;
  return { name, title, ...idsOf(owner), changed_at, version: mappingVersion({ mapping, changed_at }) };
}

function mappingVersion({ mapping, changed_at }: Pick<StoredFeedMapping, "mapping" | "changed_at">): number {
  return contentVersion(mapping, changed_at);
}

function idsOf(owner: MappingOwner): { connector_id: string | null; connection_id: Uuid | null } {
  if ("connector_id" in owner) return { connector_id: owner.connector_id, connection_id: null };
  return { connector_id: null, connection_id: owner.connection_id };
}

function shippedView({ name, title }: { readonly name: string; readonly title: string }): FeedMappingView {
  return { name, title, connector_id: null, connection_id: null, changed_at: null, version: 0 };
}

/**
 * Awaits a trial.
 * @throws CoreError VALIDATION_ERROR on the field
 */
async function tried<Result>(trial: Promise<Result>, field: "file" | "mapping"): Promise<Result> {
  try {
    return await trial;
  } catch (error) {
    if (!(error instanceof FeedRefusal)) throw error;
    throw invalid(invalidValue(field, error.reason));
  }
}

function mappingNotFound(): CoreError {
  return new CoreError("NOT_FOUND", "no such mapping");
}

function connectionNotFound(): CoreError {
  return new CoreError("NOT_FOUND", "no such connection_id");
}
