import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startChromium } from "./chromium-person.js";
import { connectBank } from "./connect-bank.js";
import { consoleOrigin, firstOperatorLink, invitedPerson, joinBy, personWithDevice } from "./console-in-browser.js";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { send } from "./http-client.js";
import { oneBackend } from "./installation.js";
import { submitLetter } from "./letters.js";
import { fillLists } from "./list-samples.js";
import { auditRendered } from "./page-audit.js";
import { pictures, windows } from "./page-looks.js";

const executablePath = process.env.CHROMIUM_PATH;

/**
 * The lists whose rows can be put into another order, and the headings that do it. A person's people are an operator's, and where a heading has a
 * test of its own with several rows, that is enough.
 */
const lists = {
  operator: [
    ["letters", ["In status for", "Created", "Last changed"]],
    ["tenants", ["Name", "State", "Created"]],
    ["applications", ["Name", "Tenant", "State", "Created"]],
    ["people", ["Name", "E-mail", "Role", "State", "Here last", "End of invitation"]],
    ["sources", ["Source", "Kind", "Last success", "Next check"]],
    ["sources?tab=mappings", ["Changed"]],
    ["sources?tab=keys", ["What it does", "State", "Expires"]],
    ["providers", ["State", "Banks", "Settings changed"]],
    ["registration-tokens", ["Name", "Created", "Expires"]],
    ["connections", ["Last data", "Consent ends", "Created"]],
    ["grants?tenant=TENANT", ["Created"]],
    ["sessions?tenant=TENANT", ["Created"]],
    ["events?tenant=TENANT", ["When"]],
    ["webhooks/ENDPOINT", ["When"]],
  ],
  person: [
    ["webhooks", ["Address", "Last delivered"]],
    ["clients", ["Name", "Reference"]],
    ["holdings", ["Name", "Valued on", "Value"]],
    ["holdings?tab=portfolios", ["Name", "Value"]],
    ["holdings?tab=transactions", ["Date", "Cash value"]],
  ],
} as const;

describe.skipIf(!executablePath)("lists in another order, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  let people: Record<keyof typeof lists, Person>;
  let endpointId: string;

  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("it is about pages in a browser") });
    chromium = await startChromium(executablePath ?? "");
    const operator = await personWithDevice(chromium);
    await joinBy(operator, firstOperatorLink(server), "Ada Operator");
    ({ endpointId } = await fillLists(server));
    await server.demo.post("/events/v1/create-endpoint", { url: "https://another.invalid/hooks" });
    for (const name of ["Zürich desk", "Basel desk"]) {
      await server.operate("/operator/v1/registration-tokens/create", { name });
      await server.operate("/operator/v1/sources/set", {
        ...{ source: name.slice(0, 1).toLowerCase().concat("-desk"), settings: { kind: "push" } },
      });
      await server.operate("/operator/v1/feed-keys/generate", { name, days: name.length });
    }
    for (const client of [{ client_ref: "M-17", name: "Ärni" }, { client_ref: "M-18" }])
      await server.demo.post("/clients/v1/create", client);
    const { token } = await server.operate("/operator/v1/sources/create-token", { source: "z-desk", name: "Bank" });
    for (const file of ["a.xml", "b.xml"])
      await send(`${server.url}/feeds/v1/${token}/${file}`, { method: "PUT", body: `<${file}/>` });
    await server.demo.post("/events/v1/test-endpoint", { id: endpointId });
    const person = await invitedPerson(chromium, server, {
      tenant_id: server.demo.tenantId,
      email: "bea@example.com",
      role: "admin",
      name: "Bea",
    });
    people = { operator, person };
    for (const { page } of Object.values(people)) await page.setViewportSize(windows[0]);
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  const open = async (page: Page, path: string) => {
    await page.goto(
      `${consoleOrigin(server)}/console/${path.replace("TENANT", server.demo.tenantId).replace("ENDPOINT", endpointId)}`,
    );
    await page.locator("main tr[data-row]").first().waitFor();
  };

  it.each(Object.keys(lists) as (keyof typeof lists)[])(
    "[C-14.1004] every heading of the %s that says so sorts, one way and the other",
    { timeout: START_TIMEOUT },
    async (who) => {
      const { page } = people[who];
      const faults: string[] = [];
      for (const [path, expected] of lists[who]) {
        await open(page, path);
        const buttons = table(page).locator("thead th .sort");
        const headings = await buttons.allTextContents();
        if (headings.join() !== expected.join()) faults.push(`${path}: ${headings.join()}`);
        for (const heading of headings) faults.push(...(await faultsOfOrder(page, path, heading)));
      }
      expect(faults).toEqual([]);
    },
  );

  describe("with several rows each", () => {
    beforeAll(async () => {
      // One whose consent ends soon, and one that needs none.
      for (const [connector_id, username] of [
        [sandboxBanks.psd2, "CONSENT_ENDS_SOON"],
        [sandboxBanks.eBanking, "Bea"],
      ] as const) {
        const { widgetUrl } = await server.demo.openSession({ connector_id });
        await connectBank(widgetUrl, { username, password: username });
      }
      await submitLetter(server.demo, sandboxBanks.datafeed);
      await server.token(server.demo.clientId, server.demo.clientSecret);
    }, START_TIMEOUT);

    it.each([
      ["operator", "letters", "Last changed"],
      ["operator", "audit", "When"],
      ["operator", "feeds?tab=taken", "Came"],
      ["person", "connections", "Created"],
      ["person", "connections", "Consent ends"],
      ["person", "connections", "Last data"],
      ["person", "sessions", "Created"],
      ["person", "grants", "Created"],
      ["person", "events", "When"],
      ["person", "webhooks/ENDPOINT", "When"],
    ] as const)(
      "[C-14.1049] [C-14.1068] of the %s's %s the first row is another one when %s is pressed again, and stays after a reload",
      { timeout: START_TIMEOUT },
      async (who, path, heading) => {
        const { page } = people[who];
        await open(page, path);
        const head = table(page).getByRole("columnheader", { name: heading, exact: true });
        // Times as they are, not as "3 minutes ago".
        const first = async () => {
          const times = page.locator("main tr[data-row]").first().locator("time");
          return `${await Promise.all((await times.all()).map((time) => time.getAttribute("datetime")))}`;
        };
        const press = async () => {
          const before = await head.getAttribute("aria-sort");
          await head.getByRole("button").click();
          await eventually(async () => (await head.getAttribute("aria-sort")) !== before, `${heading} is pressed`);
          await eventually(async () => (await page.locator('main [aria-busy="true"]').count()) === 0, "rows are there");
        };
        await press();
        const one = await first();
        await press();
        await eventually(async () => (await first()) !== one, "another row is first");
        const [other, direction] = [await first(), await head.getAttribute("aria-sort")];
        await page.reload();
        await eventually(async () => (await first()) === other, "it is first after a reload");
        expect(await head.getAttribute("aria-sort")).toBe(direction);
        await pictures(page, `sorted-${path.replace(/\W/g, "-")}`);
      },
    );
  });

  it("[C-14.1005] on a phone a list under the rows' filters has their orders, by the keyboard too", async () => {
    const { page } = people.operator;
    await page.setViewportSize(windows[2]);
    await open(page, "people");
    const order = page.getByLabel("Sort by");
    expect(await order.locator("option").allTextContents()).toEqual([
      "Usual order",
      ...["Name", "E-mail", "Role", "State"].flatMap((name) => [`${name}, ascending`, `${name}, descending`]),
      ...["Here last", "End of invitation"].flatMap((name) => [`${name}, descending`, `${name}, ascending`]),
    ]);
    const first = () => page.locator("main tr[data-row] th").first().textContent();
    expect(await first()).toContain("Ada Operator");
    // What its columns say on a wider screen.
    expect(await page.locator("main tr[data-row] th .narrow").first().isVisible()).toBe(true);
    await order.focus();
    for (const sort of ["name", "-name"]) {
      await page.keyboard.press("ArrowDown");
      await page.waitForURL(`**/people?sort=${sort}`);
      // The next key goes on from what the page shows, which follows its address.
      await eventually(async () => (await order.inputValue()) === sort, `the order shown is ${sort}`);
    }
    await eventually(async () => (await first())?.includes("Maximiliane") === true, "the rows are in the other order");
    expect(await order.evaluate("document.activeElement.tagName")).toBe("SELECT");
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(await auditRendered(page, "light")).toEqual([]);
    await pictures(page, "sorted");
    await page.setViewportSize(windows[0]);
    await open(page, "people");
    expect(await order.isVisible()).toBe(false);
  });

  it("[C-14.1003] deliveries are found by the type of their event, said in words", async () => {
    const { page } = people.person;
    await open(page, `webhooks/${endpointId}`);
    const type = page.getByLabel("Type", { exact: true });
    const shown = async () => [...new Set(await page.locator("main tr[data-row] th").allTextContents())].join();
    const tested = "A webhook was tested";
    expect(await shown()).toContain(tested);
    await type.selectOption("letter.*");
    // Letters of other tests may have been delivered.
    await eventually(async () => !(await shown()).includes(tested), "deliveries about letters alone are there");
    await type.selectOption("webhook.test");
    await page.waitForURL("**?type=webhook.test");
    await eventually(async () => (await shown()) === tested, "the tests alone are there");
    await pictures(page, "deliveries-by-type");
  });

  /** What is wrong with the rows after each click on a heading, until the list is in its usual order again. */
  async function faultsOfOrder(page: Page, path: string, heading: string): Promise<readonly string[]> {
    const head = table(page).getByRole("columnheader", { name: heading, exact: true });
    const button = head.getByRole("button");
    const column = (await table(page).locator("thead th").allTextContents()).indexOf(heading);
    const faults: string[] = [];
    const directions = new Set<string>();
    for (let click = 0; click < 2; click += 1) {
      const before = await head.getAttribute("aria-sort");
      await button.click();
      await eventually(async () => (await head.getAttribute("aria-sort")) !== before, `${path}: ${heading} is clicked`);
      await eventually(async () => (await page.locator('main [aria-busy="true"]').count()) === 0, "the rows are there");
      const direction = await head.getAttribute("aria-sort");
      if (direction === null) continue;
      directions.add(direction);
      const values = (await valuesOf(table(page).locator("tr[data-row]"), column)).filter((value) => value !== "");
      const wrong = values.findIndex(
        (value, index) => index > 0 && isBehind(values[index - 1] ?? "", value, direction),
      );
      if (wrong > 0)
        faults.push(`${path}, ${heading}, ${direction}: ${values.slice(wrong - 1, wrong + 1).join(" | ")}`);
    }
    if (directions.size < 2) faults.push(`${path}, ${heading}: sorts ${directions.size} ways`);
    return faults;
  }
});

/** The table of the screen's list. */
const table = (page: Page) => page.locator("main table", { has: page.locator(".sort") }).first();

/** What the cells of a column say: a moment, a number, or words without what is said beside them. */
function valuesOf(rows: Locator, column: number): Promise<readonly string[]> {
  return rows.evaluateAll(
    new Function(
      "rows",
      "column",
      `return rows.map((row) => {
         if (!row.children[column]) return "";
         const cell = row.children[column].cloneNode(true);
         const time = cell.querySelector("time");
         if (time) return time.dateTime;
         for (const beside of cell.querySelectorAll(".quiet, .under, .narrow, .spoken")) beside.remove();
         const text = cell.textContent.trim();
         return cell.classList.contains("number") ? text.replace(/[^0-9.-]/g, "") : text;
       });`,
    ) as (rows: unknown, column: number) => readonly string[],
    column,
  );
}

const { compare } = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function isBehind(one: string, next: string, direction: string): boolean {
  const isNumber = /^-?\d+(\.\d+)?$/;
  const order = isNumber.test(one) && isNumber.test(next) ? Number(one) - Number(next) : compare(one, next);
  return direction === "ascending" ? order > 0 : order < 0;
}
