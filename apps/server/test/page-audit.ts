import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Frame, Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const LEAST_TARGET = 44;

/** What is wrong with a page as it stands, light and dark: by WCAG 2.2 A and AA and good practice, and where it does not fit. */
export async function audit(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = [...(await overflow(page)), ...(await smallTargets(page))];
  for (const [colorScheme, { runOnly, atLeast }] of Object.entries(checks)) {
    await page.emulateMedia({ colorScheme: colorScheme as keyof typeof checks, reducedMotion: "reduce" });
    found.push(...(await violations(page, runOnly, atLeast)).map((violation) => `${colorScheme}: ${violation}`));
  }
  return found;
}

/** What is wrong with the document of a frame as it stands. */
export async function auditFrame(frame: Frame): Promise<string[]> {
  await frame.evaluate(axe);
  return [
    ...(await overflow(frame)),
    ...(await smallTargets(frame)),
    ...(await violations(frame, checks.light.runOnly, checks.light.atLeast)),
  ];
}

/** Everything in light; what depends on colours, which is all that differs, in dark. */
const checks = {
  light: { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], atLeast: 10 },
  dark: { runOnly: ["color-contrast", "link-in-text-block"], atLeast: 1 },
};

/** Rows of a long table are alike: the first ones stand for all. */
async function violations(page: Page | Frame, runOnly: readonly string[], atLeast: number): Promise<string[]> {
  const context = { exclude: [["tbody tr:nth-child(n + 20)"]] };
  const results = (await page.evaluate(
    `axe.run(${JSON.stringify(context)}, ${JSON.stringify({ runOnly })})`,
  )) as AxeResults;
  if (results.passes.length < atLeast) return ["axe checked next to nothing"];
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

/** Elements that stick out of the page at the right. */
export function overflow(page: Page | Frame): Promise<string[]> {
  return page.evaluate(`(() => {
    const width = document.documentElement.clientWidth;
    const out = [...document.querySelectorAll("body *")].filter((each) => !each.closest(".spoken, .table")).filter((each) => each.getBoundingClientRect().right > width + 0.5);
    return [...(document.documentElement.scrollWidth > width ? ["the page scrolls"] : []), ...out.map((each) => each.outerHTML)];
  })()`);
}

/** Controls that a finger misses: of a checkbox the whole label counts. */
function smallTargets(page: Page | Frame): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll("button, a, input:not([type=hidden]), select, summary")]
    .filter((each) => each.checkVisibility())
    .map((each) => each.closest("label") ?? each)
    .filter((each) => Math.min(each.getBoundingClientRect().height, each.getBoundingClientRect().width) < ${LEAST_TARGET})
    .map((each) => each.outerHTML)`);
}
