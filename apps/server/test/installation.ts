import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenedStorage, openStorage } from "@org/storage-postgres";
import { createPostgresTestDatabase, testDatabaseUrl } from "@org/storage-postgres/testing";

export type Pool = OpenedStorage["pool"];
export type Backend = "embedded" | "postgres";

const postgresOnly = process.env.TEST_BACKENDS === "postgres";

/**
 * The databases that flows run on: the embedded one, and PostgreSQL if `TEST_DATABASE_URL` names one. `TEST_BACKENDS=postgres` omits the first.
 */
export const backends: readonly Backend[] = [
  ...(postgresOnly ? [] : (["embedded"] as const)),
  ...(testDatabaseUrl ? (["postgres"] as const) : []),
];

/**
 * The database for a test file where the choice makes no difference: PostgreSQL if there is one, as in production. `because` says why the file
 * need not run on both; `git grep oneBackend` lists those files.
 */
export function oneBackend(because: string): Backend {
  if (because.length < 20) throw new Error("say why the database makes no difference");
  return backends.at(-1) ?? "embedded";
}

/** What outlives a server process: its folder, its database and its keys. */
export interface Installation {
  readonly dataDir: string;
  /** Environment of a server of this installation. */
  readonly environment: Readonly<Record<string, string>>;
  /** Runs queries on the database; on an embedded one only while no server runs. */
  withDatabase<T>(work: (pool: Pool) => Promise<T>): Promise<T>;
  remove(): Promise<void>;
}

/** A new, empty installation; PostgreSQL is migrated, since the server does not migrate it. */
export async function createInstallation(backend: Backend): Promise<Installation> {
  const dataDir = mkdtempSync(join(tmpdir(), "wealth-connect-"));
  const removeFolder = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  if (backend === "embedded")
    return {
      dataDir,
      environment: { DATA_DIR: dataDir, MAIL_DELAY_SECONDS: "0" },
      async withDatabase(work) {
        const opened = await openStorage({ dataDir }, () => new Date());
        return work(opened.pool).finally(() => opened.close());
      },
      remove: async () => removeFolder(),
    };
  const database = await createPostgresTestDatabase();
  return {
    dataDir,
    environment: {
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      MAIL_DELAY_SECONDS: "0",
      SEED_DEMO: "true",
      SANDBOX: "true",
      ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    },
    withDatabase: (work) => work(database.pool),
    async remove() {
      removeFolder();
      await database.close();
    },
  };
}
