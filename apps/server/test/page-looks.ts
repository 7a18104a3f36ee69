import { join } from "node:path";
import type { Page } from "playwright-core";

/** The windows in which the console is looked at. */
export const windows = [
  { width: 1440, height: 900 },
  { width: 1280, height: 720 },
  { width: 390, height: 844 },
] as const;

/** In the page: points of the open menu's items (corners and middle) where something else is seen, or nothing. */
export const HIDDEN_ITEMS = `[...document.querySelectorAll("[role^=menuitem]")].flatMap((item) => {
  const { left, right, top, bottom } = item.getBoundingClientRect();
  const points = [[left + 4, top + 4], [right - 4, top + 4], [left + 4, bottom - 4], [right - 4, bottom - 4],
    [(left + right) / 2, (top + bottom) / 2]];
  return points.filter(([x, y]) => !item.contains(document.elementFromPoint(x, y)))
    .map((point) => item.textContent + " at " + point);
})`;

/** In the page: whether a control is whole in the window, with nothing over it. */
export const IS_ON_TOP = new Function(
  "control",
  `const { left, right, top, bottom } = control.getBoundingClientRect();
   return top >= 0 && bottom <= innerHeight && [top + 2, bottom - 2].every((y) =>
     control.contains(document.elementFromPoint((left + right) / 2, y)));`,
) as (control: unknown) => boolean;

/** In the page: texts that are wider than their control. */
export const CUT_OFF = new Function(
  "controls",
  "return controls.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map((control) => control.textContent);",
) as (controls: unknown) => readonly string[];

/** In the page: words in the window that stand on more than one line. Ids and other code have none, and what only screen readers get is not seen. */
export const BROKEN_WORDS = new Function(
  "elements",
  `const linesOf = (range) => new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
   return elements.flatMap((element) => {
     const broken = [];
     const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
     while (texts.nextNode()) {
       const whole = document.createRange();
       whole.selectNodeContents(texts.currentNode);
       // Most texts stand on one line: their words need not be asked one by one.
       if (linesOf(whole) < 2 || texts.currentNode.parentElement.closest("code, .code, .spoken")) continue;
       for (const { index, 0: word } of texts.currentNode.data.matchAll(/\\p{L}+/gu)) {
         const range = document.createRange();
         range.setStart(texts.currentNode, index);
         range.setEnd(texts.currentNode, index + word.length);
         const { top: at, bottom: until } = range.getBoundingClientRect();
         if (at > innerHeight || until < 0) continue;
         if (linesOf(range) > 1) broken.push(word);
       }
     }
     return broken;
   });`,
) as (elements: unknown) => readonly string[];

/** In the page: what a table's frame or a control cuts off without saying it whole in a title, and controls outside the window. */
export const CUT_OFF_IN_MAIN = `[...document.querySelectorAll("main *")].flatMap((each) => {
  const isWide = each.scrollWidth > each.clientWidth + 1;
  const isControl = each.matches("button, a, input, select");
  if ((!isWide && !isControl) || !each.checkVisibility() || each.closest(".spoken, svg")) return [];
  const style = getComputedStyle(each);
  const what = each.tagName.toLowerCase() + " " + each.className + ": " + (each.textContent ?? "").slice(0, 80);
  const cuts = style.overflowX !== "visible" && style.display !== "inline" && !each.matches("input, select, textarea, .tabs, .board, pre, caption");
  if (cuts && isWide && !each.closest("[title]"))
    return ["cut off by " + (each.scrollWidth - each.clientWidth) + " px, " + what];
  if (isControl && !each.closest(".tabs, .board")) {
    const { left, right } = each.getBoundingClientRect();
    if (left < -0.5 || right > innerWidth + 0.5) return ["outside the window, " + what];
  }
  return [];
})`;

/** In the page: states that stand on more than one line. */
export const WRAPPED_BADGES = `[...document.querySelectorAll("main .badge")].flatMap((badge) => {
  const text = document.createRange();
  text.selectNodeContents(badge);
  const tops = [...text.getClientRects()].map(({ top }) => Math.round(top));
  return Math.max(...tops) - Math.min(...tops) > 4 ? ["wrapped: " + badge.textContent] : [];
})`;

/** Takes a picture to look at, where PICTURES names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** Takes pictures in these windows. */
export async function pictures(
  page: Page,
  name: string,
  at: readonly (typeof windows)[number][] = windows,
): Promise<void> {
  if (process.env.PICTURES === undefined) return;
  const before = page.viewportSize();
  for (const window of at) {
    await page.setViewportSize(window);
    await picture(page, `${name}-${window.width}`);
  }
  if (before) await page.setViewportSize(before);
}
