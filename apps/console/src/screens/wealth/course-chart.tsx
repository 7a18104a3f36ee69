import type { Course, Point } from "@org/portfolio-view/course";
import { type PointerEvent, useState } from "react";
import { localeOf, useLanguage, useWords } from "../../language/language.js";
import { Amount } from "../../parts/amount.js";
import { Day } from "../../parts/moment.js";
import { useDay } from "./figures.js";
import { wealthWords } from "./words.js";

/** Units of the drawing, which is stretched to the room there is. */
const SIZE = 1_000;

/** Value over time as a line, with a slider that reads it day by day. The table beneath has all of it. */
export function CourseChart({ course, currency }: { readonly course: Course; readonly currency: string }) {
  const words = useWords(wealthWords);
  const language = useLanguage();
  const day = useDay();
  const { points, stretches, gaps, marks } = course;
  const [chosen, setChosen] = useState<number | null>(null);
  const at = Math.min(chosen ?? points.length - 1, points.length - 1);
  const point = points[at];
  if (!point) return null;
  const short = new Intl.NumberFormat(localeOf(language), { notation: "compact", maximumSignificantDigits: 4 });
  const middle = points[Math.floor((points.length - 1) / 2)];
  return (
    <figure className="course">
      <figcaption>
        <strong>{currency}</strong> <Reading point={point} currency={currency} />
      </figcaption>
      <div className="course-plot">
        <div className="course-marks" aria-hidden="true">
          {marks.map(({ value, y }) => (
            <span key={value} style={{ bottom: `${y * 100}%` }}>
              {short.format(value)}
            </span>
          ))}
        </div>
        <svg
          viewBox={`0 0 ${SIZE} ${SIZE}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          onPointerMove={read}
          onPointerDown={read}
        >
          {gaps.map(([from, to]) => (
            <rect key={from} className="gap" x={from * SIZE} width={(to - from) * SIZE} y={0} height={SIZE} />
          ))}
          {marks.map(({ value, y }) => (
            <path key={value} className="mark" d={`M0 ${down(y)}H${SIZE}`} />
          ))}
          <path className="at" d={`M${across(point.x)} 0V${SIZE}`} />
          {stretches.map(({ points: own, isPart }) => (
            <path key={own[0]?.date} className={isPart ? "line part" : "line"} d={lineOf(own)} />
          ))}
        </svg>
      </div>
      <input
        type="range"
        min={0}
        max={points.length - 1}
        value={at}
        aria-label={words.readDay(currency)}
        aria-valuetext={spoken(point)}
        onChange={({ target }) => setChosen(Number(target.value))}
      />
      <div className="course-days" aria-hidden="true">
        {[points[0], points.length > 2 ? middle : undefined, points.length > 1 ? points.at(-1) : undefined].map(
          (one, index) => one && <span key={index === 1 ? "middle" : one.date}>{day(one.date)}</span>,
        )}
      </div>
      <p className="hint">
        {stretches.some(({ isPart }) => isPart) && words.dashed} {gaps.length > 0 && words.shaded}
      </p>
    </figure>
  );

  function read({ currentTarget, clientX }: PointerEvent<SVGSVGElement>): void {
    const { left, width } = currentTarget.getBoundingClientRect();
    const x = (clientX - left) / width;
    const distance = (one: Point) => Math.abs(one.x - x);
    const nearest = points.reduce((best, one) => (distance(one) < distance(best) ? one : best));
    setChosen(points.indexOf(nearest));
  }

  function spoken({ date, balance, missing }: Point): string {
    const value = balance === null ? words.noValue : `${balance} ${currency}`;
    return [day(date), value, missing > 0 ? words.lacks(missing) : ""].filter(Boolean).join(", ");
  }
}

/** What a day was worth, and what that lacks. */
function Reading({
  point: { date, balance, missing },
  currency,
}: {
  readonly point: Point;
  readonly currency: string;
}) {
  const words = useWords(wealthWords);
  return (
    <span className="reading">
      <Day at={date} /> · {balance === null ? words.noValue : <Amount value={balance} currency={currency} />}
      {missing > 0 && <span className="quiet"> · {words.lacks(missing)}</span>}
    </span>
  );
}

const across = (x: number) => Math.round(x * SIZE);
const down = (y: number) => Math.round((1 - y) * SIZE);

/** One day alone is a dot: a line of no length with round ends. */
function lineOf(points: readonly { readonly x: number; readonly y: number }[]): string {
  const places = points.map(({ x, y }) => `${across(x)} ${down(y)}`);
  return places.length === 1 ? `M${places[0]}h0` : `M${places.join("L")}`;
}
