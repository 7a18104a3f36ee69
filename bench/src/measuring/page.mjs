import { short } from "./figures.mjs";

/** A Markdown table; numbers are rounded. */
export function table(head, rows) {
  const lines = [head, head.map(() => "---"), ...rows.map((row) => row.map(short))];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** A Markdown table of goals: reached, or how far away. */
export function goalsTable(goals) {
  return table(
    ["goal", "measured", "bound", ""],
    goals.map((goal) => [goal.what, goal.measured, boundOf(goal), goal.isReached ? "reached" : distanceOf(goal)]),
  );
}

/** The raw measurements as a collapsed table. */
export function rawTable(rows) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const body = table(
    names,
    rows.map((row) => names.map((name) => row[name] ?? "")),
  );
  return `<details><summary>Raw rounds</summary>\n\n${body}\n\n</details>`;
}

function boundOf({ bound }) {
  return "atMost" in bound ? `≤ ${short(bound.atMost)}` : `≥ ${short(bound.atLeast)}`;
}

function distanceOf({ bound, measured }) {
  const isUpper = "atMost" in bound;
  const factor = isUpper ? measured / bound.atMost : measured / bound.atLeast;
  return `**missed**: ${short(factor)} of the bound`;
}
