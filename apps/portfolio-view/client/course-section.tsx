import { type Course, courseOf } from "../src/course.js";
import type { FigureRow } from "../src/figure.js";
import type { Messages } from "../src/messages/messages.js";
import { Amount } from "./amount.js";
import type { HostContext } from "./host.js";
import { dayIn, shortIn } from "./host-context.js";

/** Value over time in one currency: a line that has gaps where there is no value, and all of it as a table. */
export function CourseSection(props: {
  rows: readonly FigureRow[];
  currency: string;
  messages: Messages;
  context: HostContext;
}) {
  const { rows, currency, messages, context } = props;
  const course = courseOf(
    rows.map(({ id, ...row }) => ({ date: id ?? "", ...row })),
    currency,
  );
  const title = `${messages.titles["wealth-history"]}, ${currency}`;
  return (
    <>
      <Plot course={course} context={context} />
      <p className="quiet">
        {course.stretches.some(({ isPart }) => isPart) && messages.dashed} {course.gaps.length > 0 && messages.shaded}
      </p>
      <details>
        <summary>{messages.asTable}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard (WCAG 2.1.1) */}
        <section className="table" tabIndex={0} aria-label={title}>
          <table>
            <caption>{title}</caption>
            <thead>
              <tr>
                <th scope="col">{messages.columns.day}</th>
                <th scope="col" className="number">
                  {messages.columns.value}
                </th>
                <th scope="col">{messages.columns.lacks}</th>
              </tr>
            </thead>
            <tbody>
              {course.points.map(({ date, balance, missing }, at) => (
                <tr key={date}>
                  <th scope="row">{dayIn(context, date)}</th>
                  <td className="number">{balance === null ? messages.noValue : <Amount value={balance} />}</td>
                  <td>{lackOf(rows[at], missing, messages)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </>
  );
}

function lackOf(row: FigureRow | undefined, missing: number, messages: Messages): string {
  if (row?.refused) return messages.withoutRate(row.refused.from, row.refused.to);
  return missing > 0 ? messages.lacks(missing) : "";
}

/** Units of the drawing, which is stretched to the room there is. */
const SIZE = 1_000;

function Plot({ course, context }: { course: Course; context: HostContext }) {
  const { points, stretches, gaps, marks } = course;
  const ends = [points[0], points.length > 1 ? points.at(-1) : undefined];
  return (
    <div className="course" aria-hidden="true">
      <div className="marks">
        {marks.map(({ value, y }) => (
          <span key={value} style={{ bottom: `${y * 100}%` }}>
            {shortIn(context, value)}
          </span>
        ))}
      </div>
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} preserveAspectRatio="none" aria-hidden="true">
        {gaps.map(([from, to]) => (
          <rect key={from} className="gap" x={from * SIZE} width={(to - from) * SIZE} y={0} height={SIZE} />
        ))}
        {marks.map(({ value, y }) => (
          <path key={value} d={`M0 ${(1 - y) * SIZE}H${SIZE}`} />
        ))}
        {stretches.map(({ points: own, isPart }) => (
          <path
            key={own[0]?.date}
            className={isPart ? "line part" : "line"}
            d={own.map(({ x, y }, at) => `${at === 0 ? "M" : "L"}${x * SIZE} ${(1 - y) * SIZE}`).join("") + dot(own)}
          />
        ))}
      </svg>
      <div className="days">{ends.map((end) => end && <span key={end.date}>{dayIn(context, end.date)}</span>)}</div>
    </div>
  );
}

/** One day alone is a dot: a line of no length with round ends. */
function dot(points: readonly unknown[]): string {
  return points.length === 1 ? "h0" : "";
}
