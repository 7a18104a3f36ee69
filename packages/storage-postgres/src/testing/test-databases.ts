import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { PGlite, type PGliteOptions } from "@electric-sql/pglite";
import pg from "pg";
import { distributeCluster } from "../cluster.js";
import { FreeListPool } from "../connections/free-list-pool.js";
import { createTemplate } from "../embedded/create-template.js";
import { poolOver } from "../embedded/open-embedded.js";
import { TemplateMemoryFS } from "../embedded/template-memory-fs.js";
import { readTemplate, type TemplateEntry } from "../embedded/unpack-template.js";
import { migrate } from "../migrate.js";
import { migrations } from "../migrations.js";

/** A migrated database for one test file. */
export interface TestDatabase {
  readonly pool: FreeListPool;
  close(): Promise<void>;
}

/** A test database in memory, on PGlite. The first on a machine creates a template, from which the others are unpacked. */
export async function createEmbeddedTestDatabase(): Promise<TestDatabase> {
  embeddedParts ??= readEmbeddedParts();
  const { template, ...parts } = await embeddedParts;
  const database = await PGlite.create({ ...parts, fs: new TemplateMemoryFS(template), startParams });
  const pool = poolOver(database);
  return {
    pool,
    async close() {
      await pool.end();
      await database.close();
    },
  };
}

/** A sixteenth of the default memory is enough for tests, and all of it is cleared at each start. */
const startParams = [...PGlite.defaultStartParams, "-c", "shared_buffers=8MB"];

type EmbeddedParts = Required<Pick<PGliteOptions, "pgliteWasmModule" | "fsBundle">> & {
  readonly template: readonly TemplateEntry[];
};
/** Shared by this process: compiled once, the program is fast in every database but the first, and a database opens in half the time. */
let embeddedParts: Promise<EmbeddedParts> | undefined;

/** The types of Node's globals name the namespace only. */
const { compile } = (
  globalThis as unknown as {
    WebAssembly: { compile(program: Uint8Array): Promise<EmbeddedParts["pgliteWasmModule"]> };
  }
).WebAssembly;

async function readEmbeddedParts(): Promise<EmbeddedParts> {
  const partOf = (name: string) => readFileSync(join(dirname(embeddedProgram), name));
  const template = readTemplate(readFileSync(await embeddedTemplateFile()));
  return {
    pgliteWasmModule: await compile(partOf("pglite.wasm")),
    fsBundle: new Blob([partOf("pglite.data")]),
    template,
  };
}

const embeddedProgram = createRequire(import.meta.url).resolve("@electric-sql/pglite");
/** How long others wait for a process that may have died while creating the template. */
const TEMPLATE_MS = 60_000;
const PAUSE_MS = 100;

/**
 * A file with a migrated, empty database, for `templateFile` of `openStorage`: the one that `TEST_TEMPLATE_FILE` names; otherwise the first
 * caller on a machine creates it, which takes seconds, while other callers wait.
 */
export async function embeddedTemplateFile(): Promise<string> {
  const given = process.env.TEST_TEMPLATE_FILE;
  if (given) return given;
  const file = join(tmpdir(), `wealth-connect-template-${fingerprint(embeddedProgram)}.tar.gz`);
  const lock = `${file}.lock`;
  for (let waited = 0; !existsSync(file); waited += PAUSE_MS) {
    if (!take(lock) && waited < TEMPLATE_MS) {
      await delay(PAUSE_MS);
      continue;
    }
    try {
      // Others see the whole file or none.
      const unfinished = `${file}.${randomUUID()}`;
      writeFileSync(unfinished, await createTemplate());
      renameSync(unfinished, file);
    } finally {
      rmSync(lock, { force: true });
    }
  }
  return file;
}

/** Returns false if another process holds it. */
function take(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    return false;
  }
}

/** A superuser's URL of a real PostgreSQL for tests; undefined = none, and tests that need it are skipped. */
export const testDatabaseUrl: string | undefined = process.env.TEST_DATABASE_URL || undefined;

/**
 * Superusers' URLs of the workers when {@link testDatabaseUrl} is the coordinator of a cluster (`node scripts/citus.mjs`); else none.
 * Tests that begin with an empty database are skipped there: it would be one without Citus.
 */
export const testCitusWorkers: readonly string[] = process.env.TEST_CITUS_WORKERS?.split(",") ?? [];

/** The backends that store tests run on: both, if available, or only PostgreSQL with `TEST_BACKENDS=postgres`. */
export const testBackends: readonly { readonly name: string; readonly create: () => Promise<TestDatabase> }[] = [
  ...(process.env.TEST_BACKENDS === "postgres" ? [] : [{ name: "PGlite", create: createEmbeddedTestDatabase }]),
  ...(testDatabaseUrl === undefined
    ? []
    : [{ name: testCitusWorkers.length > 0 ? "Citus" : "PostgreSQL", create: createPostgresTestDatabase }]),
];

/**
 * A separate database on the server of {@link testDatabaseUrl}: a copy of a template that is migrated once per state of the migrations. On a
 * cluster it is distributed over the workers. Closing drops it.
 */
export function createPostgresTestDatabase(): Promise<TestDatabase & { readonly url: string }> {
  return createFromTemplate(testCitusWorkers.length > 0);
}

/** A migrated database on the cluster that is not distributed yet. */
export function createUnspreadTestDatabase(): Promise<TestDatabase & { readonly url: string }> {
  return createFromTemplate(false);
}

async function createFromTemplate(isSpread: boolean): Promise<TestDatabase & { readonly url: string }> {
  if (testDatabaseUrl === undefined) throw new Error("TEST_DATABASE_URL is not set");
  const name = `wealth_connect_test_${randomUUID().replaceAll("-", "")}`;
  const admin = await connectNodes();
  // A template cannot be copied while another session makes or copies it.
  await admin.coordinator.query(`select pg_advisory_lock(${TEMPLATE_LOCK})`);
  const plain = await template(admin, false);
  // Both under one lock, because roles belong to the whole server: while one changes them, the other must not.
  const spread = testCitusWorkers.length > 0 ? await template(admin, true) : plain;
  await admin.everywhere(`create database ${name} template ${isSpread ? spread : plain}`);
  await admin.end();
  const url = urlOf(name);
  const pool = new FreeListPool({ connectionString: url, max: 10 });
  // Some tests restart the database, and idle connections end with it.
  pool.on("error", () => undefined);
  return {
    pool,
    url,
    async close() {
      await pool.end();
      const last = await connectNodes();
      // Waits for sessions that are still closing; those between the nodes of a cluster stay until they are ended.
      await last.everywhere(`drop database ${name}${testCitusWorkers.length > 0 ? " with (force)" : ""}`);
      await last.end();
    },
  };
}

/** Connections to the server of tests, or to all nodes of the cluster. */
interface Nodes {
  readonly coordinator: pg.Client;
  everywhere(sql: string): Promise<void>;
  end(): Promise<void>;
}

async function connectNodes(database?: string): Promise<Nodes> {
  const urls = [String(testDatabaseUrl), ...testCitusWorkers];
  const clients = urls.map((url) => new pg.Client({ connectionString: database ? urlOf(database, url) : url }));
  for (const client of clients) await client.connect();
  return {
    coordinator: clients[0] as pg.Client,
    async everywhere(sql) {
      for (const client of clients) await client.query(sql);
    },
    async end() {
      for (const client of clients) await client.end();
    },
  };
}

const TEMPLATE_LOCK = 7_304_551_903;

async function template({ coordinator, everywhere }: Nodes, isSpread: boolean): Promise<string> {
  const name = `wealth_connect_template_${fingerprint(String(isSpread))}`;
  const { rows } = await coordinator.query("select from pg_database where datname = $1", [name]);
  if (rows.length > 0) return name;
  // Migrated under another name, so that one that failed halfway is never copied.
  const unfinished = `${name}_unfinished`;
  await everywhere(`drop database if exists ${unfinished}${testCitusWorkers.length > 0 ? " with (force)" : ""}`);
  await everywhere(`create database ${unfinished}`);
  const pool = new pg.Pool({ connectionString: urlOf(unfinished), max: 2 });
  // Its connections may still be closing when all are ended below.
  pool.on("error", () => undefined);
  try {
    await migrate(pool);
    if (testCitusWorkers.length > 0) await addWorkers(pool, unfinished);
    if (isSpread) await distributeCluster(pool);
  } finally {
    await pool.end();
  }
  if (testCitusWorkers.length > 0) {
    // A database can only be copied while nobody is connected, and Citus connects to every database that has it.
    await everywhere(`alter database ${unfinished} allow_connections false`);
    await everywhere(`select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${unfinished}'`);
  }
  await everywhere(`alter database ${unfinished} rename to ${name}`);
  return name;
}

async function addWorkers(pool: pg.Pool, database: string): Promise<void> {
  const nodes = await connectNodes(database);
  await nodes.everywhere("create extension citus");
  await nodes.end();
  await pool.query("select citus_set_coordinator_host($1, $2)", hostAndPort(String(testDatabaseUrl)));
  for (const worker of testCitusWorkers) await pool.query("select citus_add_node($1, $2)", hostAndPort(worker));
}

function hostAndPort(url: string): [string, number] {
  const { hostname, port } = new URL(url);
  return [hostname, Number(port)];
}

/** Inserts a tenant with this id, also used as its name, unless it exists. */
export async function insertTenant(pool: Pick<pg.Pool, "query">, tenantId: string): Promise<void> {
  await pool.query(
    "insert into tenants (tenant_id, name, name_key, created_at) values ($1, $2, $2, now()) on conflict do nothing",
    [tenantId, tenantId],
  );
}

/** A hash of the migrations and of whatever else a template depends on. */
function fingerprint(...others: readonly string[]): string {
  return createHash("sha256")
    .update(JSON.stringify([migrations, ...others]))
    .digest("hex")
    .slice(0, 16);
}

function urlOf(database: string, server = String(testDatabaseUrl)): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}
