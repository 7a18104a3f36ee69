import { addDays, everyDay, isMondayToFriday } from "./days.js";
import { Fraction } from "./fraction.js";
import { fixed } from "./high-precision.js";
import { Refusal } from "./refusal.js";
import type { EstimatedPart, NettedFlow, Outcome, Series } from "./series.js";

/** @throws Refusal where there is a gain on nothing */
export function timeWeighted(series: Series): Outcome {
  const estimated: EstimatedPart[] = [];
  const undefinedOn = (costs: Series["fees"]) =>
    series.linkDays.filter(
      (end, index) => partFactor(series, costs, series.linkDays[index - 1] ?? series.opening, end) === null,
    );
  const product = (costs: Series["fees"]) => {
    let factor = Fraction.one;
    let start = series.opening;
    for (const end of series.linkDays) {
      const part = partFactor(series, costs, start, end);
      if (part === null) return null;
      factor = factor.times(part);
      start = end;
    }
    return factor;
  };
  const net = product([]);
  const gross = product(series.fees);
  const grossOfTaxes = product([...series.fees, ...series.taxes]);
  if (net === null)
    throw new Refusal(
      "INSUFFICIENT_DATA",
      undefinedOn([])
        .slice(0, 50)
        .map((date) => ({ reason: "return_undefined", date })),
    );
  let start = series.opening;
  for (const end of series.linkDays) {
    estimated.push(...estimatedPart(series, start, end));
    start = end;
  }
  return {
    factor: { shown: net.minus(Fraction.one).toFixed(6), fixed: fixed(net) },
    gross: gross === null ? null : gross.minus(Fraction.one).toFixed(6),
    grossOfTaxes: grossOfTaxes === null ? null : grossOfTaxes.minus(Fraction.one).toFixed(6),
    estimated,
  };
}

/** 1 + (V1 − V0 − ΣF) / (V0 + ΣwF); null where there is a gain on a base of nothing or less. */
function partFactor(series: Series, costs: Series["fees"], start: string, end: string): Fraction | null {
  const opening = series.valueAt(start);
  const flows = series.flows.filter((flow) => flow.counts === end);
  const entered = series.entries.filter((entry) => entry.date === end).map((entry) => entry.value);
  const charged = costs.filter((cost) => cost.counts === end).map((cost) => cost.value);
  const gain = series
    .valueAt(end)
    .minus(opening)
    .minus(Fraction.sum(flows.map((flow) => flow.value)))
    .minus(Fraction.sum(entered))
    .plus(Fraction.sum(charged));
  if (gain.sign === 0) return Fraction.one;
  const first = firstDay(series, start, end);
  const base = opening.plus(Fraction.sum(flows.map((flow) => weighted(flow, first, end))));
  return base.sign <= 0 ? null : Fraction.one.plus(gain.over(base));
}

/** The first day of a part: without a value before it, the date of its first flow. */
function firstDay(series: Series, start: string, end: string): string {
  const day = addDays(start, 1);
  if (series.valueAt(start).sign !== 0) return day;
  const [first] = series.flows
    .filter((flow) => flow.counts === end)
    .map((flow) => flow.date)
    .toSorted();
  return first === undefined || first < day ? day : first;
}

function weighted(flow: NettedFlow, first: string, end: string): Fraction {
  const byDate = flow.value.minus(flow.atStart).minus(flow.atEnd);
  return byDate.times(weight(byDate, flow.date, first, end)).plus(flow.atStart);
}

/** The share of a part's days from a date on for money in, after it for money out. */
function weight(value: Fraction, date: string, first: string, end: string): Fraction {
  const all = everyDay(first, end);
  const workdays = all.filter(isMondayToFriday);
  const days = workdays.length > 0 ? workdays : all;
  const held = days.filter((day) => (value.sign > 0 ? day >= date : day > date));
  return new Fraction(BigInt(held.length), BigInt(days.length));
}

function estimatedPart(series: Series, start: string, end: string): EstimatedPart[] {
  const first = firstDay(series, start, end);
  const flows = series.flows
    .filter((flow) => flow.counts === end)
    .map((flow) => ({ date: flow.date, value: flow.value.minus(flow.atStart).minus(flow.atEnd) }))
    .filter(({ value, date }) => {
      const share = weight(value, date, first, end);
      return value.sign !== 0 && share.sign > 0 && share.compare(Fraction.one) < 0;
    });
  if (flows.length === 0) return [];
  const sum = Fraction.sum(flows.map((flow) => flow.value.size()));
  const tenth = series.valueAt(start).over(new Fraction(10n, 1n));
  return [{ from: first, to: end, flows: sum, large: sum.compare(tenth) > 0 }];
}
