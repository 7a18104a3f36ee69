import { chromium } from "playwright-core";
import { chromiumArguments, chromiumPath } from "../../scripts/chromium.mjs";
import { goal, median } from "./measuring/figures.mjs";
import { accessToken, installOnPostgres } from "./product/installation.mjs";
import { seedLetters, withClient } from "./product/letters.mjs";
import { callRest } from "./product/rest-requests.mjs";

const LETTERS = 100_000;
const SLOWNESSES = [1, 4];
/** Continuous scrolling of some fifty rows a second, and dragging the scroll bar from the top to the end. */
const FLING = { frames: 300, px: 40 };
const DRAG = { frames: 300, px: Number.POSITIVE_INFINITY };
/** Rows read screen by screen, at most as fast as they load. */
const READ_ROWS = 3_000;
const MAX_TIME_MS = 4 * 60_000;

/**
 * The console's table of letters in Chromium, with 100,000 letters on PostgreSQL, at full speed and with the CPU slowed down four times. Measures the
 * first rows, the frames while scrolling and dragging, jumping to the end and returning from a letter, the page's memory then, and the cost of a
 * letter that another operator requests.
 */
export async function run({ databaseUrl, rounds = 3 }) {
  const installed = await installOnPostgres(databaseUrl, async ({ databaseUrl: url, credentials }) => {
    await withClient(url, (client) => seedLetters(client, credentials.demo.tenant, LETTERS));
  });
  // Passkeys are bound to the host name, and the server has its own port. None of the letters has ever had a file, so monitoring of silent feeds is
  // off: it would block them during the measurement.
  const env = { PUBLIC_URL: undefined, SANDBOX: "true", FEED_SILENT_DAYS: "0" };
  const server = await installed.start({ env });
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArguments });
  const raw = [];
  try {
    const { operator, demo } = installed.credentials;
    const other = { port: server.port, token: await accessToken(server, operator), tenant_id: demo.tenant };
    const visitor = await firstOperator(browser, server.port, installed.credentials);
    for (let round = 1; round <= rounds; round += 1)
      for (const slower of SLOWNESSES) {
        await visitor.tools.send("Emulation.setCPUThrottlingRate", { rate: slower });
        raw.push({ slower, round, ...(await look(visitor, other)) });
      }
  } finally {
    await browser.close();
    await server.stop();
    await installed.remove();
  }
  return reportOf(raw, rounds);
}

/** Signs in as the first operator, whose invitation can be used once. */
async function firstOperator(browser, port, { first_operator }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB" });
  const page = await context.newPage();
  const tools = await context.newCDPSession(page);
  await tools.send("Performance.enable", { timeDomain: "threadTicks" });
  await tools.send("WebAuthn.enable");
  await tools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      automaticPresenceSimulation: true,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  await page.goto(`http://localhost:${port}/console/join#${new URL(first_operator.link).hash.slice(1)}`);
  const press = (name) => page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("button", { name: "Create your passkey" }).waitFor();
  if (await page.getByLabel("E-mail").isVisible()) await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByLabel("Your name").fill("Ada");
  await press("Create your passkey");
  await page.getByLabel("I have kept these codes in a safe place").check();
  await press("Continue");
  await press("Later");
  await page.getByRole("navigation", { name: "Screens" }).waitFor();
  await page.addInitScript(() => {
    globalThis.tasks = [];
    new PerformanceObserver((list) =>
      globalThis.tasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({ type: "longtask", buffered: true });
  });
  return { page, tools };
}

async function look({ page, tools }, other) {
  const figures = {};
  const searches = [];
  const note = (request) => request.url().endsWith("/letters/search") && searches.push(request.url());
  page.on("request", note);
  /** The duration of a step, the longest task of the page in it, and the number of requests for rows. */
  const step = async (name, work) => {
    await page.evaluate("tasks.length = 0");
    searches.length = 0;
    const began = performance.now();
    await work();
    figures[`${name}Ms`] = performance.now() - began;
    await page.waitForTimeout(300);
    figures[`${name}TaskMs`] = await page.evaluate("Math.max(0, ...tasks)");
    figures[`${name}Searches`] = searches.length;
  };
  const frames = async (name, how) => {
    const before = await worked();
    const took = await page.evaluate(`(${scroll})(${how.frames}, ${how.px})`);
    figures[`${name}CpuMs`] = ((await worked()) - before) / how.frames;
    took.sort((a, b) => a - b);
    figures[`${name}FrameMs`] = median(took);
    figures[`${name}FrameP99Ms`] = took[Math.floor(took.length * 0.99)];
  };
  const row = (at) => page.locator(`tr[data-row="${at}"] a`);
  const jump = (to) =>
    page.evaluate(`(() => { const it = document.querySelector(".table.tall"); it.scrollTop = ${to}; })()`);
  const top = () => page.evaluate(TOP_ROW);
  const farDown = async () => {
    for (let seen = null; (seen?.row ?? 0) < LETTERS / 4; seen = await top()) await page.waitForTimeout(10);
  };
  const metric = async (name) => {
    const { metrics } = await tools.send("Performance.getMetrics");
    return metrics.find((each) => each.name === name).value;
  };
  /** Milliseconds of processor time of the page's main thread so far. */
  const worked = async () => (await metric("TaskDuration")) * 1_000;
  /** Megabytes in use after a garbage collection. */
  const heap = async () => {
    await tools.send("HeapProfiler.collectGarbage");
    return (await metric("JSHeapUsedSize")) / 1024 ** 2;
  };
  const quiet = async () => {
    await page.waitForTimeout(2_500);
    for (let before = -1; before !== searches.length; await page.waitForTimeout(500)) before = searches.length;
  };
  await page.goto("about:blank");
  await page.goto(`http://localhost:${other.port}/console/letters`, { waitUntil: "commit" });
  await step("first", () => row(0).waitFor());
  await page.waitForTimeout(2_000);
  figures.heapFirst = await heap();
  await step("fling", () => frames("fling", FLING));
  await step("read", async () => {
    figures.mostRows = await page.evaluate(`(${readOn})(${READ_ROWS}, ${MAX_TIME_MS})`);
  });
  figures.heapRead = await heap();
  await step("drag", () => frames("drag", DRAG));
  const { count } = await page.evaluate(LENGTH);
  await step("end", async () => {
    await jump("it.scrollHeight");
    await row(count - 1).waitFor();
  });
  figures.heapEnd = await heap();
  await jump("0");
  await row(0).waitFor();
  await step("jump", async () => {
    await jump("it.scrollHeight / 2");
    await farDown();
  });
  await quiet();
  const before = await top();
  await step("eventFar", async () => {
    await requestLetter(other);
    await quiet();
  });
  figures.moved = Number(JSON.stringify(await top()) !== JSON.stringify(before));
  await row(before.row + 3).evaluate((link) => link.focus({ preventScroll: true }));
  await page.keyboard.press("Enter");
  await page.waitForURL(/letters\/[0-9a-f-]+$/);
  await page.waitForTimeout(1_000);
  await step("back", async () => {
    await page.goBack();
    await farDown();
  });
  figures.lost = Number(JSON.stringify(await top()) !== JSON.stringify(before));
  figures.nodes = await page.evaluate("document.querySelectorAll('*').length");
  await jump("0");
  await row(0).waitFor();
  await quiet();
  await step("eventAtTop", async () => {
    await requestLetter(other);
    await quiet();
  });
  await step("filter", async () => {
    await page.getByLabel("Label", { exact: true }).fill("desk=desk-7");
    await page.locator('tr[data-row="0"]', { hasText: "desk=desk-7" }).waitFor();
  });
  page.off("request", note);
  return figures;
}

/** In the page: the first completely visible row and its position; null while rows are loading. */
const TOP_ROW = `(() => {
  const table = document.querySelector(".table.tall");
  if (!table || table.querySelector("td.waiting")) return null;
  const top = table.querySelector("thead").getBoundingClientRect().bottom;
  const row = [...table.querySelectorAll("tr[data-row]")].find((each) => each.getBoundingClientRect().top >= top);
  return row ? { row: Number(row.dataset.row), href: row.querySelector("a").pathname, px: Math.round(row.getBoundingClientRect().top) } : null;
})()`;

/** In the page: the number of rows of the table. */
const LENGTH = `({ count: Number(document.querySelector(".table.tall table").ariaRowCount) - 1 })`;

/** In the page: scrolls in every frame; with infinite `px`, from the top to the end. Returns the duration of each frame in milliseconds. */
async function scroll(frames, px) {
  const table = document.querySelector(".table.tall");
  const step = Math.min(px, (table.scrollHeight - table.clientHeight) / frames);
  if (step !== px) table.scrollTop = 0;
  const took = [];
  let before = await new Promise(requestAnimationFrame);
  while (took.length < frames) {
    table.scrollTop += step;
    const now = await new Promise(requestAnimationFrame);
    took.push(now - before);
    before = now;
  }
  return took;
}

/** In the page: scrolls by half a screen whenever all its rows have loaded, for `count` rows. Returns the most rows drawn at any time. */
async function readOn(count, maxMs) {
  const table = document.querySelector(".table.tall");
  const began = performance.now();
  let most = 0;
  for (let first = null, last = 0; first === null || last < first + count; await new Promise(requestAnimationFrame)) {
    const rows = table.querySelectorAll("tr[data-row]");
    most = Math.max(most, rows.length);
    last = Number(rows[rows.length - 1].dataset.row);
    first ??= last;
    if (performance.now() - began > maxMs) throw new Error(`no further than row ${last}`);
    if (!table.querySelector("td.waiting")) table.scrollTop += table.clientHeight / 2;
  }
  return most;
}

/** Another operator requests a letter, which updates every list of letters. */
async function requestLetter({ port, token, tenant_id }) {
  await callRest({ port }, token, "/operator/v1/letters/request", {
    tenant_id,
    connector_id: "esp:custodia-montelirio",
  });
}

function reportOf(raw, rounds) {
  const of = (slower, field) => median(raw.filter((row) => row.slower === slower).map((row) => row[field]));
  const steps = [
    ["the first rows", "first"],
    [`scrolling for ${FLING.frames} frames, ${FLING.px} px each`, "fling"],
    [`reading on for ${READ_ROWS.toLocaleString("en")} rows, half a screen at a time`, "read"],
    [`dragging through all of it in ${DRAG.frames} frames`, "drag"],
    ["to its end", "end"],
    ["to its middle", "jump"],
    ["there: a letter that another operator begins (3 s of it waiting)", "eventFar"],
    ["from a letter back there", "back"],
    ["at the first row: a letter that another operator begins (3 s of it waiting)", "eventAtTop"],
    ["a filter", "filter"],
  ];
  const worst = (field) => Math.max(...raw.map((row) => row[field]));
  return {
    title: `The console's table of ${LETTERS.toLocaleString("en")} letters`,
    notes: `Medians of ${rounds} visits. "Longest task": for how long the page did nothing else (long tasks, from 50 ms). A search is a page of 100 rows, or the row before one.`,
    tables: [
      {
        caption: "Milliseconds, and how often rows are asked for",
        head: ["step", ...SLOWNESSES.flatMap((by) => [`CPU / ${by}`, `longest task, CPU / ${by}`]), "searches"],
        rows: steps.map(([what, field]) => [
          what,
          ...SLOWNESSES.flatMap((slower) => [of(slower, `${field}Ms`), of(slower, `${field}TaskMs`)]),
          of(4, `${field}Searches`),
        ]),
      },
      {
        caption:
          "Frames in ms, processor time of the main thread for each, and what the page holds: rows drawn, elements, JS heap in MB at first, after reading on, and at the end",
        head: [
          "",
          "scrolled",
          "p99",
          "work",
          "dragged",
          "p99",
          "work",
          "rows",
          "elements",
          "at first",
          "read on",
          "at the end",
        ],
        rows: SLOWNESSES.map((slower) => [
          `CPU / ${slower}`,
          ...["flingFrameMs", "flingFrameP99Ms", "flingCpuMs", "dragFrameMs", "dragFrameP99Ms", "dragCpuMs"].map(
            (field) => of(slower, field),
          ),
          ...["mostRows", "nodes"].map((field) => of(slower, field)),
          ...["heapFirst", "heapRead", "heapEnd"].map((field) => of(slower, field)),
        ]),
      },
    ],
    goals: [
      goal("frame while scrolling, CPU / 4, median ms", of(4, "flingFrameMs"), { atMost: 34 }),
      goal("frame while dragging, CPU / 4, median ms", of(4, "dragFrameMs"), { atMost: 34 }),
      goal("main thread per frame while scrolling, CPU / 4, ms of processor time", of(4, "flingCpuMs"), {
        atMost: 33,
      }),
      goal("main thread per frame while dragging, CPU / 4, ms of processor time", of(4, "dragCpuMs"), {
        atMost: 33,
      }),
      goal("rows drawn at most", worst("mostRows"), { atMost: 80 }),
      goal("JS heap after reading on, above that at first, MB", of(4, "heapRead") - of(4, "heapFirst"), { atMost: 10 }),
      goal("JS heap at the end, above that at first, MB", of(4, "heapEnd") - of(4, "heapFirst"), { atMost: 10 }),
      goal("to its end, ms", of(1, "endMs"), { atMost: 1_000 }),
      goal("visits in which an event moved what was looked at", raw.filter(({ moved }) => moved).length, { atMost: 0 }),
      goal("visits in which Back lost the place", raw.filter(({ lost }) => lost).length, { atMost: 0 }),
      goal("searches that a new letter leads to", Math.max(worst("eventFarSearches"), worst("eventAtTopSearches")), {
        atMost: 2,
      }),
      goal("a filter, ms", of(1, "filterMs"), { atMost: 1_000 }),
    ],
    raw,
  };
}
