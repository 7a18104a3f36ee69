import type { AuditEntry } from "@org/core";
import {
  type FileRecord,
  type HeldContent,
  isTakenOrHeld,
  MIN_HELD_BYTES,
  type RouteRecord,
  type SourceFileStore,
  type SourceRecord,
  type SourceStores,
  type TokenRecord,
} from "../ports/source-store.js";
import { memoryFeedKeys } from "./memory-feed-keys.js";

interface Tables {
  readonly sources: Map<string, SourceRecord & { lease: string | null; lease_until: Date | null }>;
  readonly routes: Map<string, RouteRecord>;
  readonly tokens: Map<string, TokenRecord>;
  readonly files: Map<string, Row>;
}

interface Row {
  file: FileRecord;
  seen_at: Date;
  held: HeldContent | null;
}

/** Stores in memory, for tests and examples. `entries` is the audit trail. */
export function createMemorySourceStores(): SourceStores & { readonly entries: readonly AuditEntry[] } {
  const tables: Tables = { sources: new Map(), routes: new Map(), tokens: new Map(), files: new Map() };
  const entries: AuditEntry[] = [];
  const note = (entry: AuditEntry) => {
    entries.push(entry);
    return true;
  };
  const keys = memoryFeedKeys(note);
  const recordOf = ({
    lease: _,
    lease_until: __,
    ...record
  }: SourceRecord & { lease: unknown; lease_until: unknown }) => record;
  const of = <T extends { readonly source: string }>(rows: Iterable<T>, source: string) =>
    [...rows].filter((row) => row.source === source);

  return {
    entries,
    sources: {
      list: async () => [...tables.sources.values()].map(recordOf).sort((a, b) => (a.source < b.source ? -1 : 1)),
      async find(source) {
        const found = tables.sources.get(source);
        return found ? recordOf(found) : null;
      },
      async keep(record, entry, precondition = () => true) {
        const before = tables.sources.get(record.source);
        if (!precondition(before ? recordOf(before) : null)) return false;
        const fresh = { attempted_at: null, succeeded_at: null, failures: 0, last_error: null };
        const known = before ?? { ...fresh, created_at: record.changed_at, lease: null, lease_until: null };
        tables.sources.set(record.source, { ...known, ...record });
        return note(entry);
      },
      async remove(source, entry) {
        if (!tables.sources.has(source)) return "unknown";
        const files = [...tables.files.values()].filter(({ file }) => file.source === source);
        if (files.some(({ held }) => held !== null)) return "holds_files";
        tables.sources.delete(source);
        for (const { file } of files) tables.files.delete(file.file_id);
        for (const { route_id } of of(tables.routes.values(), source)) tables.routes.delete(route_id);
        for (const { token_id } of of(tables.tokens.values(), source)) tables.tokens.delete(token_id);
        keys.forget({ kind: "source", owner: source });
        note(entry);
        return "removed";
      },
      async claim({ lease, now, until, limit }) {
        const due = [...tables.sources.values()].filter(
          ({ is_enabled, due_at, lease_until }) =>
            is_enabled && due_at !== null && due_at <= now && (lease_until === null || lease_until <= now),
        );
        due.sort((a, b) => Number(a.due_at) - Number(b.due_at));
        return due.slice(0, limit).map((row) => {
          tables.sources.set(row.source, { ...row, lease, lease_until: until });
          return { source: row.source, lease };
        });
      },
      async renew({ source, lease }, until) {
        const row = tables.sources.get(source);
        if (row?.lease !== lease) return false;
        tables.sources.set(source, { ...row, lease_until: until });
        return true;
      },
      async settle(source, lease, { at, error, next_at }) {
        const row = tables.sources.get(source);
        if (!row || (lease !== null && row.lease !== lease)) return;
        tables.sources.set(source, {
          ...row,
          attempted_at: at,
          due_at: lease === null ? row.due_at : next_at,
          last_error: error,
          succeeded_at: error === null ? at : row.succeeded_at,
          failures: error === null ? 0 : row.failures + 1,
          ...(lease !== null && { lease: null, lease_until: null }),
        });
      },
    },
    routes: {
      list: async (source) => of(tables.routes.values(), source),
      async whereHeld() {
        const held = new Set([...tables.files.values()].flatMap((row) => (row.held ? [row.file.source] : [])));
        return [...tables.routes.values()].filter(({ source }) => held.has(source));
      },
      async add(route, entry) {
        if (!tables.sources.has(route.source)) return false;
        tables.routes.set(route.route_id, route);
        return note(entry);
      },
      remove: async (routeId, entry) => tables.routes.delete(routeId) && note(entry),
    },
    tokens: {
      async add(token, entry) {
        if (!tables.sources.has(token.source)) return false;
        tables.tokens.set(token.token_id, token);
        return note(entry);
      },
      async find(hash, now) {
        const found = [...tables.tokens.values()].find(({ token_hash }) => token_hash === hash);
        if (!found || (found.expires_at !== null && found.expires_at <= now)) return null;
        return tables.sources.get(found.source)?.is_enabled ? found : null;
      },
      list: async (source) => of(tables.tokens.values(), source),
      end: async (tokenId, entry) => tables.tokens.delete(tokenId) && note(entry),
    },
    files: memoryFiles(tables, note),
    keys,
  };
}

function memoryFiles({ files }: Tables, note: (entry: AuditEntry) => boolean): SourceFileStore {
  const newestFirst = () =>
    [...files.values()].sort(
      (a, b) => Number(b.file.came_at) - Number(a.file.came_at) || (a.file.file_id < b.file.file_id ? 1 : -1),
    );
  const isSame = (a: FileRecord, b: Pick<FileRecord, "name" | "size" | "sha256">) =>
    a.name === b.name && a.size === b.size && a.sha256 === b.sha256;

  return {
    async known(source, names, now) {
      const found = new Map<string, FileRecord>();
      for (const row of newestFirst())
        if (row.file.source === source && names.includes(row.file.name)) {
          row.seen_at = now;
          if (!found.has(row.file.name)) found.set(row.file.name, row.file);
        }
      return [...found.values()];
    },
    async find(source, file) {
      return [...files.values()].find((row) => row.file.source === source && isSame(row.file, file))?.file ?? null;
    },
    async storeRetried(file, held, room) {
      const row = files.get(file.file_id);
      if (!row || (held && !row.held)) return "gone";
      const kept = await this.keep(file, held, room);
      return kept === "repeated" ? "kept" : kept;
    },
    async keep(file, held, room) {
      const before = [...files.values()].find((row) => row.file.source === file.source && isSame(row.file, file));
      const id = before?.file.file_id ?? file.file_id;
      const others = [...files.values()].filter((row) => row.file.file_id !== id);
      const taken = (rows: typeof others) =>
        rows.reduce((sum, row) => sum + (row.held ? roomOf(row.held) : 0), held ? roomOf(held) : 0);
      if (held && taken(others) > room.bytes) return "no_room";
      const own = others.filter((row) => row.file.source === file.source);
      if (held && taken(own) > room.of_source) return "over_share";
      const { came_at } = before?.file ?? file;
      files.set(id, { file: { ...file, file_id: id, came_at }, seen_at: file.settled_at, held });
      return before !== undefined && id !== file.file_id && isTakenOrHeld(before.file) ? "repeated" : "kept";
    },
    async list({ source, state, order, after, limit }) {
      const rows = (order === "newest" ? newestFirst() : newestFirst().toReversed())
        .map(({ file }) => file)
        .filter((file) => (source === null || file.source === source) && (state === null || file.state === state));
      const last = after ? rows.findIndex(({ file_id }) => file_id === after.file_id) : -1;
      return rows.slice(last + 1).slice(0, limit);
    },
    async held({ source, limit }) {
      const rows = newestFirst().toReversed();
      return rows
        .flatMap(({ file, held }) =>
          held && (source === null || file.source === source)
            ? [{ ...file, sealed_findings: held.sealed_findings, held_until: held.held_until }]
            : [],
        )
        .slice(0, limit);
    },
    async heldContent(fileId) {
      const row = files.get(fileId);
      return row?.held ? { file: row.file, content: row.held } : null;
    },
    async drop(fileId, now, entry) {
      const row = files.get(fileId);
      if (!row?.held) return false;
      files.set(fileId, { ...row, file: { ...row.file, state: "dropped", settled_at: now }, held: null });
      return note(entry);
    },
    async claimHeld({ now, until, limit, except }) {
      const due = [...files.values()].flatMap(({ file, held }) =>
        held && held.retry_at <= now && !except.includes(file.source) ? [{ file, held }] : [],
      );
      due.sort(
        (a, b) => Number(a.held.retry_at) - Number(b.held.retry_at) || (a.file.file_id < b.file.file_id ? -1 : 1),
      );
      const turnOf = ({ file }: (typeof due)[number], index: number) =>
        due.slice(0, index).filter((other) => other.file.source === file.source).length;
      const inTurn = due.map((row, index) => ({ row, turn: turnOf(row, index) })).sort((a, b) => a.turn - b.turn);
      return inTurn.slice(0, limit).map(({ row: { file, held } }) => {
        files.set(file.file_id, { ...(files.get(file.file_id) as Row), held: { ...held, retry_at: until } });
        return file;
      });
    },
    async expediteHeld(sources, now, beyond = now) {
      for (const row of files.values())
        if (row.held && (sources === null || sources.includes(row.file.source)) && row.held.retry_at > beyond)
          row.held = { ...row.held, retry_at: now };
    },
    async heldTotals() {
      const held = [...files.values()].flatMap((row) => (row.held ? [row.held.ciphertext.byteLength] : []));
      return { files: held.length, bytes: held.reduce((sum, bytes) => sum + bytes, 0) };
    },
    async tidy({ now, forgetBefore, limit }) {
      const due = [...files.values()].filter(({ held }) => held !== null && held.held_until <= now).slice(0, limit);
      for (const row of due)
        files.set(row.file.file_id, { ...row, file: { ...row.file, state: "expired", settled_at: now }, held: null });
      const old = [...files.values()].filter(({ held, seen_at }) => held === null && seen_at < forgetBefore);
      for (const { file } of old.slice(0, limit)) files.delete(file.file_id);
      return {
        expired: due.map(({ file }) => ({ ...file, state: "expired", settled_at: now })),
        forgotten: old.slice(0, limit).length,
      };
    },
  };
}

function roomOf({ ciphertext }: HeldContent): number {
  return Math.max(MIN_HELD_BYTES, ciphertext.byteLength);
}
