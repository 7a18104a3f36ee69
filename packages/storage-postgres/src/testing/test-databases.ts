import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { PGlite, type PGliteOptions } from "@electric-sql/pglite";
import pg from "pg";
import { createTemplate } from "../embedded/create-template.js";
import { poolOver } from "../embedded/open-embedded.js";
import { migrate } from "../migrate.js";
import { migrations } from "../migrations.js";

/** A migrated database for one test file. */
export interface TestDatabase {
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/** One in memory, on PGlite. The first of a machine makes a template, the others are unpacked from it. */
export async function createEmbeddedTestDatabase(): Promise<TestDatabase> {
  embeddedParts ??= readEmbeddedParts();
  const database = await PGlite.create(await embeddedParts);
  const pool = poolOver(database);
  return {
    pool,
    async close() {
      await pool.end();
      await database.close();
    },
  };
}

type EmbeddedParts = Required<Pick<PGliteOptions, "pgliteWasmModule" | "fsBundle" | "loadDataDir">>;
/** Of this process: compiled once, the program is fast in every database but the first, and a database opens in half the time. */
let embeddedParts: Promise<EmbeddedParts> | undefined;

/** The types of Node's globals name the namespace only. */
const { compile } = (
  globalThis as unknown as {
    WebAssembly: { compile(program: Uint8Array): Promise<EmbeddedParts["pgliteWasmModule"]> };
  }
).WebAssembly;

async function readEmbeddedParts(): Promise<EmbeddedParts> {
  const program = createRequire(import.meta.url).resolve("@electric-sql/pglite");
  const partOf = (name: string) => readFileSync(join(dirname(program), name));
  const templateFile = join(tmpdir(), `wealth-connect-template-${fingerprint(program)}.tar.gz`);
  if (!existsSync(templateFile)) {
    // Test files run at once; each sees the whole file or none.
    const unfinished = `${templateFile}.${randomUUID()}`;
    writeFileSync(unfinished, await createTemplate());
    renameSync(unfinished, templateFile);
  }
  return {
    pgliteWasmModule: await compile(partOf("pglite.wasm")),
    fsBundle: new Blob([partOf("pglite.data")]),
    loadDataDir: new Blob([gunzipSync(readFileSync(templateFile))]),
  };
}

/** Where real PostgreSQL is for tests: a superuser's URL; undefined = nowhere, and tests that need it are skipped. */
export const testDatabaseUrl: string | undefined = process.env.TEST_DATABASE_URL || undefined;

/** What a test of the stores runs on: both, as far as they are there, or with `TEST_BACKENDS=postgres` not the embedded one. */
export const testBackends: readonly { readonly name: string; readonly create: () => Promise<TestDatabase> }[] = [
  ...(process.env.TEST_BACKENDS === "postgres" ? [] : [{ name: "PGlite", create: createEmbeddedTestDatabase }]),
  ...(testDatabaseUrl === undefined ? [] : [{ name: "PostgreSQL", create: createPostgresTestDatabase }]),
];

/**
 * A database of its own on the server of {@link testDatabaseUrl}: a copy of a template that is migrated once for each state of
 * the migrations. Closing drops it.
 */
export async function createPostgresTestDatabase(): Promise<TestDatabase & { readonly url: string }> {
  if (testDatabaseUrl === undefined) throw new Error("TEST_DATABASE_URL is not set");
  const name = `wealth_connect_test_${randomUUID().replaceAll("-", "")}`;
  const admin = new pg.Client({ connectionString: testDatabaseUrl });
  await admin.connect();
  // A template cannot be copied while another session makes or copies it.
  await admin.query(`select pg_advisory_lock(${TEMPLATE_LOCK})`);
  await admin.query(`create database ${name} template ${await template(admin)}`);
  await admin.end();
  const url = urlOf(name);
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  // Some tests restart the database, and idle connections end with it.
  pool.on("error", () => undefined);
  return {
    pool,
    url,
    async close() {
      await pool.end();
      const last = new pg.Client({ connectionString: testDatabaseUrl });
      await last.connect();
      // Waits for sessions that are still on their way out.
      await last.query(`drop database ${name}`);
      await last.end();
    },
  };
}

const TEMPLATE_LOCK = 7_304_551_903;

async function template(admin: pg.Client): Promise<string> {
  const name = `wealth_connect_template_${fingerprint()}`;
  const { rows } = await admin.query("select from pg_database where datname = $1", [name]);
  if (rows.length > 0) return name;
  // Migrated under another name, so that one that failed halfway is never copied.
  await admin.query(`drop database if exists ${name}_unfinished`);
  await admin.query(`create database ${name}_unfinished`);
  const pool = new pg.Pool({ connectionString: urlOf(`${name}_unfinished`), max: 1 });
  await migrate(pool).finally(() => pool.end());
  await admin.query(`alter database ${name}_unfinished rename to ${name}`);
  return name;
}

/** Tells states of the migrations apart, and whatever else a template depends on. */
function fingerprint(...others: readonly string[]): string {
  return createHash("sha256")
    .update(JSON.stringify([migrations, ...others]))
    .digest("hex")
    .slice(0, 16);
}

function urlOf(database: string): string {
  const url = new URL(String(testDatabaseUrl));
  url.pathname = `/${database}`;
  return url.href;
}
