import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startChromium } from "./chromium-person.js";
import { connectBank } from "./connect-bank.js";
import { consoleOrigin, invitedPerson } from "./console-in-browser.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { ingest, waitingLetter } from "./letters.js";
import { auditRendered } from "./page-audit.js";
import { CUT_OFF_IN_MAIN, pictures, windows } from "./page-looks.js";
import { type ReadPage, readPdf } from "./pdf-text.js";

const executablePath = process.env.CHROMIUM_PATH;
const DAY_MS = 86_400_000;
const lastYear = new Date().getUTCFullYear() - 1;
const days = [`${lastYear - 1}-12-30`, `${lastYear - 1}-12-31`] as const;
const mapping = {
  ...{ language: 1, name: "fern", title: "Fern Bank", delimiter: ";" },
  recognise: { header: ["Day", "Row", "Account", "Name", "ISIN", "Value", "Currency", "Cost", "Taxes"] },
  account: { number: { column: "Account" }, currency: { column: "Currency" } },
  values: { date: { column: "Day" }, currency: { column: "Currency" }, name: { column: "Name" } },
  tables: [
    {
      rows: [
        {
          ...{ when: { column: "Row", is: "holding" }, is: "holding", type: "VI" },
          values: {
            ...{ value: { column: "Value" }, units: { constant: "10" }, price: { constant: "11.00" } },
            ...{ cost: { column: "Cost" }, isin: { column: "ISIN" } },
          },
        },
        {
          ...{ when: { column: "Row", is: "dividend" }, is: "transaction", kind: "dividend" },
          values: { cash: { column: "Value" }, taxes: { column: "Taxes" } },
        },
      ],
    },
  ],
};
/** What a custodian sends for the client F-1. */
const files: Readonly<Record<string, readonly string[]>> = {
  "open.csv": [mapping.recognise.header.join(";"), `${days[0]};holding;4;Fern Fund;CH0012032048;100.00;EUR;90.00;`],
  "close.csv": [
    mapping.recognise.header.join(";"),
    `${days[1]};holding;4;Fern Fund;CH0012032048;110.00;EUR;90.00;`,
    `${days[1]};dividend;4;Fern Fund;CH0012032048;15.00;EUR;;5.00`,
  ],
};
/** The width in CSS pixels that A4 leaves between the report's margins. */
const A4_TEXT = { width: 680, height: 990 };

// biome-ignore lint/suspicious/noExplicitAny: answers of every endpoint
type Answer = any;

describe.skipIf(!executablePath)("the printed report, in Chromium", () => {
  let server: TestServer;
  let chromium: Browser;
  /** May only read. */
  let rea: Person;

  beforeAll(async () => {
    server = await startTestServer({ backend: oneBackend("it is about a page in a browser") });
    const { demo } = server;
    const days = Array.from({ length: 900 }, (_, at) => new Date(Date.now() - at * DAY_MS).toISOString().slice(0, 10));
    const rates = days.flatMap((day, at) => [`${day},EUR,GBP,0.${8000 + at}`, `${day},EUR,USD,1.${1000 + at}`]);
    await server.operator.post(
      "/operator/v1/rates/import?name=rates.csv",
      ["date,base,quote,rate", ...rates].join("\n"),
      {
        headers: { "content-type": "application/octet-stream" },
      },
    );
    const set = { display_name: "Fern & Partner", logo: picture(120, 40).toString("base64") };
    await server.operate("/operator/v1/tenants/update", { tenant_id: demo.tenantId, set });
    const one = await connect(sandboxBanks.eBanking, "one");
    const abroad = await connect(await bankAbroad(), "abroad");
    await demo.post("/clients/v1/assign", { client_ref: "M-17", connection_id: [one, abroad] });
    await demo.post("/clients/v1/update", { client_ref: "M-17", name: "Meier" });
    await server.operate("/operator/v1/datafeed-mappings/set", { connector_id: sandboxBanks.datafeed, mapping });
    const letter_id = await waitingLetter(server, demo, sandboxBanks.datafeed);
    await demo.post("/clients/v1/assign", { client_ref: "F-1", letter_id });
    for (const [name, lines] of Object.entries(files))
      expect((await ingest(server, { letter_id }, Buffer.from(lines.join("\n")), name)).status).toBe(200);
    chromium = await startChromium(executablePath ?? "");
    rea = await invitedPerson(chromium, server, {
      tenant_id: demo.tenantId,
      email: "rea@example.com",
      name: "Rea",
      role: "read",
    });
    await rea.page.setViewportSize(windows[0]);
  }, START_TIMEOUT);
  afterAll(async () => {
    await chromium?.close();
    await server?.remove();
  });

  async function connect(connector_id: string, username: string): Promise<string> {
    const { demo } = server;
    await connectBank((await demo.openSession({ connector_id })).widgetUrl, { username, password: "good" });
    return (await demo.post("/data/v1/search-connections", { page_size: 1 })).body.items[0].connection_id;
  }

  /** A bank whose accounts are in pounds. */
  async function bankAbroad(): Promise<string> {
    const { items } = (await server.demo.post("/connect/v2/connectors/list-connectors", {})).body;
    const isBritish = ({ id, type, available }: Answer) =>
      id.startsWith("gbr:") && type === "e-banking" && available !== false;
    return items.find(isBritish).id;
  }

  const ask = async (path: string, body: object): Promise<Answer> => (await server.demo.post(path, body)).body;

  /** Opens the report with these choices and waits until it is whole. */
  async function open(choices: Readonly<Record<string, string>>): Promise<Page> {
    const { page } = rea;
    await page.goto(`${consoleOrigin(server)}/console/report?${new URLSearchParams(choices)}`);
    await page.locator(".report").waitFor();
    return page;
  }

  /** Prints as the browser's own dialog does: paper and margins are those of the page, without backgrounds. */
  async function printed(page: Page, name: string, format = "A4"): Promise<readonly ReadPage[]> {
    await page.waitForFunction("[...document.images].every(({ complete }) => complete)");
    const pdf = await page.pdf({ preferCSSPageSize: true, format });
    const folder = process.env.PICTURES;
    if (folder !== undefined) writeFileSync(join(folder, `${name}.pdf`), pdf);
    return readPdf(pdf);
  }

  it("[C-14.1108] [C-14.1112] who may only read gets from a client's page to the report and chooses its period, currency and language", async () => {
    const { page } = rea;
    await page.goto(`${consoleOrigin(server)}/console/client?ref=M-17`);
    await page.getByRole("link", { name: "Report", exact: true }).click();
    await page.locator(".report").waitFor();
    await page.getByLabel("Period", { exact: true }).selectOption("last_year");
    await page.waitForURL("**/report?ref=M-17&period=last_year");
    await page.getByLabel("Currency", { exact: true }).selectOption("EUR");
    await page.getByLabel("Language of the report", { exact: true }).selectOption("fr");
    const sheet = page.locator(".report[lang=fr]");
    await sheet.getByRole("heading", { name: "Rapport patrimonial" }).waitFor();
    await sheet.getByText(`du 1 janv. ${lastYear} au 31 déc. ${lastYear}`).waitFor();
    await page.getByRole("heading", { level: 1, name: "Report · Meier" }).waitFor();
    await page.evaluate("window.print = () => { document.body.dataset.printed = 'yes'; }");
    await page.getByRole("button", { name: "Print or save as PDF", exact: true }).click();
    await page.locator("body[data-printed=yes]").waitFor();
    await page.getByLabel("Period", { exact: true }).selectOption("own");
    await page.getByLabel("Last day", { exact: true }).fill(`${lastYear - 1}-06-30`);
    await page.getByText("Choose a first day that is not after the last one").waitFor();
    expect(await page.locator(".report").count()).toBe(0);
    await page.goto(`${consoleOrigin(server)}/console/holdings`);
    await page.getByRole("link", { name: "Report", exact: true }).click();
    await page.locator(".report").getByText("All clients").waitFor();
  });

  it("[C-14.1109] [C-14.1111] [C-14.1077] [C-14.1125] [C-14.1126] the PDF is of pages of the chosen paper with the tenant's name and logo, and its figures are those of REST", async () => {
    const page = await open({ ref: "M-17", period: "last_year", currency: "EUR", gaps: "yes" });
    await pictures(page, "report");
    expect(await auditRendered(page, "light")).toEqual([]);
    const pages = await printed(page, "stated");
    for (const { width, height } of pages) expect(Math.hypot(width - 595, height - 842)).toBeLessThan(2);
    // 50 holdings, and all that is said of them.
    expect(pages.length).toBeLessThanOrEqual(4);
    for (const { text } of pages.slice(1)) expect(text).toMatch(/^Fern&Partner·Meier·1Jan/);
    expect(pages[0]?.pictures).toBeGreaterThan(0);
    for (const [at, { text }] of pages.entries()) expect(text).toContain(`${at + 1}/${pages.length}`);
    const text = textOf(pages);
    const asked = { client_ref: "M-17", currency: "EUR" };
    const period = { from: `${lastYear}-01-01`, to: `${lastYear}-12-31` };
    const day = { date: period.to, page_size: 500 };
    const figures = async (path: string, body: object) => ask(`/data/v1/${path}`, { ...asked, ...body });
    const twr = await figures("performance", { ...period, allow_gaps: true });
    const mwr = await figures("performance", { ...period, allow_gaps: true, method: "mwr" });
    const money = [twr.opening.balance, twr.closing.balance, twr.flows.in, twr.flows.out, twr.gain];
    const returns = [twr.return, twr.return_gross_of_fees, twr.return_gross_of_fees_and_taxes, mwr.return];
    /** What the tables of the allocation begin with. */
    const first: string[] = [];
    const wanted = [
      ...["Fern&Partner", "Wealthreport", "Meier", "GIPS", `Version${twr.rules}oftherules`],
      ...money.map((amount) => `${amount}EUR`),
      ...returns.map((value) => percent(value, 4)),
    ];
    for (const by of ["type", "currency", "bank"]) {
      const { items, rates } = await figures("summary", { ...day, by });
      const [most] = [...items].sort((one: Answer, other: Answer) => Number(other.share) - Number(one.share));
      first.push(`${most.totals[0].balance}EUR${percent(most.share, 2)}`);
      for (const { totals, share } of items) wanted.push(`${totals[0].balance}EUR${percent(share, 2)}`);
      for (const { currency, rate, source } of rates) wanted.push(`1${currency}=${rate}EUR${source}`);
    }
    const gains = (await figures("gains", day)).items;
    const held = (await figures("holdings-at", day)).items;
    for (const { price, price_currency } of held)
      if (![undefined, "EUR"].includes(price_currency)) wanted.push(`${price}${price_currency}`);
    expect(wanted.filter((each) => each.endsWith("GBP")).length).toBeGreaterThan(0);
    for (const { id, portfolio_id, name, balance } of held) {
      const gained = gains.find((item: Answer) => item.id === id && item.portfolio_id === portfolio_id);
      wanted.push(name, ...(balance === null ? [] : [`${balance}EUR${gained?.cost ?? ""}${gained?.gain ?? ""}`]));
    }
    for (const { totals } of (await figures("income", { ...period, by: "month" })).items)
      for (const { count, gross, taxes, net } of totals)
        if (gross !== null) wanted.push(`${count}${gross}${taxes}${net}EUR`);
    for (const { totals } of (await figures("income", { ...period, by: "kind", kind: ["fee", "tax"] })).items)
      for (const { count, net } of totals) wanted.push(`${count}${net}EUR`);
    for (const { name, refAccount } of (await ask("/data/v1/list-portfolios", { client_ref: "M-17" })).items)
      wanted.push(`${name}${refAccount ?? ""}`);
    const begins = await page.locator(".report .allocations tbody tr:first-child").allTextContents();
    const isMost = (line: string) => first.some((part) => line.replace(/\s/g, "").endsWith(part));
    expect(begins.map(isMost)).toEqual([true, true, true]);
    expect(wanted.length).toBeGreaterThan(40);
    expect(wanted.filter((each) => !text.includes(each.replace(/\s/g, "")))).toEqual([]);
    await isWhole(page, pages);
    const onLetter = await printed(page, "letter", "Letter");
    for (const { width, height } of onLetter) expect(Math.hypot(width - 612, height - 792)).toBeLessThan(2);
    expect(onLetter.length).toBeLessThanOrEqual(4);
    await isWhole(page, onLetter);
  });

  it("[C-14.1122] [C-14.1123] on a phone the sheet alone is scrolled sideways, and it names providers as people know them", async () => {
    const page = await open({ ref: "M-17", period: "last_quarter", currency: "EUR" });
    await page.setViewportSize(windows[2]);
    const notKnown = page.locator(".report .spoken", { hasText: "Not known" });
    expect(await notKnown.count()).toBeGreaterThan(0);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(windows[2].width);
    await page
      .locator(".report")
      .getByText(/Sandbox banks, /)
      .first()
      .waitFor();
    await page.setViewportSize(windows[0]);
  });

  it("[C-14.1110] [C-14.1078] a figure that REST refuses is named with its reason, and what is known stands beside it", async () => {
    // No rates lead to francs.
    const page = await open({ ref: "M-17", period: "last_year", currency: "CHF", language: "de" });
    const pages = await printed(page, "refused");
    const text = textOf(pages);
    const refused = await ask("/data/v1/summary", { client_ref: "M-17", currency: "CHF", by: "type" });
    expect(refused.error.code).toBe("INSUFFICIENT_DATA");
    for (const said of ["ZeitgewichteteRenditeNichtausgewiesen", "GeldgewichteteRenditeNichtausgewiesen"])
      expect(text).toContain(said);
    expect(text).toContain(`Wertamendedes31.12.${lastYear}Nichtausgewiesen`.replace("ende", "Ende"));
    expect(text).toMatch(/gibteskeinenWechselkursvon(EUR|GBP|USD)inCHF,auchfürandereTagenicht/);
    const [reasons = ""] = await page.locator(".report .reasons").last().allTextContents();
    expect(reasons.match(/von GBP in CHF/g)).toHaveLength(1);
    expect(text).toContain("Alle6PortfolioshabeneinenWert.");
    await isWhole(page, pages);
    await open({ ref: "M-17", period: "last_year" });
    await page.getByText("Returns need one: choose a currency for the report.").waitFor();
    await isWhole(page, await printed(page, "currencies"));
    const { totals } = await ask("/data/v1/summary", { client_ref: "M-17", date: `${lastYear}-12-31`, by: "type" });
    const shown = page.locator(".report .values tr.total .amount");
    for (const { balance, currency } of totals)
      expect(await shown.allTextContents()).toContain(`${balance} ${currency}`);
  });

  it("[C-14.1113] without a client the report is on all of the tenant, divided by client too", async () => {
    const page = await open({ period: "last_year", currency: "EUR", language: "es" });
    const pages = await printed(page, "all");
    const text = textOf(pages);
    expect(text).toContain("Todoslosclientes");
    expect(text).toContain("ClienteValorParticipaci".slice(0, 12));
    const { items } = await ask("/data/v1/summary", { currency: "EUR", date: `${lastYear}-12-31`, by: "client" });
    for (const { balance } of items.flatMap(({ totals }: Answer) => totals))
      expect(text).toContain(`${balance.replace(".", ",")}EUR`);
    await isWhole(page, pages);
  });

  it("[C-14.1079] from a total, holding, gain, income and return of the report one gets to the file and its line", async () => {
    const [before, day] = days;
    const page = await open({ ref: "F-1", period: "own", from: day, to: day });
    const pages = await printed(page, "traced");
    const text = textOf(pages);
    const lineOf = async (id: string | undefined, date: string = day) => {
      const { source } = (await ask("/data/v1/why", { id, date })).versions[0];
      const [, line] = /^line (\d+)/.exec(source.place ?? "") ?? [];
      return `${source.name}: ${line ? files[source.name]?.[Number(line) - 1] : "all"}`;
    };
    // The total: the portfolio's number is printed beneath its file.
    const [, account] = /31Dec\d{4}110\.00EURclose\.csv[^-]*?([0-9a-f]{8}-[0-9a-f-]{27})/.exec(text) ?? [];
    expect(await lineOf(account)).toMatch(/^close\.csv/);
    // The return: from the close of the day before to that of the last day.
    const { opening, closing, ...earned } = await ask("/data/v1/performance", {
      client_ref: "F-1",
      from: day,
      to: day,
    });
    expect([opening, closing]).toEqual([
      { date: before, balance: "100.00" },
      { date: day, balance: "110.00" },
    ]);
    expect(text).toContain(percent(earned.return, 4));
    expect(await lineOf(account, before)).toMatch(/^open\.csv/);
    // A holding and its gain: by what the report prints of client, security and day.
    expect(text).toContain("F-1");
    expect(text).toContain("FernFundCH00120320481011.00110.00EUR90.0020.0022.22%");
    const { items } = await ask("/data/v1/holdings-at", { client_ref: "F-1", date: day });
    expect(await lineOf(items.find(({ isin }: Answer) => isin === "CH0012032048").id)).toBe(
      `close.csv: ${files["close.csv"]?.[1]}`,
    );
    // An income: by the movements of its month.
    expect(text).toMatch(/December\d{4}120\.005\.0015\.00EUR/);
    const paid = await ask("/data/v1/list-transactions", { client_ref: "F-1", kind: "dividend" });
    expect(await lineOf(paid.items[0].id)).toBe(`close.csv: ${files["close.csv"]?.[2]}`);
    await isWhole(page, pages);
    // A year later the value is too old: nothing is held, nothing was earned, and the report says why.
    await open({ ref: "F-1", period: "last_year", language: "fr" });
    const lacking = await printed(page, "missing");
    expect(textOf(lacking)).toContain("Nidividendes,niintérêts,nicouponspendantcettepériode.");
    expect(textOf(lacking)).toMatch(/manque\D*ladernièrevaleuresttropancienne/);
    await isWhole(page, lacking);
  });

  it("[C-14.1119] the method is on one page with its heading, in each language, on A4 and on Letter", async () => {
    const [, day] = days;
    const apart: string[] = [];
    for (const language of ["en", "de", "fr", "es"])
      for (const format of ["A4", "Letter"]) {
        const page = await open({ ref: "F-1", period: "own", from: day, to: day, language });
        await page.locator(`.report[lang=${language}]`).waitFor();
        const whole = (await page.locator(".report .method").allTextContents()).join("").replace(/\s/g, "");
        const pages = await printed(page, `method-${language}-${format}`, format);
        // Drawn text differs from it by ligatures and the like: its beginning and its end tell.
        const [begin, end] = [whole.slice(0, 30), whole.slice(-30)];
        if (!pages.some(({ text }) => text.includes(begin) && text.includes(end))) apart.push(`${language} ${format}`);
      }
    expect(apart).toEqual([]);
  });

  /** Nothing is cut off on paper, no heading or head of a table is alone at the foot of a page, and nothing of the console is printed. */
  async function isWhole(page: Page, pages: readonly ReadPage[]): Promise<void> {
    const texts = (selector: string) => page.locator(`.report ${selector}`).allTextContents();
    const heads = (await texts("thead")).map((text) => text.replace(/\s/g, ""));
    const headings = (await texts("h3")).map((text) => text.replace(/\s/g, ""));
    const ends = pages.map(({ text }) => heads.reduce((left, head) => left.replaceAll(head, ""), text));
    expect(ends.filter((end) => headings.some((heading) => end.endsWith(heading)))).toEqual([]);
    expect(pages.filter(({ text }) => /PrintorsaveasPDF|Signout|Languageofthereport/.test(text))).toEqual([]);
    await page.setViewportSize(A4_TEXT);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await page.evaluate(CUT_OFF_IN_MAIN)).toEqual([]);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.report')).color")).toBe("rgb(19, 32, 30)");
    await page.emulateMedia({ media: null, colorScheme: null });
    await page.setViewportSize(windows[0]);
  }
});

/** All that is printed, without the signs of amounts above zero. */
function textOf(pages: readonly ReadPage[]): string {
  return pages.map(({ text }) => text.replaceAll("+", "")).join("");
}

/** A fraction with six decimals in percent, rounded half even. */
function percent(fraction: string, digits: 2 | 4): string {
  const millionths = Math.round(Number(fraction) * 1e6);
  const [size, step] = [Math.abs(millionths), 10 ** (4 - digits)];
  const [quotient, rest] = [Math.floor(size / step), (size % step) * 2];
  const rounded = quotient + (rest > step || (rest === step && quotient % 2 === 1) ? 1 : 0);
  const text = (rounded / 10 ** digits).toFixed(digits);
  return `${millionths < 0 && rounded > 0 ? "-" : ""}${text}%`;
}

/** A PNG of one colour. */
function picture(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(body.length + 8);
    frame.writeUInt32BE(data.length, 0);
    body.copy(frame, 4);
    frame.writeUInt32BE(crc32(body), frame.length - 4);
    return frame;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const line = Buffer.concat([Buffer.of(0), Buffer.alloc(width * 3, Buffer.of(0x0b, 0x5f, 0x58))]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)));
  const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}
