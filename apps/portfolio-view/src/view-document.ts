import { createHash } from "node:crypto";
import type { ShownTool } from "./shown-tools.js";
import { viewStyle } from "./view-style.js";

/**
 * The HTML document of a view. Its policy allows only this script and this style, whatever else a host allows: it loads nothing and talks only to
 * its parent window.
 * @param script a module without imports
 */
export function viewDocument(tool: ShownTool, script: string): string {
  const inlined = script.trim().replace(/<(?=\/script|!--)/gi, "\\x3c");
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(inlined)}`,
    `style-src ${hashOf(viewStyle)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en" data-tool="${tool}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Wealth Connect</title>
<style>${viewStyle}</style>
</head>
<body>
<main></main>
<script type="module">${inlined}</script>
</body>
</html>
`;
}

/** Source expression of a script or a style (CSP). */
function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
