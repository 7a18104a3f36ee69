import type { AuditEntry, Uuid, VersionPrecondition } from "@org/core";
import type { FeedKeyStore } from "./feed-key-store.js";

/** Files are fetched from an SFTP server, sent with a token, or left in the drop folder of the installation. */
export type SourceKind = "sftp" | "push" | "folder";

/** The source that the drop folder is. A file's name there is its path in the folder: `<connection or letter>/<name>`. */
export const DROP_FOLDER = "drop-folder";

/** A source as it is stored. Its settings are sealed. */
export interface SourceRecord {
  readonly source: string;
  readonly kind: SourceKind;
  readonly sealed_settings: string;
  readonly is_enabled: boolean;
  readonly created_at: Date;
  readonly changed_at: Date;
  /** When it is looked for files next; null for one that files are sent to. */
  readonly due_at: Date | null;
  /** When somebody last looked, or sent something; null = never. */
  readonly attempted_at: Date | null;
  readonly succeeded_at: Date | null;
  /** Runs that failed in a row, and why the last one did. */
  readonly failures: number;
  readonly last_error: string | null;
}

/** A source that a server looks into now, until the lease ends. */
export interface SourceLease {
  readonly source: string;
  readonly lease: string;
}

/** How a run ended. */
export interface RunOutcome {
  readonly at: Date;
  /** Null when it went well. */
  readonly error: string | null;
  readonly next_at: Date | null;
}

/** Sources of the installation. */
export interface SourceStore {
  /** By name. */
  list(): Promise<readonly SourceRecord[]>;
  find(source: string): Promise<SourceRecord | null>;
  /**
   * Inserts it, or replaces settings, switch and next turn of the one that is there; keeps `entry` with it, both or neither. False where
   * what is there is not as it was seen.
   */
  keep(
    record: Pick<SourceRecord, "source" | "kind" | "sealed_settings" | "is_enabled" | "changed_at" | "due_at">,
    entry: AuditEntry,
    precondition?: VersionPrecondition<SourceRecord>,
  ): Promise<boolean>;
  /** Removes it with its routes, tokens, keys of its custodian and what is known of its files, unless files are held. */
  remove(source: string, entry: AuditEntry): Promise<"removed" | "holds_files" | "unknown">;
  /** Leases sources that are due and switched on, the longest due first; never one that another server has. */
  claim(claim: { lease: string; now: Date; until: Date; limit: number }): Promise<readonly SourceLease[]>;
  /** Holds a lease for longer; false when it is another's by now. */
  renew(lease: SourceLease, until: Date): Promise<boolean>;
  /** Ends a run, and with it its lease where it is still this one's; null for what was no run of the schedule. */
  settle(source: string, lease: string | null, outcome: RunOutcome): Promise<void>;
}

/** A rule of a source as it is stored. */
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
  /** Of all sources of which files are held, in no order. */
  whereHeld(): Promise<readonly RouteRecord[]>;
  /** False when there is no such source. */
  add(route: RouteRecord, entry: AuditEntry): Promise<boolean>;
  remove(routeId: Uuid, entry: AuditEntry): Promise<boolean>;
}

/** A token with which a custodian sends files. */
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
  /** False when there is no such source. */
  add(token: TokenRecord, entry: AuditEntry): Promise<boolean>;
  /** One that has not expired, of a source that is switched on. */
  find(tokenHash: string, now: Date): Promise<TokenRecord | null>;
  /** Of one source, oldest first, expired ones too. */
  list(source: string): Promise<readonly TokenRecord[]>;
  end(tokenId: Uuid, entry: AuditEntry): Promise<boolean>;
}

/** What became of a file: all of it was taken; some of it waits for an operator; an operator deleted what waited; nobody came in time. */
export const fileStates = ["taken", "held", "dropped", "expired"] as const;
export type FileState = (typeof fileStates)[number];

/** A file that came from a source. The same name with other bytes is another file. */
export interface FileRecord {
  readonly file_id: Uuid;
  readonly source: string;
  readonly name: string;
  readonly size: number;
  /** Of its bytes, hex. */
  readonly sha256: string;
  /** As the custodian's server says; null for one that was sent. */
  readonly modified_at: Date | null;
  readonly state: FileState;
  readonly came_at: Date;
  readonly settled_at: Date;
}

/** Whether whoever sends a file again finds it done: unlike one that somebody dropped, or nobody came for. */
export function isTakenOrHeld({ state }: Pick<FileRecord, "state">): boolean {
  return state === "taken" || state === "held";
}

/** What is kept of a held file: its bytes and what is open about it, sealed, until a day. */
export interface HeldContent {
  readonly sealed_key: string;
  readonly ciphertext: Uint8Array;
  readonly sealed_findings: string;
  readonly held_until: Date;
  /** How often it was tried and stayed. */
  readonly tries: number;
  /** When it is tried again by itself. */
  readonly retry_at: Date;
}

/** A held file without its bytes. */
export type HeldFile = FileRecord & Pick<HeldContent, "sealed_findings" | "held_until">;

/** How many bytes held files may have: all of them, and those of one source. */
export interface HeldRoom {
  readonly bytes: number;
  readonly of_source: number;
}

/** What a held file takes however small it is: its row and its findings, so that many small files are bounded, too. */
export const MIN_HELD_BYTES = 4_096;

/** What is known of the files of sources. */
export interface SourceFileStore {
  /** The newest file of each name, and that it was seen at `now`: files that are seen are not forgotten. */
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
   * The same for a held file that was tried again. `gone`, keeping nothing, where it would stay held and is not any more, or is forgotten:
   * what was dropped meanwhile does not come back. One of which all was taken is `taken`, dropped or not.
   */
  keepTried(
    file: FileRecord,
    held: HeldContent | null,
    room: HeldRoom,
  ): Promise<"kept" | "gone" | "no_room" | "over_share">;
  /** Newest first. */
  list(query: { source: string | null; state: FileState | null; limit: number }): Promise<readonly FileRecord[]>;
  /** Oldest first. */
  held(query: { source: string | null; limit: number }): Promise<readonly HeldFile[]>;
  heldContent(fileId: Uuid): Promise<{ file: FileRecord; content: HeldContent } | null>;
  /** An operator deletes what is held of a file. False when nothing is. */
  drop(fileId: Uuid, now: Date, entry: AuditEntry): Promise<boolean>;
  /**
   * Takes files that are due to be tried again, of each source one before any has a second, and none of the sources `except`; others find
   * them due at `until`, unless they were kept anew before.
   */
  claimHeld(claim: {
    now: Date;
    until: Date;
    limit: number;
    except: readonly string[];
  }): Promise<readonly FileRecord[]>;
  /** Makes due what is held of some sources, or of all of them (null), and would not be due until after `beyond`; left out: `now`. */
  expediteHeld(sources: readonly string[] | null, now: Date, beyond?: Date): Promise<void>;
  /** How many files are held, and their bytes as they are stored. */
  heldTotals(): Promise<{ readonly files: number; readonly bytes: number }>;
  /** Lets go what was held for too long and forgets files not seen since `forgetBefore`, at most `limit` of each. */
  tidy(tidying: {
    now: Date;
    forgetBefore: Date;
    limit: number;
  }): Promise<{ expired: readonly FileRecord[]; forgotten: number }>;
}

/** Everything that sources keep. One implementation per backend; each runs `describeSourceStores` of `@org/feed-sources/testing`. */
export interface SourceStores {
  readonly sources: SourceStore;
  readonly routes: RouteStore;
  readonly tokens: TokenStore;
  readonly files: SourceFileStore;
  readonly keys: FeedKeyStore;
}
