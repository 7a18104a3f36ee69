import type { Icon } from "@modelcontextprotocol/server";

/**
 * Icons as data URIs, so that showing them needs no fetch: one for the server and one for each group of tools. Drawn
 * on a 24 by 24 grid in a green that is visible on light and dark backgrounds.
 */
export const serverIcon = icon('<rect width="24" height="24" rx="5"/>', '<path d="M5 16l4-5 4 3 6-8"/>');
export const connectIcon = icon(
  "",
  '<path d="M10 14l4-4M8 11l-2 2a3.5 3.5 0 005 5l2-2M16 13l2-2a3.5 3.5 0 00-5-5l-2 2"/>',
);
export const credentialsIcon = icon("", '<path d="M4 10h16L12 4zM6 10v8M12 10v8M18 10v8M4 20h16"/>');
export const dataIcon = icon("", '<path d="M5 20V11M10 20V5M15 20v-7M20 20V8"/>');

/** @param filled filled shapes @param drawn lines over them */
function icon(filled: string, drawn: string): Icon[] {
  const green = "#0b7a70";
  const line = filled === "" ? green : "#fff";
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke-width="2">` +
    `${filled === "" ? "" : `<g fill="${green}">${filled}</g>`}<g stroke="${line}">${drawn}</g></svg>`;
  return [
    {
      src: `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`,
      mimeType: "image/svg+xml",
      sizes: ["any"],
    },
  ];
}
