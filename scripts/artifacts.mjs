// Where runs write their output: measurements, plans, graphs, pictures. The folder is in .gitignore.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./step.mjs";

/** The folder of one kind of artifact, created if it does not exist. */
export function artifactFolder(kind) {
  const folder = join(root, "artifacts", kind);
  mkdirSync(folder, { recursive: true });
  return folder;
}
