import type { Page } from "playwright-core";
import { BROKEN_WORDS, CUT_OFF_IN_MAIN, HIDDEN_ITEMS, picture, WRAPPED_BADGES, windows } from "./page-looks.js";

const languages = ["en", "de", "fr", "es"] as const;
/** Words are longest in this language. */
const LONGEST = "de";
/** More rows than are drawn at once. */
const SCREENFUL = 80;
/** Between two screens, so that each begins anew, whatever it shares with the one before. */
const NO_SCREEN = "/console/nothing";

/**
 * Loads the console and walks through its lists, which answer with so many rows, as far as they have any: some are left out, or come again under
 * other ids. All lists are in one page, since loading it takes far longer than looking.
 * @returns faults of each list in each language and window
 */
export async function faultsOfLists(page: Page, origin: string, paths: readonly string[], rows: number) {
  await page.setViewportSize(windows[0]);
  await page.goto(`${origin}${NO_SCREEN}`);
  await page.locator("main h1").waitFor();
  await page.evaluate(WITH_ROWS, rows);
  const faults: string[] = [];
  for (const path of paths) {
    await page.setViewportSize(windows[0]);
    await page.evaluate(OPEN, `/console/${path}`);
    for (const window of windows) {
      await page.setViewportSize(window);
      // The words of one row are among those of many; what one row is for is the menu of a short table. The widest window has room for more words
      // than the next.
      for (const language of rows === 1 || window === windows[0] ? [LONGEST] : languages) {
        const found = await page.evaluate(FAULTS_IN, language);
        if (language === LONGEST) found.push(...(await hiddenItems(page)));
        faults.push(...found.map((fault) => `${path}, ${rows} rows, ${language}, ${window.width} px: ${fault}`));
        if (found.length > 0 || process.env.PICTURES_OF === language)
          await picture(page, `list-${path.replaceAll(/[^a-z]+/g, "-")}-${rows}-${language}-${window.width}`);
      }
    }
    if (rows > SCREENFUL)
      for (const fault of await page.evaluate(FAULTS_AT_END)) faults.push(`${path}, ${rows} rows: ${fault}`);
    await page.evaluate(OPEN, NO_SCREEN);
  }
  await page.setViewportSize(windows[0]);
  await page.evaluate(FAULTS_IN, "en");
  return faults;
}

/** What is hidden of the menu of the last row that has one. */
async function hiddenItems(page: Page): Promise<readonly string[]> {
  const button = page.locator("main tbody td [aria-haspopup=menu]").last();
  if ((await button.count()) === 0) return [];
  await button.click();
  await page.getByRole("menu").waitFor();
  const hidden = await page.evaluate<string[]>(HIDDEN_ITEMS);
  await page.keyboard.press("Escape");
  return hidden.map((item) => `hidden: ${item}`);
}

/**
 * In the page: lists answer with so many rows, page by page. Those that never have so many answer with more than are drawn at once. Calls that wait
 * for an answer are counted. Amounts are those of wealthy clients, with all digits that a broker calculates; times take more words than "now".
 */
const WITH_ROWS = new Function(
  "rows",
  `const amounts = { balance: "1234567", cost: "1198765", amount: "12500", price: "1098", unitPrice: "1098", fees: "1250", taxes: "1250" };
   const again = (items, index) => {
     const item = { ...items[index % items.length], ...(typeof items[0].count === "number" && { count: rows }) };
     for (const field of Object.keys(amounts)) if (item[field]) item[field] = item[field].replace(/\\d+(\\.\\d+)?/, amounts[field] + ".1234567891");
     for (const field of ["created_at", "updated_at"]) if (item[field]) item[field] = new Date(Date.now() - 23 * 60_000).toISOString();
     const name = ["id", "session_id", "connection_id", ...Object.keys(item)].find((each) => typeof item[each] === "string") ?? "";
     const id = item[name];
     if (index < items.length || typeof id !== "string") return item;
     return { ...item, [name]: /^[0-9a-f]{8}-/.test(id) ? (10_000_000 + index) + id.slice(8) : id + " " + index };
   };
   const many = /\\/(letters\\/search|search-letters|counts|clients\\/list|connections\\/search|search-connections|sessions\\/list|audit\\/list|list-(sessions|portfolios|investments|transactions|deliveries|events|files|pending))$/;
   const asks = window.fetch;
   const firstPages = new Map();
   const answered = async (path, request) => {
     const { page = 1, page_token, snapshot, ...query } = JSON.parse(request?.body ?? "{}");
     const list = path + JSON.stringify(query);
     const isFirst = page === 1 && page_token === undefined;
     const response = isFirst || !firstPages.has(list) ? await asks(path, request) : null;
     const answer = response ? await response.clone().json().catch(() => null) : { ...firstPages.get(list) };
     if (!Array.isArray(answer?.items) || answer.items.length === 0) return response;
     if (isFirst) firstPages.set(list, { ...answer });
     const isNumbered = typeof answer.page_size === "number" && answer.page === 1;
     const hasTokens = answer.next_page_token !== undefined && !isNumbered;
     const size = isNumbered ? answer.page_size : ${SCREENFUL};
     const begin = isNumbered ? (page - 1) * size : Number(page_token ?? 0);
     const all = many.test(path) ? rows : Math.min(rows, size);
     const end = Math.min(begin + size, all);
     const { items } = answer;
     answer.items = Array.from({ length: end - begin }, (_, offset) => again(items, begin + offset));
     if (answer.next_page_token !== undefined) answer.next_page_token = hasTokens && end < all ? String(end) : null;
     if (answer.total !== undefined) answer.total = isNumbered || hasTokens ? all : end;
     if (isNumbered) Object.assign(answer, { page, pages: Math.ceil(all / size) });
     return new Response(JSON.stringify(answer), { headers: { "Content-Type": "application/json", Date: new Date().toUTCString() } });
   };
   window.waiting = 0;
   window.fetch = async (path, request) => {
     if (/\\/(events|audit-names)$/.test(path)) return asks(path, request);
     window.waiting += 1;
     return answered(path, request).finally(() => { window.waiting -= 1; });
   };`,
) as (rows: number) => void;

/** In the page: after tables have taken a new width or new words. */
const LAID_OUT = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

/** In the page: goes to a screen that is not the one before, without loading the page, and waits until all of it is there. */
const OPEN = new Function(
  "path",
  `const laidOut = ${LAID_OUT};
   const deadline = Date.now() + 60_000;
   const until = async (isSo) => {
     while (!isSo()) {
       if (Date.now() > deadline) throw new Error(path + " has not come");
       await laidOut();
     }
   };
   const isQuiet = () => window.waiting === 0 && document.querySelector("main .loading") === null;
   return (async () => {
     const before = document.querySelector("main h1");
     history.pushState({}, "", path);
     await until(() => ![null, before].includes(document.querySelector("main h1")));
     await until(isQuiet);
     await laidOut();
     await until(isQuiet);
     await laidOut();
   })();`,
) as (path: string) => Promise<void>;

/** In the page: faults of the screen in a language, which is chosen as by a person. */
const FAULTS_IN = new Function(
  "language",
  `const choice = document.querySelector(".sidebar .language-switch select");
   choice.value = language;
   choice.dispatchEvent(new Event("change", { bubbles: true }));
   return (${LAID_OUT})().then(() => [
     ...(${BROKEN_WORDS})([document.querySelector("main")]).map((word) => "broken: " + word),
     ...(${CUT_OFF_IN_MAIN}),
     ...(${WRAPPED_BADGES}),
     ...(document.documentElement.scrollWidth > innerWidth ? ["the page scrolls"] : []),
   ]);`,
) as (language: string) => Promise<string[]>;

/** In the page: scrolls the table that draws a part of its rows to their end, where rows have to be, also of pages that were not there yet. */
const FAULTS_AT_END = new Function(
  `const frame = document.querySelector("main .table.tall");
   if (!frame) return [];
   frame.scrollTop = frame.scrollHeight;
   const atEnd = () => {
     frame.scrollIntoView({ block: "end" });
     const { left, width, bottom } = frame.getBoundingClientRect();
     return document.elementFromPoint(left + width / 2, bottom - 24)?.closest("tr[data-row]");
   };
   const isThere = (row) => row && Number(row.dataset.row) >= ${SCREENFUL / 2} && row.getAttribute("aria-busy") === null && row.textContent !== "";
   const deadline = Date.now() + 60_000;
   return (async () => {
     while (window.waiting > 0 || !isThere(atEnd())) {
       if (Date.now() > deadline) return ["no rows at the end: " + atEnd()?.outerHTML];
       await (${LAID_OUT})();
     }
     return ${CUT_OFF_IN_MAIN};
   })();`,
) as () => Promise<string[]>;
