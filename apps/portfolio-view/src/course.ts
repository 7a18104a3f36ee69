/** What a day was worth: an item of a history. */
interface Item {
  readonly date: string;
  readonly totals: readonly { readonly currency: string; readonly balance: string }[];
  readonly coverage: { readonly missing: number };
}

/** A day of a course. Places are fractions of the drawing: 0 is left and bottom, 1 right and top. */
export interface Point {
  readonly date: string;
  /** As the server tells it; null = not known. */
  readonly balance: string | null;
  /** Portfolios that the sum lacks. */
  readonly missing: number;
  readonly x: number;
  readonly y: number | null;
}

/** A line through days that have values of the same portfolios. */
export interface Stretch {
  readonly points: readonly (Point & { readonly y: number })[];
  readonly isPart: boolean;
}

/** What is drawn of one currency. */
export interface Course {
  readonly points: readonly Point[];
  /** No line joins days of which one lacks more than the other: that would look like a gain or a loss. */
  readonly stretches: readonly Stretch[];
  /** From and to, as fractions: days without any value after the first one. */
  readonly gaps: readonly (readonly [from: number, to: number])[];
  /** Round numbers and their places, lowest first. */
  readonly marks: readonly { readonly value: number; readonly y: number }[];
}

/** @param items oldest first */
export function courseOf(items: readonly Item[], currency: string): Course {
  const times = items.map(({ date }) => Date.parse(date));
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const values = items.map(({ totals }) => totals.find((total) => total.currency === currency)?.balance ?? null);
  const known = values.filter((value) => value !== null).map(Number);
  const scale = scaleOf(Math.min(...known), Math.max(...known));
  const points = items.map(({ date, coverage }, index): Point => {
    const balance = values[index] ?? null;
    return {
      date,
      balance,
      missing: coverage.missing,
      x: last === first ? 0.5 : ((times[index] ?? first) - first) / (last - first),
      y: balance === null ? null : scale.placeOf(Number(balance)),
    };
  });
  return { points, stretches: stretchesOf(points), gaps: gapsOf(points), marks: scale.marks };
}

function stretchesOf(points: readonly Point[]): readonly Stretch[] {
  const stretches: { points: (Point & { readonly y: number })[]; isPart: boolean }[] = [];
  let before: Point | undefined;
  for (const point of points) {
    const { y, missing } = point;
    if (y !== null) {
      const isNext = before !== undefined && before.y !== null && before.missing === missing;
      if (!isNext) stretches.push({ points: [], isPart: missing > 0 });
      stretches.at(-1)?.points.push({ ...point, y });
    }
    before = point;
  }
  return stretches;
}

function gapsOf(points: readonly Point[]): readonly (readonly [number, number])[] {
  const gaps: (readonly [number, number])[] = [];
  let from: number | null = null;
  let isOpen = false;
  for (const { x, y } of points) {
    if (y === null) isOpen = from !== null;
    else {
      if (isOpen && from !== null) gaps.push([from, x]);
      isOpen = false;
      from = x;
    }
  }
  if (isOpen && from !== null) gaps.push([from, 1]);
  return gaps;
}

/** Some four round marks that hold all values between them. */
function scaleOf(low: number, high: number) {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return { marks: [], placeOf: () => 0.5 };
  const width = high - low || Math.abs(high) || 1;
  const rough = width / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((one) => one * power >= rough) ?? 10) * power;
  const bottom = Math.floor(low / step);
  const top = Math.max(Math.ceil(high / step), bottom + 1);
  const placeOf = (value: number) => (value / step - bottom) / (top - bottom);
  const marks = Array.from({ length: top - bottom + 1 }, (_, index) => {
    const value = (bottom + index) * step;
    return { value, y: index / (top - bottom) };
  });
  return { marks, placeOf };
}
