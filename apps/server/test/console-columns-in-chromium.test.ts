import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startChromium } from "./chromium-person.js";
import { connectBank } from "./connect-bank.js";
import { consoleOrigin, invitedPerson } from "./console-in-browser.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { CUT_OFF_IN_MAIN, picture, windows } from "./page-looks.js";

const executablePath = process.env.CHROMIUM_PATH;
const ROWS = 2_500;

describe.skipIf(!executablePath)("columns of long tables, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  /** A member of the demo tenant. */
  let bea: Person;

  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("it is about pages in a browser") });
    const { demo } = server;
    const { widgetUrl } = await demo.openSession({ connector_id: sandboxBanks.eBanking, client_ref: "HH-2041" });
    await connectBank(widgetUrl, { username: "good", password: "good" });
    chromium = await startChromium(executablePath ?? "");
    bea = await invitedPerson(chromium, server, {
      tenant_id: demo.tenantId,
      email: "bea@example.com",
      name: "Bea",
      role: "member",
    });
    // Far more rows than there are.
    const application = await server.loginAgain(demo);
    await bea.page.route(/\/data\/v1\/list-(investments|transactions)$/, async (route) => {
      const { page = 1, snapshot: _, ...body } = route.request().postDataJSON();
      if (body.totals_only) return route.continue();
      const answer = (await application.post(new URL(route.request().url()).pathname.replace("/console/api", ""), body))
        .body;
      const begin = (page - 1) * body.page_size;
      const length = Math.max(0, Math.min(body.page_size, ROWS - begin));
      const items = Array.from({ length }, (_, offset) => rowAt(answer.items, begin + offset));
      const json = { ...answer, page, total: ROWS, pages: Math.ceil(ROWS / body.page_size), items };
      // The page may have gone elsewhere meanwhile.
      return route.fulfill({ json }).catch(() => undefined);
    });
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  it.each(windows)(
    "[C-14.1062] at $width px columns stay where they are over 2,000 rows; a longer value makes its own wider, and nothing is cut off",
    { timeout: START_TIMEOUT },
    async (window) => {
      const { page } = bea;
      await page.setViewportSize(window);
      const faults: string[] = [];
      for (const tab of ["holdings", "transactions"]) {
        await page.goto(`${consoleOrigin(server)}/console/holdings?tab=${tab}&by=currency`);
        await page.locator("main .table.tall tr[data-row]").first().waitFor();
        await picture(page, `columns-${tab}-${window.width}-first`);
        const { lefts, widths } = await page.evaluate(COLUMNS);
        for (const row of [200, 900, LONGER - 100]) {
          await page.evaluate(SCROLL_TO, row);
          const now = (await page.evaluate(COLUMNS)).lefts;
          if (now.join() !== lefts.join()) faults.push(`${tab}, row ${row}: ${lefts.join()} became ${now.join()}`);
        }
        await page.evaluate(SCROLL_TO, LONGER);
        await picture(page, `columns-${tab}-${window.width}-longer`);
        for (const fault of await page.evaluate<string[]>(CUT_OFF_IN_MAIN)) faults.push(`${tab}: ${fault}`);
        for (const cell of await page.evaluate<string[]>(OVERFLOWING)) faults.push(`${tab}, not in its cell: ${cell}`);
        const grown = (await page.evaluate(COLUMNS)).widths;
        expect(grown).not.toEqual(widths);
        expect(grown.slice(1).every((width, index) => width >= (widths[index + 1] ?? 0))).toBe(true);
        // Back at the top they are not narrow again.
        await page.evaluate(SCROLL_TO, 0);
        expect((await page.evaluate(COLUMNS)).widths).toEqual(grown);
      }
      expect(faults).toEqual([]);
    },
  );
});

/** From this row on, amounts are longer. */
const LONGER = 2_000;

/** In the page: where the columns of the long table begin, and how wide they are, in pixels. */
const COLUMNS = new Function(
  `const heads = [...document.querySelectorAll("main .table.tall thead th")].map((head) => head.getBoundingClientRect());
   return { lefts: heads.map(({ left }) => Math.round(left)), widths: heads.map(({ width }) => Math.round(width)) };`,
) as () => { readonly lefts: readonly number[]; readonly widths: readonly number[] };

/** In the page: scrolls the long table until this row is drawn, and the rows around it are there. */
const SCROLL_TO = new Function(
  "wanted",
  `const frame = document.querySelector("main .table.tall");
   const laidOut = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
   const deadline = Date.now() + 60_000;
   return (async () => {
     for (;;) {
       const rows = [...frame.querySelectorAll("tr[data-index]")].map((row) => Number(row.dataset.index));
       const [first, last] = [Math.min(...rows), Math.max(...rows)];
       const isDrawn = first <= wanted && wanted <= last;
       if (isDrawn && !frame.querySelector("tr[aria-busy=true]")) return;
       if (Date.now() > deadline) throw new Error("row " + wanted + " has not come");
       if (rows.length > 0 && !isDrawn) frame.scrollTop += (wanted - (first + last) / 2) * frame.scrollHeight / ${ROWS};
       await laidOut();
     }
   })();`,
) as (wanted: number) => Promise<void>;

/** In the page: the texts of the long table that are wider than their cell. */
const OVERFLOWING = `[...document.querySelectorAll("main .table.tall tr[data-index] > *")]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map((cell) => cell.textContent)`;

/** A row of a long list: names of many lengths, and later amounts that are longer, too. */
function rowAt(items: readonly Record<string, unknown>[], index: number) {
  const item = { ...items[index % items.length], id: `${10_000_000 + index}-0000-4000-8000-000000000000` };
  const amounts = Object.fromEntries(
    ["balance", "cost", "fees"].flatMap((name) => {
      const amount = (item as Readonly<Record<string, unknown>>)[name];
      return typeof amount === "string" && index >= LONGER ? [[name, amount.replace(/\d/, "98765$&")]] : [];
    }),
  );
  const ends = ["", " Anteile", " Anteile der Klasse A", " Anteile der Klasse A, thesaurierend, in Euro abgesichert"];
  const end = index < 100 ? "" : ends[index % ends.length];
  return { ...item, ...amounts, ...("name" in item && { name: `${item.name}${end}` }) };
}
