// Where runs leave what they made: measurements, plans, graphs, pictures. The folder is in .gitignore.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./step.mjs";

/** The folder of one kind of artifacts, made when it is not there. */
export function artifactFolder(kind) {
  const folder = join(root, "artifacts", kind);
  mkdirSync(folder, { recursive: true });
  return folder;
}
