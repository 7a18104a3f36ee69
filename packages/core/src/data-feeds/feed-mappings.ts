import { FeedRefusal } from "@org/provider-kit";
import { auditEntry } from "../audit-entry.js";
import { CoreError, invalid, invalidAll, invalidValue } from "../errors.js";
import type { Actor } from "../ports/actor.js";
import type { FeedMappingStore, MappingOwner, StoredFeedMapping } from "../ports/feed-mapping-store.js";
import type { Runtime } from "../ports/runtime.js";
import type { Storage } from "../ports/storage.js";
import { type Uuid, uuidOf } from "../schemas/identifier.js";
import { asSeen, overtaken, versionOf } from "../seen-versions.js";
import type { Connectors } from "../services/connectors.js";
import type { FeedOrigin } from "./feed-delivery.js";

/** What a mapping is, as core sees it; `@org/feed-mapping` implements it. */
export interface MappingLanguage {
  /** Every fault of what is no mapping, none of what is one. */
  faultsOf(stated: unknown): readonly { readonly path: string; readonly message: string }[];
  /** What a file would be read as. `mapping` is one without faults. */
  test(file: Uint8Array, mapping: object, options: { readonly fileName: string; readonly limit: number }): object;
  /** A proposal made of a file. @throws FeedRefusal for what is no table */
  draft(file: Uint8Array, fileName: string): object;
  /** Those that come with the server. */
  readonly shipped: readonly { readonly name: string; readonly title: string }[];
}

/** Whose mapping an operator means: a connector's, a connection's; neither = one that comes with the server. */
export interface MappingTarget {
  readonly connector_id?: string | undefined;
  readonly connection_id?: string | undefined;
}

/** A mapping without its text. */
export interface FeedMappingView {
  readonly name: string;
  readonly title: string;
  readonly connector_id: string | null;
  readonly connection_id: string | null;
  /** Null of one that comes with the server. */
  readonly changed_at: Date | null;
  /** Another one after each change; 0 of one that comes with the server. */
  readonly version: number;
}

/** Mappings of custodians' tables, as operators see to them. */
export interface FeedMappings {
  /** Stored ones by owner and name, then those that come with the server. */
  list(): Promise<readonly FeedMappingView[]>;
  /** @throws CoreError NOT_FOUND */
  show(target: MappingTarget, name: string): Promise<FeedMappingView & { readonly mapping: object }>;
  /**
   * In place of the owner's mapping of this name; files that wait for one are tried again.
   * @throws CoreError VALIDATION_ERROR with every fault, NOT_FOUND, CONFLICT when it is another than the `version` that was seen
   */
  set(
    operator: Actor,
    target: MappingTarget,
    mapping: unknown,
    version?: number,
  ): Promise<{ readonly mapping: FeedMappingView } & TriedAgain>;
  /** Files that wait are tried again: of two mappings that recognised one it is left. @throws CoreError NOT_FOUND */
  remove(operator: Actor, target: MappingTarget, name: string): Promise<void>;
  /** What a file would be read as by a mapping given, which is not kept. @throws CoreError VALIDATION_ERROR */
  test(file: Uint8Array, fileName: string, mapping: unknown, limit: number): object;
  /** @throws CoreError VALIDATION_ERROR on `file` for what is no table */
  draft(file: Uint8Array, fileName: string): object;
  /**
   * What a file of a connection or letter may be read by where no format knows it, best first: the connection's mappings, its
   * connector's, and those that come with the server and that the connector's `feed_mapping` names.
   */
  appliesTo(origin: FeedOrigin): Promise<readonly object[]>;
  /**
   * The same for a file of which is not known yet for which of these it is: a list for each, of those that are alike one, none for
   * whoever has no mapping.
   */
  appliesToAny(feeds: readonly MappedFeed[]): Promise<readonly (readonly object[])[]>;
}

/** What a file may be for: a connection, or, with null, any feed of the connector that has none of its own. */
export interface MappedFeed {
  readonly connector_id: string;
  readonly connection_id: Uuid | null;
}

/** How many files that waited were tried again, and how many of them were taken. */
export interface TriedAgain {
  readonly retried: number;
  readonly taken: number;
}

/** Mappings that are listed at most. */
const MAX_LISTED = 1_000;

export function createFeedMappings(deps: {
  storage: Pick<Storage, "directory" | "feedMappings" | "inTenant">;
  runtime: Runtime;
  connectors: Pick<Connectors, "find">;
  language: MappingLanguage;
  /** Told after an owner has other mappings than before: files that wait for one are tried again. */
  onChanged?: (operator: Actor, owner: MappingOwner) => Promise<TriedAgain>;
}): FeedMappings {
  const { storage, runtime, connectors, language } = deps;
  const store: FeedMappingStore = storage.feedMappings;

  return {
    async list() {
      const stored = await store.list(MAX_LISTED);
      return [...stored.map(viewOf), ...language.shipped.map(shippedView)];
    },

    async show(target, name) {
      if (target.connector_id === undefined && target.connection_id === undefined) {
        const mapping = language.shipped.find((each) => each.name === name);
        if (!mapping) throw mappingNotFound();
        return { ...shippedView(mapping), mapping };
      }
      const found = (await store.of(await ownerOf(target))).find((each) => each.name === name);
      if (!found) throw mappingNotFound();
      return { ...viewOf(found), mapping: found.mapping };
    },

    async set(operator, target, stated, version) {
      const mapping = requireSound(stated);
      const owner = await ownerOf(target);
      const row = { owner, name: mapping.name, mapping, changed_at: runtime.clock() };
      const entry = entryOf(operator, "feed_mapping.set", owner, mapping.name);
      const kept = await store.keep(row, entry, asSeen(version, mappingVersion));
      if (kept === "unknown") throw connectionNotFound();
      if (kept === "overtaken") throw overtaken("mapping", version);
      return { mapping: viewOf(row), ...((await deps.onChanged?.(operator, owner)) ?? { retried: 0, taken: 0 }) };
    },

    async remove(operator, target, name) {
      const owner = await ownerOf(target);
      if (!(await store.remove(owner, name, entryOf(operator, "feed_mapping.remove", owner, name))))
        throw mappingNotFound();
      await deps.onChanged?.(operator, owner);
    },

    test: (file, fileName, mapping, limit) => language.test(file, requireSound(mapping), { fileName, limit }),
    draft(file, fileName) {
      try {
        return language.draft(file, fileName);
      } catch (error) {
        if (!(error instanceof FeedRefusal)) throw error;
        throw invalid(invalidValue("file", error.reason));
      }
    },

    async appliesTo({ tenant_id, feed_id }) {
      const id = uuidOf(feed_id);
      if (id === null) return [];
      const { connection, letter } = await storage.inTenant(tenant_id, async ({ connections, letters }) => {
        const connection = await connections.find(id);
        return { connection, letter: connection ? null : await letters.find(id) };
      });
      const connectorId = connection?.connector_id ?? letter?.connector_id;
      if (connectorId === undefined) return [];
      const connectionId = connection?.connection_id ?? letter?.connection_id ?? null;
      const own = connectionId === null ? [] : await store.of({ tenant_id, connection_id: connectionId });
      const shared = await store.of({ connector_id: connectorId });
      return [...[...own, ...shared].map(({ mapping }) => mapping), ...(await shippedFor(connectorId))];
    },

    async appliesToAny(feeds) {
      const connector_ids = [...new Set(feeds.map(({ connector_id }) => connector_id))];
      const connection_ids = [...new Set(feeds.flatMap(({ connection_id }) => connection_id ?? []))];
      if (connector_ids.length === 0) return [];
      const stored = await store.ofAny({ connector_ids, connection_ids });
      const shipped = new Map<string, readonly object[]>();
      for (const id of connector_ids) shipped.set(id, await shippedFor(id));
      const owning = new Set(stored.flatMap(({ owner }) => ("connection_id" in owner ? owner.connection_id : [])));
      const kinds = new Map(
        feeds.map(({ connector_id, connection_id }) => {
          const own = connection_id !== null && owning.has(connection_id) ? connection_id : null;
          return [`${connector_id} ${own}`, { connector_id, own }];
        }),
      );
      const lists = [...kinds.values()].map(({ connector_id, own }) => [
        ...stored.filter(({ owner }) => "connection_id" in owner && owner.connection_id === own).map(textOf),
        ...stored.filter(({ owner }) => "connector_id" in owner && owner.connector_id === connector_id).map(textOf),
        ...(shipped.get(connector_id) ?? []),
      ]);
      const different = new Map(lists.map((list) => [JSON.stringify(list), list]));
      return [...different.values()].filter((list) => list.length > 0);
    },
  };

  /** Mappings that come with the server and that the connector's `feed_mapping` names. */
  async function shippedFor(connectorId: string): Promise<readonly object[]> {
    const named = (await connectors.find(connectorId))?.metadata.feed_mapping;
    const names = Array.isArray(named) ? named : [named];
    return language.shipped.filter(({ name }) => names.includes(name));
  }

  /** @throws CoreError VALIDATION_ERROR where neither or both are named, NOT_FOUND */
  async function ownerOf({ connector_id, connection_id }: MappingTarget): Promise<MappingOwner> {
    if ((connector_id === undefined) === (connection_id === undefined))
      throw invalid(invalidValue("connector_id", "exactly one of connector_id and connection_id is required"));
    if (connector_id !== undefined) {
      if (!(await connectors.find(connector_id))) throw new CoreError("NOT_FOUND", "no such connector_id");
      return { connector_id };
    }
    const id = uuidOf(connection_id?.toLowerCase() ?? "");
    const tenant_id = id && (await storage.directory.tenantOfConnection(id));
    if (!id || !tenant_id) throw connectionNotFound();
    return { tenant_id, connection_id: id };
  }

  function requireSound(stated: unknown): { name: string; title: string } {
    const faults = language.faultsOf(stated);
    if (faults.length > 0)
      throw invalidAll(
        faults
          .slice(0, MAX_FAULTS)
          .map(({ path, message }) => invalidValue(path === "mapping" ? path : `mapping.${path}`, message)),
      );
    return stated as { name: string; title: string };
  }

  function entryOf(operator: Actor, action: string, owner: MappingOwner, name: string) {
    const [kind, id]: [string, string] =
      "connector_id" in owner ? ["connector", owner.connector_id] : ["connection", owner.connection_id];
    return auditEntry(runtime, operator, action, kind, id, { name });
  }
}

const MAX_FAULTS = 100;

function viewOf({ owner, name, mapping, changed_at }: StoredFeedMapping): FeedMappingView {
  const title = (mapping as { title?: string }).title ?? name;
  return { name, title, ...idsOf(owner), changed_at, version: mappingVersion({ mapping, changed_at }) };
}

function mappingVersion({ mapping, changed_at }: Pick<StoredFeedMapping, "mapping" | "changed_at">): number {
  return versionOf(mapping, changed_at);
}

function textOf({ mapping }: StoredFeedMapping): object {
  return mapping;
}

function idsOf(owner: MappingOwner): { connector_id: string | null; connection_id: Uuid | null } {
  if ("connector_id" in owner) return { connector_id: owner.connector_id, connection_id: null };
  return { connector_id: null, connection_id: owner.connection_id };
}

function shippedView({ name, title }: { readonly name: string; readonly title: string }): FeedMappingView {
  return { name, title, connector_id: null, connection_id: null, changed_at: null, version: 0 };
}

function mappingNotFound(): CoreError {
  return new CoreError("NOT_FOUND", "no such mapping");
}

function connectionNotFound(): CoreError {
  return new CoreError("NOT_FOUND", "no such connection_id");
}
