import { createHash } from "node:crypto";

/** The one style sheet of the pages. Colours keep a contrast of at least 4.5:1 in light and in dark (WCAG 2.2 AA). */
export const style = `
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1b1f24; --quiet: #57606a; --line: #8c959f; --accent: #0a5ec2; --on-accent: #ffffff; --bad: #b3261e; --tint: #f3f5f8; }
@media (prefers-color-scheme: dark) { :root { --paper: #14181d; --ink: #eceff3; --quiet: #aab3bf; --line: #6f7a87; --accent: #7db4ff; --on-accent: #0b1524; --bad: #ff9a90; --tint: #1f252d; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 32rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; overflow-wrap: anywhere; }
header { max-width: 32rem; margin: 0 auto; padding: 1rem 1rem 0; color: var(--quiet); font-weight: 600; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.125rem; margin: 1.5rem 0 .5rem; }
p { margin: 0 0 1rem; }
.notice { white-space: pre-line; background: var(--tint); border-radius: .5rem; padding: 1rem; }
.problem { border: 2px solid var(--bad); border-radius: .5rem; padding: 1rem; margin: 0 0 1.5rem; }
.problem h2 { margin-top: 0; color: var(--bad); }
.problem ul { margin: 0; padding-left: 1.25rem; }
.fault { color: var(--bad); margin: 0 0 .25rem; font-weight: 600; }
.quiet { color: var(--quiet); }
label { display: block; font-weight: 600; margin-bottom: .25rem; }
input, select { display: block; width: 100%; min-height: 2.75rem; padding: .5rem .75rem; margin-bottom: 1rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .375rem; }
input[aria-invalid="true"] { border: 2px solid var(--bad); }
button { min-height: 2.75rem; padding: .5rem 1.25rem; font: inherit; font-weight: 600; border: 1px solid var(--accent); border-radius: .375rem; background: var(--paper); color: var(--accent); cursor: pointer; }
button.first { width: 100%; background: var(--accent); color: var(--on-accent); }
form { margin: 0 0 1rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.banks { list-style: none; margin: 0 0 1rem; padding: 0; }
.banks button { width: 100%; text-align: left; margin-bottom: .5rem; border-color: var(--line); color: var(--ink); }
.banks small { display: block; font-weight: 400; color: var(--quiet); }
nav { display: flex; justify-content: space-between; gap: 1rem; margin-bottom: 1.5rem; }
.qr { display: block; width: min(16rem, 100%); height: auto; margin: 0 auto 1rem; }
details { margin-bottom: 1rem; }
blockquote { margin: 0 0 1rem; padding-left: 1rem; border-left: 4px solid var(--line); }
`;

/** Source expression of {@link style} for `style-src`. */
export const styleSource = `'sha256-${createHash("sha256").update(style).digest("base64")}'`;
