import { chromium } from "playwright-core";
import { chromiumArguments, chromiumPath } from "../../scripts/chromium.mjs";
import { goal, median } from "./measuring/figures.mjs";
import { exchange, load, messageIn, requestBytes } from "./measuring/load.mjs";
import { accessToken, installOnPostgres } from "./product/installation.mjs";
import { toolBytes } from "./product/mcp-requests.mjs";
import { callRest } from "./product/rest-requests.mjs";

/** Banks beside those of the sandbox: few, as many as two aggregators have, and as many as should ever be. */
const SIZES = [200, 12_000, 40_000];
const SLOWER = 4;
/** The time within which a person should see a reaction to a tap (Web Vitals: a good interaction to next paint). */
const MAX_TASK_MS = 200;
/** A search that finds one bank among 12,000 may take as long as among 200, but for what the machine varies by. */
const MAX_RATIO = 1.2;
const TOOL_CALLS = 1_000;
const STEPS = ["first page", "choice of bank", "more banks", "search", "another language", "login page", "connected"];

/**
 * A bank customer's path through the widget on a phone with a processor four times as slow: how long each step takes, the longest task in it, and
 * how much the page loads, and beside it the same search by a tool. Each visit has its own profile.
 */
export async function run({ databaseUrl, rounds = 9 }) {
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArguments });
  const servers = [];
  const raw = [];
  try {
    for (const banks of SIZES) servers.push(await serve(databaseUrl, banks));
    for (let round = 1; round <= rounds; round += 1)
      for (const { banks, server, token } of servers) {
        raw.push(...(await visit(browser, server, token, round)).map((row) => ({ round, banks, ...row })));
        const { p50 } = await load({
          port: server.port,
          connections: 1,
          seconds: 60,
          maxCalls: TOOL_CALLS,
          job: () => searchJob(token),
        });
        raw.push({ round, banks, step: "tool", ms: p50, longestTaskMs: 0, loadedKilobytes: 0 });
      }
  } finally {
    await browser.close();
    for (const { close } of servers) await close();
  }
  const of = (banks, step, field) =>
    median(raw.filter((row) => row.banks === banks && row.step === step).map((row) => row[field]));
  const [few, many, most] = SIZES;
  const longest = Math.max(...STEPS.map((step) => of(most, step, "longestTaskMs")));
  return {
    title: "A bank customer's way through the widget, CPU slowed four times",
    notes: `Medians of ${rounds} visits, each with an empty cache, over loopback. "Longest task": for how long the page did nothing else, told by the trace of the renderer's main thread. A quarter of the banks can be reached in two ways.`,
    tables: [
      ...SIZES.map((banks) => ({
        caption: `${banks.toLocaleString("en-GB")} banks to choose from`,
        head: ["step", "until it is shown, ms", "longest task, ms", "loaded, kB"],
        rows: STEPS.map((step) => [
          step,
          of(banks, step, "ms"),
          of(banks, step, "longestTaskMs"),
          of(banks, step, "loadedKilobytes"),
        ]),
      })),
      {
        caption: `svc-connectors by name, one call after the other, ${TOOL_CALLS} calls a round`,
        head: ["banks", "p50, ms"],
        rows: SIZES.map((banks) => [banks, of(banks, "tool", "ms")]),
      },
    ],
    goals: [
      goal("longest task of any step among the most banks, ms", longest, { atMost: MAX_TASK_MS }),
      goal("search in the widget among 12,000, of that among 200", of(many, "search", "ms") / of(few, "search", "ms"), {
        atMost: MAX_RATIO,
      }),
      goal("search by the tool among 12,000, of that among 200", of(many, "tool", "ms") / of(few, "tool", "ms"), {
        atMost: MAX_RATIO,
      }),
    ],
    raw,
  };
}

/** A server with this many banks beside the sandbox's. */
async function serve(databaseUrl, banks) {
  const installed = await installOnPostgres(databaseUrl, (fill) => importBanks(fill, banks), { SANDBOX: "true" });
  const server = await installed.start({ env: { PUBLIC_URL: undefined } });
  const token = await accessToken(server, installed.credentials.demo);
  return {
    banks,
    server,
    token,
    async close() {
      await server.stop();
      await installed.remove();
    },
  };
}

function searchJob(token) {
  const bytes = toolBytes(token, "svc-connectors", { name: "castlewick" });
  return {
    next: () => bytes,
    check(answer) {
      const { structuredContent } = messageIn(answer).result ?? {};
      if (!(structuredContent?.total > 0)) throw new Error(`nothing was found: ${answer.body.slice(0, 300)}`);
    },
  };
}

/** The last quarter are pairs of ways to one bank. */
async function importBanks({ server, credentials }, banks) {
  const rows = Array.from({ length: banks }, (_, index) =>
    JSON.stringify({
      id: `${["deu", "fra", "esp", "ita"][index % 4]}:bank-${index}`,
      name: `${["Sparkasse", "Crédit", "Caja", "Banca"][index % 4]} ${index}`,
      country: ["deu", "fra", "esp", "ita"][index % 4],
      provider: "sandbox",
      ...(index >= banks * 0.75 && { institution: `pair ${index >> 1}` }),
    }),
  );
  const authorization = `Bearer ${await accessToken(server, credentials.operator)}`;
  const headers = { "content-type": "application/x-ndjson", authorization };
  const answer = await exchange(
    server.port,
    requestBytes("POST", "/operator/v1/connectors/import", headers, `${rows.join("\n")}\n`),
  );
  if (answer.status !== 200) throw new Error(`the banks were not imported: ${answer.status} ${answer.body}`);
}

/** One customer from the link to the connection. Returns a row per step. */
async function visit(browser, server, token, round) {
  const { widget_url } = await callRest(server, token, "/connect/v2/sessions/create-session", { configuration: {} });
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
  const page = await context.newPage();
  const tools = await context.newCDPSession(page);
  await tools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  const rows = [];
  /** `act` performs the step; `until` is visible when it is done. */
  const step = async (name, act, until) => {
    const stopTracing = await traceTasks(browser, page);
    const before = await loadedKilobytes(page);
    const began = performance.now();
    await act();
    await until().waitFor();
    const ms = performance.now() - began;
    const loaded = await loadedKilobytes(page);
    rows.push({
      step: name,
      ms,
      longestTaskMs: await stopTracing(),
      loadedKilobytes: name === STEPS[0] ? loaded : loaded - before,
    });
  };
  const heading = (text) => page.getByRole("heading", { name: text });
  const press = (name) => page.getByRole("button", { name, exact: true }).click();
  try {
    await step(
      "first page",
      () => page.goto(widget_url),
      () => page.locator("main > .screen"),
    );
    await step(
      "choice of bank",
      () => press("Continue"),
      () => heading("Choose your bank"),
    );
    await step(
      "more banks",
      () => page.locator(".more-banks").click(),
      () => page.locator(".banks > li").nth(60),
    );
    await step(
      "search",
      () => page.getByLabel("Name of the bank").pressSequentially("castlewick", { delay: 30 }),
      () => page.getByRole("button", { name: "Castlewick", exact: false }).first(),
    );
    await step(
      "another language",
      async () => {
        await page.locator(".languages summary").click();
        await page.getByRole("link", { name: "Français" }).click();
      },
      () => heading("Choisissez votre banque"),
    );
    await step(
      "login page",
      () => page.locator(".banks button").first().click(),
      () => page.locator("#password"),
    );
    await step(
      "connected",
      async () => {
        await page.locator("#username").fill(`customer ${round}`);
        await page.locator("#password").fill("secret");
        await press("Continuer");
      },
      () => heading("Votre banque est connectée"),
    );
  } finally {
    await context.close();
  }
  return rows;
}

/**
 * Starts to record the tasks of the page's main thread; the returned function stops, and answers how long the longest of them took, in milliseconds.
 */
async function traceTasks(browser, page) {
  await browser.startTracing(page, {
    categories: ["toplevel", "disabled-by-default-devtools.timeline", "devtools.timeline"],
  });
  return async () => {
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString("utf8"));
    const main = traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
    const isOfPage = ({ pid, tid }) => main.some((thread) => thread.pid === pid && thread.tid === tid);
    const tasks = traceEvents.filter((event) => event.name === "RunTask" && event.ph === "X" && isOfPage(event));
    if (tasks.length === 0) throw new Error("the trace has no task of the page");
    return Math.max(...tasks.map(({ dur }) => dur)) / 1_000;
  };
}

/** The compressed size of the page with its scripts, styles and answers. */
function loadedKilobytes(page) {
  return page.evaluate(
    "performance.getEntries().reduce((sum, { encodedBodySize = 0 }) => sum + encodedBodySize, 0) / 1_000",
  );
}
