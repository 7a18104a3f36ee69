import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { goal, median } from "./measuring/figures.mjs";
import { startServer } from "./measuring/server-process.mjs";
import { copyServer, embeddedEnvironment, installOnPostgres, readyRequest } from "./product/installation.mjs";

const SETTLE_MS = 2_000;

/**
 * How long the server takes from being spawned to its first 200 of `/readyz`, and how much memory it holds two seconds later without having served
 * anything: on PostgreSQL, on an existing embedded database, and on the very first start, which creates one. Each start is a separate process; the
 * kinds take turns.
 */
export async function run({ databaseUrl, rounds = 7 }) {
  const product = await installOnPostgres(databaseUrl);
  const copy = copyServer();
  const template = join(copy.folder, "existing");
  const startEmbedded = (dataDir) =>
    startServer({
      file: copy.file,
      logFile: copy.logFile,
      request: readyRequest,
      env: embeddedEnvironment(dataDir),
    });
  // The existing database of every round is a copy of this one, which was stopped properly.
  await (await startEmbedded(template)).stop();

  const kinds = {
    PostgreSQL: () => product.start(),
    "embedded, existing data": (dataDir) => {
      cpSync(template, dataDir, { recursive: true });
      return startEmbedded(dataDir);
    },
    "embedded, very first start": (dataDir) => startEmbedded(dataDir),
  };
  const raw = [];
  try {
    for (let round = 1; round <= rounds; round += 1)
      for (const kind of round % 2 === 0 ? Object.keys(kinds).reverse() : Object.keys(kinds)) {
        const dataDir = join(copy.folder, "data");
        const server = await kinds[kind](dataDir);
        const cpuMs = server.cpuMicroseconds() / 1_000;
        await delay(SETTLE_MS);
        raw.push({ kind, round, readyMs: server.readyMs, cpuMs, idleMegabytes: server.residentMegabytes() });
        await server.stop();
        rmSync(dataDir, { recursive: true, force: true });
      }
  } finally {
    await product.remove();
  }

  const of = (kind, field) => median(raw.filter((row) => row.kind === kind).map((row) => row[field]));
  return {
    title: "Start to the first 200, and idle memory",
    notes: `Medians of ${rounds} starts of each kind. CPU is that of the process until then; it does not depend on other work as the clock does.`,
    tables: [
      {
        caption: "From spawn to the first 200 of `/readyz`, and resident memory two seconds later",
        head: ["database", "start ms", "CPU ms", "idle MB"],
        rows: Object.keys(kinds).map((kind) => [
          kind,
          of(kind, "readyMs"),
          of(kind, "cpuMs"),
          of(kind, "idleMegabytes"),
        ]),
      },
    ],
    goals: [
      goal("start on PostgreSQL, ms", of("PostgreSQL", "readyMs"), { atMost: 350 }),
      goal("start embedded, existing data, ms", of("embedded, existing data", "readyMs"), { atMost: 700 }),
      goal("very first start embedded, ms", of("embedded, very first start", "readyMs"), { atMost: 1_200 }),
      goal("idle on PostgreSQL, MB", of("PostgreSQL", "idleMegabytes"), { atMost: 120 }),
      goal("idle embedded, MB", of("embedded, existing data", "idleMegabytes"), { atMost: 380 }),
    ],
    raw,
  };
}
