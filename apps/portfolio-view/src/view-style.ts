import { colours } from "@org/pages";

const declared = (palette: Readonly<Record<string, string>>) =>
  Object.entries(palette)
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(" ");

/** The style sheet, with the pages' palette: light or dark as the host says (`data-theme`), otherwise as the browser prefers. */
export const viewStyle = `
:root { color-scheme: light; ${declared(colours.light)} }
:root[data-theme="dark"] { color-scheme: dark; ${declared(colours.dark)} }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { color-scheme: dark; ${declared(colours.dark)} } }
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; background: var(--paper); }
body { margin: 0; background: var(--paper); color: var(--ink); font: .9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
main { padding: 1rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 .75rem; font-size: 1.25rem; line-height: 1.25; letter-spacing: -.01em; }
h2 { margin: 1.5rem 0 .5rem; font-size: 1rem; line-height: 1.35; }
h3 { margin: 0 0 .25rem; font-size: .9375rem; display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; }
h4 { margin: .625rem 0 .125rem; font-size: .8125rem; font-weight: 600; color: var(--quiet); }
p { margin: 0 0 .75rem; }
ul { list-style: none; margin: 0; padding: 0; }
.quiet { color: var(--quiet); }
.amount { font-variant-numeric: tabular-nums; white-space: nowrap; }
.amount .apart { padding-left: .2em; }
.sources li { display: flex; flex-wrap: wrap; gap: .125rem .625rem; align-items: baseline; padding: .25rem 0; }
.sources .reason { flex-basis: 100%; color: var(--quiet); }
.badge { display: inline-block; padding: 0 .5rem; border: 1px solid currentcolor; border-radius: .75rem; font-size: .8125rem; font-weight: 600; line-height: 1.5; white-space: nowrap; }
.badge.ok { color: var(--good); background: var(--good-tint); }
.badge.stale, .badge.pending { color: var(--warn); background: var(--warn-tint); }
.badge.error { color: var(--bad); background: var(--bad-tint); }
.problem { margin: 0 0 1rem; padding: .75rem 1rem; border: 1px solid var(--bad); border-left-width: .375rem; border-radius: .75rem; background: var(--bad-tint); }
.problem p { margin: 0; }
.problem button { margin-top: .5rem; }
.currencies { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); }
.currency { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .875rem; background: var(--tint); }
.parts li { display: grid; grid-template-columns: 1fr auto; gap: 0 .75rem; padding: .125rem 0; font-size: .875rem; }
.bar { grid-column: 1 / -1; height: .375rem; border-radius: .1875rem; background: var(--line); overflow: hidden; }
.bar > span { display: block; height: 100%; background: var(--accent); }
.bar > span.below { background: var(--bad); }
.lack { padding: .5rem .75rem; border: 1px solid var(--warn); border-radius: .625rem; color: var(--warn); background: var(--warn-tint); }
.figure h2 { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; }
.figure tbody th { min-width: 6.5rem; }
@media (max-width: 30rem) { .figure th, .figure td { padding: .5rem; } }
.figure .bar { display: block; margin-top: .25rem; }
.course { display: grid; grid-template: 12rem auto / 4rem minmax(0, 1fr); gap: .375rem .5rem; padding-top: .5rem; font-size: .75rem; color: var(--quiet); }
.course .marks { position: relative; }
.course .marks > span { position: absolute; right: 0; line-height: 1; white-space: nowrap; transform: translateY(50%); }
.course svg { display: block; width: 100%; height: 12rem; overflow: visible; }
.course path { fill: none; stroke: var(--line); stroke-width: 1px; vector-effect: non-scaling-stroke; }
.course .line { stroke: var(--accent); stroke-width: 2px; stroke-linecap: round; stroke-linejoin: round; }
.course .line.part { stroke-dasharray: 2 5; }
.course .gap { fill: var(--warn-tint); }
.course .days { grid-column: 2; display: flex; justify-content: space-between; margin-bottom: .5rem; }
summary { min-height: 2.75rem; padding: .625rem 0; font-weight: 600; color: var(--accent); cursor: pointer; }
.table { position: relative; overflow-x: auto; border: 1px solid var(--line); border-radius: .875rem; }
table { width: 100%; border-collapse: collapse; font-size: .875rem; overflow-wrap: normal; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
th, td { padding: .5rem .75rem; text-align: left; vertical-align: top; }
th { color: var(--quiet); font-weight: 600; }
tbody th { min-width: 11rem; color: var(--ink); overflow-wrap: anywhere; }
tbody th small { display: block; color: var(--quiet); font-weight: 400; }
tbody tr { border-top: 1px solid var(--line); }
th.number, td.number { text-align: right; }
td.date { white-space: nowrap; }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; margin-top: .75rem; }
.actions p { margin: 0; }
button { min-height: 2.75rem; padding: .5rem 1rem; font: inherit; font-weight: 600; border: 1px solid var(--edge); border-radius: .625rem; background: var(--paper); color: var(--accent); cursor: pointer; }
button:hover { border-color: var(--accent); background: var(--tint); }
button[aria-disabled="true"] { opacity: .75; cursor: progress; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;
