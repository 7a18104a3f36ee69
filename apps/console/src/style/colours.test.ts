import { colours } from "@org/pages";
import { expect, it } from "vitest";

it("the colours are those of all pages (run this file with -u to renew them)", async () => {
  await expect(`/* Written from the palette of @org/pages by colours.test.ts. */
:root {
  color-scheme: light dark;
${linesOf(colours.light, "  ")}
}

:root[data-theme="light"] {
  color-scheme: light;
}

@media (prefers-color-scheme: dark) {
  :root:not([data-theme="light"]) {
${linesOf(colours.dark, "    ")}
  }
}

:root[data-theme="dark"] {
  color-scheme: dark;
${linesOf(colours.dark, "  ")}
}
`).toMatchFileSnapshot("./colours.css");
});

function linesOf(palette: Readonly<Record<string, string>>, indent: string): string {
  return Object.entries(palette)
    .map(([name, colour]) => `${indent}--${name}: ${colour};`)
    .join("\n");
}
