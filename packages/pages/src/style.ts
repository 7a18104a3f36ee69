import { createHash } from "node:crypto";
import { colours } from "./colours.js";

const declared = (palette: Readonly<Record<string, string>>) =>
  Object.entries(palette)
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(" ");

/** The only style sheet of the pages: mobile first, light and dark, without external resources. */
export const style = `
:root { color-scheme: light dark; ${declared(colours.light)} }
@media (prefers-color-scheme: dark) { :root { ${declared(colours.dark)} } }
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
body > header { display: flex; align-items: center; gap: .625rem; max-width: 34rem; margin: 0 auto; padding: 1.25rem 1.25rem 0; font-weight: 650; letter-spacing: -.01em; }
.mark { flex: none; width: 1.75rem; height: 1.75rem; }
.mark .field { fill: var(--accent); }
.mark .bars { fill: none; stroke: var(--on-accent); stroke-width: 2.5; stroke-linecap: round; }
main { max-width: 34rem; margin: 0 auto; padding: 1.75rem 1.25rem 3rem; overflow-wrap: anywhere; }
main > :last-child, main > ul > :last-child, main > div > :last-child { margin-bottom: 0; }
h1 { margin: 0 0 .75rem; font-size: 1.625rem; line-height: 1.2; font-weight: 700; letter-spacing: -.02em; text-wrap: balance; }
h2 { margin: 2rem 0 .5rem; font-size: 1.125rem; line-height: 1.35; letter-spacing: -.01em; }
p { margin: 0 0 1rem; }
a { color: var(--accent); text-underline-offset: .15em; }
small { font-size: .875rem; }
code { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.quiet, .hint { color: var(--quiet); }
.lead { color: var(--quiet); font-size: 1.0625rem; margin-bottom: 1.5rem; }
.step { margin: 0 0 .375rem; color: var(--accent); font-size: .875rem; font-weight: 600; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

form { margin: 0 0 1rem; }
label { display: block; font-weight: 600; margin-bottom: .375rem; }
.hint { font-size: .875rem; margin: -.25rem 0 .5rem; }
input, select { display: block; width: 100%; min-height: 3rem; padding: .625rem .875rem; margin-bottom: 1.25rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge); border-radius: .625rem; }
:is(input, select)[aria-invalid="true"] { border: 2px solid var(--bad); }
.fault { color: var(--bad); margin: 0 0 .375rem; font-size: .9375rem; font-weight: 600; }
button { min-height: 3rem; padding: .625rem 1.25rem; font: inherit; font-weight: 600; line-height: 1.3; border: 1px solid var(--edge); border-radius: .625rem; background: var(--paper); color: var(--accent); cursor: pointer; }
button:hover { border-color: var(--accent); background: var(--tint); }
button.first { width: 100%; border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
button.first:hover { border-color: var(--pressed); background: var(--pressed); }
button.ends { color: var(--bad); }
button.ends:hover { border-color: var(--bad); background: var(--bad-tint); }
button.plain { min-height: 2.75rem; padding: .25rem 0; border: 0; background: none; text-decoration: underline; text-underline-offset: .2em; text-align: left; }
button.plain:hover { background: none; color: var(--pressed); }
button.whole { width: 100%; }
.actions { display: flex; flex-direction: column; gap: .75rem; margin-top: 1.75rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }

.notice { white-space: pre-line; background: var(--tint); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem 1.125rem; }
.problem, .done { border-radius: .75rem; padding: 1rem 1.125rem; margin: 0 0 1.5rem; border: 1px solid; }
.problem { border-color: var(--bad); border-left-width: .375rem; background: var(--bad-tint); }
.problem h2 { margin: 0 0 .25rem; color: var(--bad); }
.problem p { margin: 0; }
.problem ul { margin: 0; padding-left: 1.25rem; }
.problem a { color: inherit; display: inline-block; padding: .625rem 0; }
.done { border-color: var(--good); background: var(--good-tint); color: var(--good); font-weight: 600; }

.card + .card { margin-top: -.75rem; }
.card { border: 1px solid var(--line); border-radius: .875rem; padding: 1.125rem; margin: 0 0 1.5rem; background: var(--tint); }
.card h2 { margin: 0 0 .625rem; }
.card > :last-child { margin-bottom: 0; }
.badge { display: inline-block; padding: .0625rem .5rem; border-radius: .75rem; font-size: .8125rem; font-weight: 600; line-height: 1.5; color: var(--warn); background: var(--warn-tint); border: 1px solid currentcolor; vertical-align: .125em; }
.badge.verified { color: var(--good); background: var(--good-tint); }
.facts { margin: 0; display: grid; gap: .125rem .875rem; }
.facts.short { grid-template-columns: max-content 1fr; }
.facts.short dd { margin-bottom: .25rem; }
.facts dt { color: var(--quiet); font-size: .875rem; }
.facts.short dt { line-height: 1.77; }
.facts dd { margin: 0 0 .625rem; min-width: 0; }
.facts dd:last-child { margin-bottom: 0; }
.beneath { margin: .875rem 0 0; padding-top: .75rem; border-top: 1px solid var(--line); font-size: .9375rem; }
.account { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1.5rem; padding-bottom: .5rem; }
.account p { margin: 0 0 .25rem; min-width: 0; }
.account code { white-space: nowrap; }
.account form { margin: 0; }
.account small { display: block; color: var(--quiet); }

fieldset { min-width: 0; margin: 0 0 1.25rem; padding: 0; border: 0; }
legend { padding: 0; margin: 0 0 .75rem; font-size: 1.125rem; font-weight: 700; letter-spacing: -.01em; }
legend.label { margin-bottom: .375rem; font-size: inherit; font-weight: 600; letter-spacing: inherit; }
[aria-invalid="true"] .choices { border: 2px solid var(--bad); }
.choices { border: 1px solid var(--line); border-radius: .875rem; overflow: clip; overflow-clip-margin: .5rem; }
.choice { display: grid; grid-template-columns: auto 1fr; gap: 0 .875rem; align-items: start; margin: 0; padding: .875rem 1.125rem; font-weight: 400; cursor: pointer; }
.choice + .choice { border-top: 1px solid var(--line); }
.choice input { width: 1.375rem; height: 1.375rem; min-height: 0; margin: .0625rem 0 0; accent-color: var(--accent); cursor: inherit; }
.choice b { display: block; font-weight: 600; }
.choice small { display: block; color: var(--quiet); line-height: 1.45; }
.whose:has([value="all"]:checked) .some { display: none; }
.some { margin-top: 1rem; }
.some .choices { max-height: min(26.5rem, 70vh); overflow-y: auto; }
.some button { margin: -.5rem 0 .75rem; }
.apart { margin-top: 1.5rem; padding: 1.125rem; border: 1px solid var(--warn); border-radius: .875rem; background: var(--warn-tint); }
.apart legend { float: left; width: 100%; margin-bottom: .375rem; color: var(--warn); font-size: 1rem; }
.apart > p { clear: both; margin: 0 0 .5rem; font-size: .9375rem; }
.apart .choice { padding: .625rem 0 0; }
.apart .choice small { color: var(--ink); }

.grants { list-style: none; margin: 0; padding: 0; }
.grants .card { background: var(--paper); }
.grants h2 { margin-bottom: .125rem; }
.words { display: flex; flex-wrap: wrap; gap: .375rem; margin: .875rem 0; padding: 0; list-style: none; }
.words li { padding: .125rem .625rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--tint); font-size: .875rem; }
.words li.grave { color: var(--warn); background: var(--warn-tint); border-color: currentcolor; }
.card form:last-child { margin: 1rem 0 0; }
.card.account form:last-child { margin: 0; }
.more, .stay { display: block; padding: .75rem; text-align: center; font-weight: 600; }
.empty { padding: 2.5rem 1.25rem; text-align: center; border: 1px dashed var(--edge); border-radius: .875rem; }
.empty h2 { margin-top: 0; }
.empty p { margin: 0; color: var(--quiet); }
.foot { margin: 1.5rem 0 0; padding-top: 1.25rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .875rem; }

.ahead { list-style: none; counter-reset: ahead; margin: 0 0 1.75rem; padding: 0; }
.ahead li { counter-increment: ahead; display: flex; gap: .875rem; padding: .375rem 0; }
.ahead li::before { content: counter(ahead); display: grid; flex: none; place-items: center; width: 1.75rem; height: 1.75rem; margin-top: -.0625rem; border: 1px solid var(--line); border-radius: 50%; background: var(--tint); color: var(--accent); font-size: .875rem; font-weight: 650; }
.notice + form { margin-top: 1.75rem; }
.stack { display: grid; gap: .75rem; }
.search { margin: 1.25rem 0 .75rem; }
.search input, .search select { margin-bottom: 1rem; }
.count { margin-bottom: .5rem; color: var(--quiet); font-size: .9375rem; }
.banks { list-style: none; margin: 0 0 1rem; padding: 0; border: 1px solid var(--line); border-radius: .875rem; overflow: clip; }
.banks li + li { border-top: 1px solid var(--line); }
.banks :is(button, summary) { position: relative; width: 100%; padding: .75rem 2.75rem .75rem 1.125rem; border: 0; border-radius: 0; color: var(--ink); text-align: left; }
.banks :is(button, summary)::after { content: "›" / ""; position: absolute; right: 1.125rem; top: 50%; translate: 0 -55%; color: var(--accent); font-size: 1.5rem; font-weight: 400; }
.banks :is(button, summary):focus-visible { outline-offset: -3px; }
.banks > li:first-child :is(.banks > li > button, summary) { border-radius: .8125rem .8125rem 0 0; }
.banks > li:last-child :is(.banks > li > button, :not([open]) > summary) { border-radius: 0 0 .8125rem .8125rem; }
.banks > li:only-child :is(.banks > li > button, :not([open]) > summary) { border-radius: .8125rem; }
.banks details { margin: 0; }
.banks summary { font-weight: 600; line-height: 1.3; list-style: none; }
.banks summary:hover { background: var(--tint); }
.banks summary::after { content: "+" / ""; }
.banks [open] summary::after { content: "–" / ""; }
.ways { list-style: none; margin: 0; padding: 0 0 0 1.125rem; border-top: 1px solid var(--line); }
.ways .letter { padding: .75rem 0 0; }
.ways .letter strong { padding: 0 1.125rem; font-weight: 600; }
.banks details p { margin: 0; padding: .25rem 1.125rem .875rem; font-size: .9375rem; }
.banks small { display: block; font-weight: 400; color: var(--quiet); }
.more-banks { margin-bottom: .75rem; }
.reveal { display: flex; align-items: center; gap: .625rem; width: max-content; max-width: 100%; min-height: 2.75rem; margin: -1rem 0 1rem; font-weight: 400; cursor: pointer; }
.reveal input { flex: none; width: 1.375rem; height: 1.375rem; min-height: 0; margin: 0; accent-color: var(--accent); }
.top { position: relative; display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; margin: -1rem 0 .75rem; }
.top details { margin: 0; }
.top summary { display: flex; align-items: center; gap: .375rem; min-width: 2.75rem; min-height: 2.75rem; padding: 0; color: var(--accent); font-size: .9375rem; font-weight: 600; list-style: none; }
.top summary::-webkit-details-marker, .banks summary::-webkit-details-marker { display: none; }
.languages summary::after { content: "▾" / ""; }
.panel { position: absolute; z-index: 1; top: 100%; left: 0; right: 0; margin: 0; padding: 1.125rem; border: 1px solid var(--edge); border-radius: .875rem; background: var(--paper); box-shadow: 0 1rem 2rem -.5rem #00000040; }
.panel form, .panel p { margin: 0 0 .75rem; }
ul.panel { display: grid; grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr)); padding: .5rem 1.125rem; list-style: none; }
ul.panel a { display: flex; align-items: center; min-height: 2.75rem; }
[aria-current="true"] { color: var(--ink); font-weight: 700; text-decoration: none; }
.reach { display: inline-flex; align-items: center; min-width: 2.75rem; min-height: 2.75rem; }
.requester { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; font-weight: 600; }
.requester img { flex: none; width: auto; max-width: 10rem; height: auto; max-height: 3rem; padding: .25rem; border-radius: .375rem; background: #ffffff; }
.notice + p { margin: .25rem 0 1rem; }
.requested p { margin: 0; }
.sign { display: grid; place-items: center; width: 3.5rem; height: 3.5rem; margin-bottom: 1.25rem; border-radius: 50%; font-size: 1.75rem; line-height: 1; }
.sign.warn { color: var(--warn); background: var(--warn-tint); border: 1px solid currentcolor; font-weight: 700; }
.sign.good { color: var(--good); background: var(--good-tint); border: 1px solid currentcolor; }
.waiting { width: 3.5rem; height: 3.5rem; margin-bottom: 1.25rem; border: .3125rem solid var(--line); border-top-color: var(--accent); border-radius: 50%; }
button[aria-disabled="true"] { opacity: .7; cursor: progress; }
h1:focus { outline: none; }
.problem button { margin-top: .75rem; }
nav { display: flex; align-items: center; justify-content: space-between; gap: 1rem; margin-bottom: 1.5rem; }
nav a { padding: .625rem 0; }
.qr { display: block; width: min(16rem, 100%); height: auto; margin: 0 auto 1rem; border-radius: .5rem; }
details { margin-bottom: 1rem; }
summary { padding: .625rem 0; cursor: pointer; }
blockquote { margin: 0 0 1rem; padding-left: 1rem; border-left: 4px solid var(--line); }
h3 { margin: 1.25rem 0 .375rem; font-size: 1rem; }
pre { margin: 0 0 1rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--tint); white-space: pre-wrap; overflow-wrap: anywhere; }
.address { user-select: all; }
.places { list-style: none; margin: 0 0 1rem; padding: 0; }
.places a { display: flex; align-items: center; min-height: 2.75rem; font-weight: 600; }
.places small { display: block; color: var(--quiet); }
main:has(.reference), body:has(.reference) > header { max-width: 56rem; }
.reference nav { flex-wrap: wrap; justify-content: start; }
.reference :is(nav a, .reach) { display: inline-flex; align-items: center; min-width: 2.75rem; min-height: 2.75rem; }
.reference summary small { display: block; color: var(--quiet); }
.shape { margin: 0 0 1rem; padding-left: 1.125rem; }

@media (min-width: 30rem) {
  .search { display: grid; grid-template-columns: 1fr 12rem; gap: 0 1rem; }
  .search button { grid-column: 1 / -1; }
  .actions { flex-direction: row; }
  .actions button { flex: 1 1 0; width: auto; }
  .actions button.first { flex-grow: 2; }
  .facts { grid-template-columns: max-content 1fr; }
  .facts dt { line-height: 1.77; }
  .facts dd { margin-bottom: .375rem; }
}
@media (min-width: 40rem) {
  body { background: var(--ground); padding: 1.5rem 0 4rem; }
  body > header { padding: 1rem 2.5rem; }
  main { padding: 2.5rem; border: 1px solid var(--line); border-radius: 1.25rem; background: var(--paper); box-shadow: 0 1px 2px #0000000a, 0 1rem 3rem -1rem #0000001f; }
  h1 { font-size: 1.875rem; }
}
@keyframes turn { to { rotate: 1turn; } }
@media (prefers-reduced-motion: no-preference) {
  .waiting { animation: turn 1s linear infinite; }
  button { transition: background-color .15s, border-color .15s; }
}
`;

/** Source expression of {@link style} for `style-src`. */
export const styleSource = `'sha256-${createHash("sha256").update(style).digest("base64")}'`;
