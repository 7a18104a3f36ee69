import { join } from "node:path";
import { chromium } from "playwright-core";
import { chromiumArguments, chromiumPath } from "../../scripts/chromium.mjs";
import { goal, median } from "./measuring/figures.mjs";
import { startServer } from "./measuring/server-process.mjs";
import { copyServer, readyRequest } from "./product/installation.mjs";

const SLOWER = 4;
const FIRST = "console";

/**
 * How long a first-time visitor waits for the console on a machine that is four times as slow: until the first contentful paint, until the sign-in
 * page can be used, and how much is loaded until then. Each visit has its own profile.
 */
export async function run({ rounds = 9 }) {
  const copy = copyServer();
  const server = await startServer({
    file: copy.file,
    logFile: copy.logFile,
    request: readyRequest,
    env: { DATA_DIR: join(copy.folder, "data") },
  });
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArguments });
  const raw = [];
  try {
    for (let round = 1; round <= rounds; round += 1) raw.push({ round, ...(await visit(browser, server.port)) });
  } finally {
    await browser.close();
    await server.stop();
  }
  const of = (field) => median(raw.map((row) => row[field]));
  return {
    title: "The first visit to the console, CPU slowed four times",
    notes: `Medians of ${rounds} visits, each with an empty cache, over loopback.`,
    tables: [
      {
        caption: `From the beginning of the visit to \`/${FIRST}\``,
        head: ["first contentful paint ms", "sign-in page usable ms", "loaded kB"],
        rows: [[of("paintMs"), of("usableMs"), of("loadedKilobytes")]],
      },
    ],
    goals: [
      goal("first contentful paint, ms", of("paintMs"), { atMost: 1_000 }),
      goal("loaded until the sign-in page stands, kB", of("loadedKilobytes"), { atMost: 150 }),
    ],
    raw,
  };
}

async function visit(browser, port) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const tools = await context.newCDPSession(page);
  await tools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  await page.goto(`http://localhost:${port}/${FIRST}`);
  await page.locator("h1").waitFor();
  const usableMs = await page.evaluate("performance.now()");
  const paintMs = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN");
  const loaded = await page.evaluate(
    "performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)",
  );
  await context.close();
  return { paintMs, usableMs, loadedKilobytes: loaded / 1_000 };
}
