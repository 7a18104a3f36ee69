import type { FileCause, Uuid } from "@org/core";
import type { FileState, SourceRecord, TokenRecord } from "@org/feed-sources";
import type { Generated, JSONColumnType } from "kysely";

interface FeedSources extends Omit<SourceRecord, "attempted_at" | "succeeded_at" | "failures" | "last_error"> {
  lease: Generated<string | null>;
  lease_until: Generated<Date | null>;
  attempted_at: Generated<Date | null>;
  succeeded_at: Generated<Date | null>;
  failures: Generated<number>;
  last_error: Generated<string | null>;
}

interface FeedRoutes {
  route_id: Uuid;
  source: string;
  rule: JSONColumnType<object>;
  created_at: Date;
}

export interface FeedSourceFiles {
  file_id: Uuid;
  source: string;
  name: string;
  size: string;
  sha256: string;
  modified_at: Date | null;
  state: FileState;
  came_at: Date;
  settled_at: Date;
  seen_at: Date;
}

interface FeedHeld {
  file_id: Uuid;
  sealed_key: string;
  ciphertext: Uint8Array;
  bytes: string;
  sealed_findings: string;
  held_until: Date;
  tries: Generated<number>;
  retry_at: Generated<Date>;
  cause: Generated<FileCause>;
  is_part: Generated<boolean>;
}

interface FeedKeys {
  kind: "own" | "connector" | "source";
  owner: string;
  fingerprint: string;
  key_ids: string[];
  user_ids: string[];
  algorithm: string;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  public_key: string;
  sealed_private_key: string | null;
  added_at: Date;
}

interface FeedSigningRules {
  kind: "connector" | "source";
  owner: string;
  must_be_signed: boolean;
  changed_at: Date;
}

/** Tables of custodians' file sources; all of them belong to the installation. */
export interface SourceTables {
  feed_sources: FeedSources;
  feed_routes: FeedRoutes;
  feed_tokens: { -readonly [Column in keyof TokenRecord]: TokenRecord[Column] };
  feed_source_files: FeedSourceFiles;
  feed_held: FeedHeld;
  feed_keys: FeedKeys;
  feed_signing_rules: FeedSigningRules;
}
