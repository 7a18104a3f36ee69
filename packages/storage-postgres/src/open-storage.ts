import type { Storage } from "@org/core";
import type { OAuthStore } from "@org/oauth-server";
import { sql } from "kysely";
import pg from "pg";
import { openEmbedded } from "./embedded/open-embedded.js";
import { createEndedSessions, type EndedSessions } from "./oauth/ended-sessions.js";
import { createOAuthStore } from "./oauth/oauth-store.js";
import { createPostgresStorage } from "./postgres-storage.js";
import { type SealedValues, sealedValues } from "./sealed-values.js";
import { explainDriverError } from "./storage-error.js";
import { createTransactions, type Transactions } from "./transactions.js";

/** Which database to open. */
export type StorageLocation =
  /** PostgreSQL, such as `postgres://user:secret@host/name`. `connections` is the most that are open at once, 10 unless told otherwise. */
  | { readonly databaseUrl: string; readonly connections?: number }
  /** Embedded, in `pg` below the folder; see `openEmbedded` for the template. */
  | { readonly dataDir: string; readonly templateFile?: string }
  /** Embedded and gone with the process. */
  | { readonly memory: true; readonly templateFile?: string };

/** An open database with every store on it. It may still have to be migrated. */
export interface OpenedStorage {
  readonly kind: "postgres" | "embedded";
  readonly storage: Storage;
  readonly oauthStore: OAuthStore;
  readonly serverKeys: ServerKeys;
  readonly sealedValues: SealedValues;
  readonly endedSessions: EndedSessions;
  readonly pool: pg.Pool;
  /** Resolves when the database answers. @throws StorageError `unavailable` */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a database; it connects on first use.
 * @param clock for how old what it remembers may be
 * @throws StorageError `in_use` when another process has the embedded database
 */
export async function openStorage(location: StorageLocation, clock: () => Date): Promise<OpenedStorage> {
  const { kind, pool, close } = await openPool(location);
  const transactions = createTransactions(pool);
  return {
    kind,
    pool,
    close,
    storage: createPostgresStorage(transactions),
    oauthStore: createOAuthStore(transactions),
    serverKeys: serverKeys(transactions),
    sealedValues: sealedValues(transactions),
    endedSessions: createEndedSessions(transactions, clock),
    async ping() {
      await pool.query("select 1").catch((error: unknown) => {
        throw explainDriverError(error);
      });
    },
  };
}

async function openPool(location: StorageLocation): Promise<Pick<OpenedStorage, "kind" | "pool" | "close">> {
  if ("databaseUrl" in location) {
    const { databaseUrl, connections = 10 } = location;
    const pool = new pg.Pool({
      connectionString: databaseUrl,
      max: connections,
      connectionTimeoutMillis: 10_000,
      application_name: "wealth-connect",
    });
    // An idle connection that breaks is replaced by the pool; without a listener the process would end.
    pool.on("error", () => undefined);
    // The same for one that breaks while it is in use: its query or its transaction fails and tells why.
    pool.on("connect", (client) => client.on("error", () => undefined));
    return { kind: "postgres", pool, close: () => pool.end() };
  }
  const { templateFile } = location;
  const dataDir = "dataDir" in location ? { dataDir: location.dataDir } : {};
  return {
    kind: "embedded",
    ...(await openEmbedded({ ...dataDir, ...(templateFile !== undefined && { templateFile }) })),
  };
}

/** The server's own keys by name, each sealed under the installation's encryption keys. */
export interface ServerKeys {
  /** The sealed key of that name; made and kept on first use. Of replicas that start together all get the same one. */
  loadOrCreate(name: string, create: () => Promise<string>): Promise<string>;
}

export function serverKeys({ asAuth }: Pick<Transactions, "asAuth">): ServerKeys {
  return {
    async loadOrCreate(name, create) {
      const known = await find(name);
      if (known !== null) return known;
      const sealed = await create();
      await asAuth((db) => sql`insert into server_keys values (${name}, ${sealed}) on conflict do nothing`.execute(db));
      return (await find(name)) as string;
    },
  };

  function find(name: string): Promise<string | null> {
    return asAuth(async (db) => {
      const row = await db.selectFrom("server_keys").select("sealed").where("name", "=", name).executeTakeFirst();
      return row?.sealed ?? null;
    });
  }
}
