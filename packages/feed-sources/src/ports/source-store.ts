import type { AuditEntry, FileCause, ListOrder, Uuid, VersionPrecondition } from "@org/core";
import type { FeedKeyStore } from "./feed-key-store.js";

/** Files are fetched from an SFTP server, uploaded with a token, or left in the drop folder of the installation. */
export type SourceKind = "sftp" | "push" | "folder";

/** The source of files in the drop folder. A file's name is its path in the folder: `<connection or letter>/<name>`. */
export const DROP_FOLDER = "drop-folder";

/** A source as stored. Its settings are sealed. */
export interface SourceRecord {
  readonly source: string;
  readonly kind: SourceKind;
  readonly sealed_settings: string;
  readonly is_enabled: boolean;
  readonly created_at: Date;
  readonly changed_at: Date;
  /** When it is polled next; null for a source that receives uploads. */
  readonly due_at: Date | null;
  /** When it was last polled, or something was uploaded; null = never. */
  readonly attempted_at: Date | null;
  readonly succeeded_at: Date | null;
  /** The number of failed runs in a row, and why the last one failed. */
  readonly failures: number;
  readonly last_error: string | null;
}

/** A server's claim on a source, until the lease ends. */
export interface SourceLease {
  readonly source: string;
  readonly lease: string;
}

/** How a run ended. */
export interface RunOutcome {
  readonly at: Date;
  /** Null if it succeeded. */
  readonly error: string | null;
  readonly next_at: Date | null;
}

/** Sources of the installation. */
export interface SourceStore {
  /** Sorted by name. */
  list(): Promise<readonly SourceRecord[]>;
  find(source: string): Promise<SourceRecord | null>;
  /**
   * Inserts a source, or replaces the settings, switch and next run of an existing one; stores `entry` in the same transaction. False if the stored
   * source fails the precondition.
   */
  keep(
    record: Pick<SourceRecord, "source" | "kind" | "sealed_settings" | "is_enabled" | "changed_at" | "due_at">,
    entry: AuditEntry,
    precondition?: VersionPrecondition<SourceRecord>,
  ): Promise<boolean>;
  /** Removes a source with its routes, tokens, signer keys and known files, unless files are held. */
  remove(source: string, entry: AuditEntry): Promise<"removed" | "holds_files" | "unknown">;
  /** Leases enabled sources that are due, the longest overdue first; never one that another server has leased. */
  claim(claim: { lease: string; now: Date; until: Date; limit: number }): Promise<readonly SourceLease[]>;
  /** Extends a lease; false if another server has it by now. */
  renew(lease: SourceLease, until: Date): Promise<boolean>;
  /** Records the end of a run, and ends its lease if it is still the current one; null for a run outside the schedule. */
  settle(source: string, lease: string | null, outcome: RunOutcome): Promise<void>;
}

/** A rule of a source as stored. */
export interface RouteRecord {
  readonly route_id: Uuid;
  readonly source: string;
  readonly rule: unknown;
  readonly created_at: Date;
}

/** Rules of sources. */
export interface RouteStore {
  /** Oldest first. */
  list(source: string): Promise<readonly RouteRecord[]>;
  /** The rules of all sources with held files, in no particular order. */
  whereHeld(): Promise<readonly RouteRecord[]>;
  /** False if there is no such source. */
  add(route: RouteRecord, entry: AuditEntry): Promise<boolean>;
  remove(routeId: Uuid, entry: AuditEntry): Promise<boolean>;
}

/** A token with which a custodian uploads files. */
export interface TokenRecord {
  readonly token_id: Uuid;
  readonly source: string;
  readonly name: string;
  /** SHA-256 (hex) of the token. */
  readonly token_hash: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
}

/** Tokens of sources. */
export interface TokenStore {
  /** False if there is no such source. */
  add(token: TokenRecord, entry: AuditEntry): Promise<boolean>;
  /** A token that has not expired, of an enabled source. Look-ups take turns by the network of the caller, who may have made it up. */
  find(tokenHash: string, now: Date, network: string): Promise<TokenRecord | null>;
  /** The tokens of one source, oldest first, including expired ones. */
  list(source: string): Promise<readonly TokenRecord[]>;
  end(tokenId: Uuid, entry: AuditEntry): Promise<boolean>;
}

/**
 * The outcome of a file: all of it was ingested; some of it waits for an operator; an operator deleted the held content; the held content expired.
 */
export const fileStates = ["taken", "held", "dropped", "expired"] as const;
export type FileState = (typeof fileStates)[number];

/** A file from a source. The same name with other bytes is another file. */
export interface FileRecord {
  readonly file_id: Uuid;
  readonly source: string;
  readonly name: string;
  readonly size: number;
  /** SHA-256 of its bytes, hex. */
  readonly sha256: string;
  /** As stated by the custodian's server; null for an upload. */
  readonly modified_at: Date | null;
  readonly state: FileState;
  readonly came_at: Date;
  readonly settled_at: Date;
}

/** A file's place in a list by time. */
export type PlaceByTime = Pick<FileRecord, "came_at" | "file_id">;

/** Whether a client that sends the file again is told that it is there; not if it was dropped or has expired. */
export function isTakenOrHeld({ state }: Pick<FileRecord, "state">): boolean {
  return state === "taken" || state === "held";
}

/** The stored content of a held file: its bytes and findings, sealed, until `held_until`. */
export interface HeldContent {
  readonly sealed_key: string;
  readonly ciphertext: Uint8Array;
  readonly sealed_findings: string;
  readonly held_until: Date;
  /** How often it was retried without success. */
  readonly tries: number;
  /** When it is retried automatically. */
  readonly retry_at: Date;
  /** What is wrong first. */
  readonly cause: FileCause;
  /** Whether that is about a part of the file. */
  readonly is_part: boolean;
}

/** A held file without its bytes. */
export type HeldFile = FileRecord & Pick<HeldContent, "sealed_findings" | "held_until">;

/** The most bytes that held files may have: all of them, and those of one source. */
export interface HeldRoom {
  readonly bytes: number;
  readonly of_source: number;
}

/** The fewest bytes that a held file counts for, to cover its row and findings; this bounds the number of small files. */
export const MIN_HELD_BYTES = 4_096;

/** The known files of sources. */
export interface SourceFileStore {
  /** The newest file of each name. Marks them as seen at `now`: files that are seen are not forgotten. */
  known(source: string, names: readonly string[], now: Date): Promise<readonly FileRecord[]>;
  /** The file with this name and these bytes. */
  find(source: string, file: Pick<FileRecord, "name" | "size" | "sha256">): Promise<FileRecord | null>;
  /**
   * Keeps what became of a file: of one that is there already its state, time and content. Held content is kept while the state is held,
   * and forgotten otherwise. `no_room`, keeping nothing, where held files would have more than `room.bytes` together, `over_share` where those
   * of this source would have more than `room.of_source`. A file counts as {@link MIN_HELD_BYTES} at least. `repeated`, keeping it all the
   * same, where the file is there under another id and was not dropped: it came twice at once, or again after a server was killed.
   */
  keep(
    file: FileRecord,
    held: HeldContent | null,
    room: HeldRoom,
  ): Promise<"kept" | "repeated" | "no_room" | "over_share">;
  /**
   * The same for a held file that was retried. Stores nothing and answers `gone` if the file would stay held but is no longer held or known: a file
   * dropped meanwhile does not come back. A file that was ingested completely becomes `taken`, even if it was dropped.
   */
  storeRetried(
    file: FileRecord,
    held: HeldContent | null,
    room: HeldRoom,
  ): Promise<"kept" | "gone" | "no_room" | "over_share">;
  /** By the time they came; ids break ties. */
  list(query: {
    source: string | null;
    state: FileState | null;
    order: ListOrder;
    /** Null = from the first. */
    after: PlaceByTime | null;
    limit: number;
  }): Promise<readonly FileRecord[]>;
  /** Oldest first. */
  held(query: { source: string | null; limit: number }): Promise<readonly HeldFile[]>;
  heldContent(fileId: Uuid): Promise<{ file: FileRecord; content: HeldContent } | null>;
  /** Deletes the held content of a file. False if there is none. */
  drop(fileId: Uuid, now: Date, entry: AuditEntry): Promise<boolean>;
  /**
   * Claims files that are due for a retry, round-robin by source, skipping the sources in `except`. Other servers see them as due again at `until`,
   * unless they were stored again before.
   */
  claimHeld(claim: {
    now: Date;
    until: Date;
    limit: number;
    except: readonly string[];
  }): Promise<readonly FileRecord[]>;
  /** Makes the held files of some sources, or of all (null), due now if they would become due after `beyond`; left out: `now`. */
  expediteHeld(sources: readonly string[] | null, now: Date, beyond?: Date): Promise<void>;
  /** The number of held files, and their stored bytes. */
  heldTotals(): Promise<{ readonly files: number; readonly bytes: number }>;
  /** Deletes the content of files held for too long, and forgets files not seen since `forgetBefore`, at most `limit` of each. */
  tidy(tidying: {
    now: Date;
    forgetBefore: Date;
    limit: number;
  }): Promise<{ expired: readonly FileRecord[]; forgotten: number }>;
}

/** All stores of sources. One implementation per backend; each runs `describeSourceStores` of `@org/feed-sources/testing`. */
export interface SourceStores {
  readonly sources: SourceStore;
  readonly routes: RouteStore;
  readonly tokens: TokenStore;
  readonly files: SourceFileStore;
  readonly keys: FeedKeyStore;
}
