export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * The median over all turns of one target's figure divided by another's in the same turn, since a noisy machine slows down both. `rows` are the raw
 * measurements; `is` selects rows by further fields, such as the number of connections.
 */
export function medianRatio(rows, field, target, other, is = {}) {
  const chosen = rows.filter((row) => Object.entries(is).every(([name, value]) => row[name] === value));
  const ratios = chosen
    .filter((row) => row.target === target)
    .map((row) => {
      const twin = chosen.find((one) => one.target === other && one.round === row.round && one.turn === row.turn);
      return row[field] / twin[field];
    });
  return median(ratios);
}

/** Rounds to three significant digits, and from 100 on to whole numbers. */
export function short(value) {
  if (typeof value !== "number") return String(value);
  if (!Number.isFinite(value)) return "–";
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

/** A goal with its measurement. `atMost` or `atLeast` states the bound. */
export function goal(what, measured, bound) {
  const isReached = "atMost" in bound ? measured <= bound.atMost : measured >= bound.atLeast;
  return { what, measured, bound, isReached };
}
