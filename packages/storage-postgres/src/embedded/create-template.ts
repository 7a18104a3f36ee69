import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { migrate } from "../migrate.js";
import { poolOver } from "./open-embedded.js";

/**
 * A migrated, empty database as a compressed archive, for `templateFile` of {@link openEmbedded}: some 4 MB, made in seconds. It was shut down
 * cleanly: before opening one that was not, PostgreSQL syncs every file several times.
 */
export async function createTemplate(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "embedded-template-"));
  try {
    await createDatabase(folder);
    // Only reads the files: without `initdb`, PGlite starts no PostgreSQL.
    const files = await PGlite.create({ fs: new NodeFS(folder), noInitDb: true });
    return new Uint8Array(await (await files.dumpDataDir("gzip")).arrayBuffer());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function createDatabase(folder: string): Promise<void> {
  const database = await PGlite.create({ fs: new NodeFS(folder) });
  const pool = poolOver(database);
  try {
    await migrate(pool);
    // Templates for creating further databases: half of all files, and no further database will be created.
    await pool.query("update pg_database set datistemplate = false");
    await pool.query("drop database template0");
    await pool.query("drop database template1");
  } finally {
    await pool.end();
    await database.close();
  }
}
