import { readFileSync } from "node:fs";
import pg from "pg";

/** Processor time of the backends of a database so far, in milliseconds. Pools keep them over a turn. */
export async function databaseCpu(databaseUrl, name) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query("select pid from pg_stat_activity where datname = $1", [name]);
    return rows.reduce(
      (sum, { pid }) => sum + Number(readFileSync(`/proc/${pid}/schedstat`, "latin1").split(" ")[0]) / 1e6,
      0,
    );
  } finally {
    await client.end();
  }
}
