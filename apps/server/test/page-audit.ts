import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Frame, Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const MIN_TARGET_PX = 44;

/**
 * Faults of a page in its current state, light and dark: by WCAG 2.2 A and AA and best practice, and overflow. In light mode everything is
 * checked; in dark mode, and at another width of a page already checked, only what depends on colours and layout.
 */
export async function audit(page: Page, width: "first" | "another" = "first"): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const found = [...(await overflow(page)), ...(await smallTargets(page))];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const rules = width === "first" ? checks[colorScheme] : checks.dark;
    found.push(...(await violations(page, rules)).map((violation) => `${colorScheme}: ${violation}`));
  }
  return found;
}

/**
 * Faults of a page in one colour scheme, without the 44 px that touch needs, for pages used with mouse and keyboard. The 24 px of WCAG 2.2 AA
 * (2.5.8) are checked. In light mode everything is checked, in dark mode what depends on colours.
 */
export async function auditRendered(page: Page, colorScheme: "light" | "dark"): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  return [...(await overflow(page)), ...(await violations(page, checks[colorScheme]))];
}

/** Faults of a frame's document in its current state. */
export async function auditFrame(frame: Frame): Promise<string[]> {
  await frame.evaluate(axe);
  return [...(await overflow(frame)), ...(await smallTargets(frame)), ...(await violations(frame, checks.light))];
}

interface Rules {
  readonly runOnly: readonly string[];
  /** Minimum number of rules that found something to check. */
  readonly atLeast: number;
}

const checks: Readonly<Record<"light" | "dark", Rules>> = {
  light: { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], atLeast: 10 },
  dark: { runOnly: ["color-contrast", "link-in-text-block", "target-size"], atLeast: 1 },
};

/** Rows of a long table are alike, so the first ones represent all. */
async function violations(page: Page | Frame, { runOnly, atLeast }: Rules): Promise<string[]> {
  const context = { exclude: [["tbody tr:nth-child(n + 20)"]] };
  // Only violations are described and leave the browser: the places of all passes would be megabytes.
  const options = { runOnly, resultTypes: ["violations"] };
  const { passed, wrong } = await page.evaluate<{ passed: number; wrong: string[] }>(
    `axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)}).then(({ passes, violations }) => ({
      passed: passes.length,
      wrong: violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")),
    }))`,
  );
  return passed < atLeast ? ["axe checked next to nothing"] : wrong;
}

/** Elements that stick out of the page at the right. */
export function overflow(page: Page | Frame): Promise<string[]> {
  return page.evaluate(`(() => {
    const width = document.documentElement.clientWidth;
    const out = [...document.querySelectorAll("body *")].filter((each) => !each.closest(".spoken, .table, .tabs")).filter((each) => each.getBoundingClientRect().right > width + 0.5);
    return [...(document.documentElement.scrollWidth > width ? ["the page scrolls"] : []), ...out.map((each) => each.outerHTML)];
  })()`);
}

/** Controls too small to touch; for a checkbox the whole label counts. */
function smallTargets(page: Page | Frame): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll("button, a, input:not([type=hidden]), select, summary")]
    .filter((each) => each.checkVisibility())
    .map((each) => each.closest("label") ?? each)
    .filter((each) => Math.min(each.getBoundingClientRect().height, each.getBoundingClientRect().width) < ${MIN_TARGET_PX})
    .map((each) => each.outerHTML)`);
}
