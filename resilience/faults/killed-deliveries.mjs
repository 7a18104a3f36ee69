// Delivers thousands of events from two servers that are killed every few seconds, on a PostgreSQL that is restarted and killed:
//
//   node resilience/faults/killed-deliveries.mjs [events] [seconds between kills] [seconds between restarts of the database]
//
// The defaults are 10,000 events, 10 and 45 seconds: a quarter of an hour on a busy machine, at most half an hour. Half of the events belong to a
// tenant with nineteen hostile endpoints besides its honest one, half to a tenant without. It runs apps/server/test/webhook-kills.test.ts with larger
// numbers.
import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startBreakablePostgres } from "./postgres-to-break.mjs";

const [events = 10_000, killSeconds = 10, restartSeconds = 45] = process.argv.slice(2).map(Number);
const root = fileURLToPath(new URL("../..", import.meta.url));
const postgres = await startBreakablePostgres({ maxConnections: 150 });
const faults = {
  "restart, fast": () => postgres.restart("fast"),
  "restart, immediate": () => postgres.restart("immediate"),
  "SIGKILL, started again": async () => {
    postgres.kill();
    await delay(500);
    await postgres.start();
  },
};
try {
  const test = spawn("npx", ["vitest", "run", "apps/server/test/webhook-kills.test.ts", "--maxWorkers=1"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      TEST_DATABASE_URL: postgres.url,
      TEST_BACKENDS: "postgres",
      WEBHOOK_EVENTS: String(events / 2),
      WEBHOOK_KILLS: "4",
      WEBHOOK_ALIVE_MS: String(killSeconds * 1_000),
      WEBHOOK_LETTERS: "8",
    },
  });
  const ended = new Promise((resolve) => test.once("close", resolve));
  // The servers are built and started first; the database is not disturbed during that.
  const begun = new Promise((resolve) => {
    test.stdout.setEncoding("utf8").on("data", (text) => {
      process.stdout.write(text);
      if (text.includes("both servers are there")) resolve();
    });
  });
  let isOver = false;
  const code = ended.finally(() => {
    isOver = true;
  });
  await Promise.race([ended, begun]);
  for (let n = 0; !isOver; n += 1) {
    await Promise.race([ended, delay(restartSeconds * 1_000)]);
    const [name, fault] = Object.entries(faults)[n % 3];
    if (!isOver) await fault().then(() => console.log(`database: ${name}`));
  }
  process.exitCode = await code;
} finally {
  postgres.remove();
}
