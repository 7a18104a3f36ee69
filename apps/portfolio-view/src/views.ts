import { existsSync, readFileSync } from "node:fs";
import type { ToolView } from "@org/mcp-tools";
import { shownTools } from "./shown-tools.js";
import { viewDocument } from "./view-document.js";

/** The views whose script the build wrote to `folder`; none without a build, as when the server runs from its sources. */
export function readViews(folder: URL): readonly ToolView[] {
  const file = new URL("view.js", folder);
  if (!existsSync(file)) return [];
  const script = readFileSync(file, "utf8");
  return shownTools.map((tool) => ({ tool, html: viewDocument(tool, script) }));
}
