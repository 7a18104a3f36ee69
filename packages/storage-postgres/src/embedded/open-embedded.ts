import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { PGlite } from "@electric-sql/pglite";
import { createPgConfig } from "@electric-sql/pglite/node-postgres";
import { createEventLoopYielder } from "@org/core";
import type pg from "pg";
import { FreeListPool } from "../connections/free-list-pool.js";
import { lockDirectory } from "./directory-lock.js";
import { DurableNodeFS } from "./durable-node-fs.js";
import { TemplateMemoryFS } from "./template-memory-fs.js";
import { readTemplate, unpackTemplate } from "./unpack-template.js";

/**
 * How much a WebAssembly function has to run before V8 optimizes it (in bytes of its code; Node 20 has 1.8 million). Code that only a start runs
 * is not worth it: optimizing it took longer than the rest of the start, and 50 MB.
 */
const JIT_ABOVE_COST = 1_000_000_000;

/**
 * PostgreSQL's default of 128 MB would be cleared page by page at each start and held from then on, however little is stored. Pages that do not
 * fit are read again from files that the operating system caches.
 */
const ROOM = ["-c", "shared_buffers=32MB"];

/** Where an embedded database lives. */
export interface EmbeddedOptions {
  /** Folder of the installation; the database is in its subfolder `pg`. Left out: in memory, and lost when the process ends. */
  readonly dataDir?: string;
  /** A file made by {@link createTemplate}: a first start unpacks it instead of running initdb, which takes seconds. */
  readonly templateFile?: string;
}

/** The embedded database, behind the same driver as PostgreSQL. */
export interface EmbeddedDatabase {
  readonly pool: FreeListPool;
  close(): Promise<void>;
}

/**
 * Opens PGlite durably: an acknowledged commit is on disk. One connection serves everything, so a query made outside the open transaction would
 * wait for itself; the time limit on getting a connection turns that into an error.
 * @throws StorageError `in_use` when another process uses the folder
 */
export async function openEmbedded({ dataDir, templateFile }: EmbeddedOptions = {}): Promise<EmbeddedDatabase> {
  const unlock = dataDir === undefined ? () => {} : lockDirectory(join(dataDir, "pg.lock"));
  try {
    const database = await openPGlite(dataDir === undefined ? null : join(dataDir, "pg"), templateFile);
    const pool = poolOver(database);
    return {
      pool,
      async close() {
        await pool.end();
        await database.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** One connection; waiting for it ends with an error instead of lasting forever. */
export function poolOver(database: PGlite): FreeListPool {
  const config = createPgConfig(yieldingBetweenQueries(database));
  const pool = new FreeListPool({ ...config, max: 1, connectionTimeoutMillis: 15_000 } as pg.PoolConfig);
  // The query's error informs the caller; without a listener the process would end.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/**
 * Statements run in this process, and their results arrive without a turn of the event loop: a thousand in a row would block every other
 * request.
 */
function yieldingBetweenQueries(database: PGlite): PGlite {
  const pace = createEventLoopYielder();
  const driven: Pick<PGlite, "waitReady" | "execProtocolStream"> = {
    waitReady: database.waitReady,
    async execProtocolStream(...given) {
      if (pace.isDue()) await pace.turn();
      return database.execProtocolStream(...given);
    },
  };
  // The only methods that the driver calls.
  return driven as PGlite;
}

async function openPGlite(folder: string | null, templateFile: string | undefined): Promise<PGlite> {
  setFlagsFromString(`--wasm-tiering-budget=${JIT_ABOVE_COST}`);
  const template = templateFile !== undefined && existsSync(templateFile) ? templateFile : null;
  if (folder === null)
    return PGlite.create({
      startParams: [...PGlite.defaultStartParams, ...ROOM],
      ...(template !== null && { fs: new TemplateMemoryFS(readTemplate(readFileSync(template))) }),
    });
  // While this file exists the folder is incomplete: the next start begins again.
  const unfinished = `${folder}.unfinished`;
  if (existsSync(unfinished)) rmSync(folder, { recursive: true, force: true });
  const fresh = !existsSync(folder) || readdirSync(folder).length === 0;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (fresh) writeFileSync(unfinished, "");
  if (fresh && template !== null) await unpackTemplate(readFileSync(template), folder);
  const database = await PGlite.create({
    fs: new DurableNodeFS(folder),
    // `-F` is "no fsync".
    startParams: [
      ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
      ...ROOM,
      "-c",
      "wal_sync_method=fsync",
    ],
  });
  rmSync(unfinished, { force: true });
  return database;
}
