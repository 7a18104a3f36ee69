/** Colours that can be distinguished on white and on black, also with red-green colour blindness. */
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#b0529f"];
const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [760, 240, 58, 12, 44, 30];

/**
 * A graph over minutes as SVG, for light and dark pages.
 * @param title the text above it
 * @param unit the unit of the values
 * @param series `[{name, points: [[minute, value]]}]`, at most four
 */
export function graph({ title, unit, series }) {
  const points = series.flatMap((one) => one.points);
  const lastMinute = Math.max(...points.map(([minute]) => minute));
  const step = stepOf(Math.max(...points.map(([, value]) => value), Number.EPSILON));
  const top = Math.max(step, Math.ceil(Math.max(...points.map(([, value]) => value)) / step) * step);
  const x = (minute) => LEFT + (minute / lastMinute) * (WIDTH - LEFT - RIGHT);
  const y = (value) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM);
  const lines = [];
  for (let value = 0; value <= top + step / 2; value += step)
    lines.push(
      `<path class="grid" d="M${LEFT} ${round(y(value))}H${WIDTH - RIGHT}"/><text class="label" x="${LEFT - 6}" y="${round(y(value)) + 4}" text-anchor="end">${label(value)}</text>`,
    );
  for (let minute = 0; minute <= lastMinute; minute += 10)
    lines.push(
      `<text class="label" x="${round(x(minute))}" y="${HEIGHT - 10}" text-anchor="middle">${minute} min</text>`,
    );
  const drawn = series.map(
    ({ points: own }, index) =>
      `<polyline fill="none" stroke="${COLOURS[index]}" stroke-width="1.6" points="${own.map(([minute, value]) => `${round(x(minute))},${round(y(value))}`).join(" ")}"/>`,
  );
  let at = LEFT;
  const legend = series.map(({ name }, index) => {
    const from = at;
    at += 34 + name.length * 6.6;
    return `<path stroke="${COLOURS[index]}" stroke-width="3" d="M${round(from)} 32h16"/><text class="label" x="${round(from) + 20}" y="36">${escaped(name)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(`${title}, ${unit}`)}">
<style>
svg { background: #ffffff; font: 11px system-ui, sans-serif; }
.title { fill: #1f2328; font-size: 13px; font-weight: 600; }
.label { fill: #59636e; }
.grid { stroke: #d1d9e0; }
@media (prefers-color-scheme: dark) {
  svg { background: #0d1117; }
  .title { fill: #f0f6fc; }
  .label { fill: #9198a1; }
  .grid { stroke: #3d444d; }
}
</style>
<text class="title" x="${LEFT}" y="18">${escaped(title)} <tspan class="label" font-weight="400">${escaped(unit)}</tspan></text>
${[...lines, ...drawn, ...legend].join("\n")}
</svg>
`;
}

/** The distance between two lines: one, two or five times a power of ten, for four to eight lines. */
function stepOf(most) {
  const power = 10 ** Math.floor(Math.log10(most / 4));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => most / step <= 6);
}

function label(value) {
  return Number(value.toPrecision(3)).toLocaleString("en");
}

function round(value) {
  return Math.round(value * 10) / 10;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
