import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { credentialsFile, encryptionKeysFile, type Finding, fail, ok } from "@org/installation";

/** Files with secrets are for their owner only: those of this machine. */
export async function checkFiles(dataDir: string): Promise<Finding[]> {
  const files = [credentialsFile(dataDir), encryptionKeysFile({ dataDir })];
  return (await Promise.all(files.map((path) => checkMode(basename(path), path)))).filter(
    (finding) => finding !== null,
  );
}

async function checkMode(name: string, path: string): Promise<Finding | null> {
  const found = await stat(path).catch(() => null);
  // Windows has no such modes: there the folder's access list decides.
  if (!found || process.platform === "win32") return null;
  const mode = (found.mode & 0o777).toString(8).padStart(4, "0");
  if ((found.mode & 0o077) === 0) return ok(name, `${path} has mode ${mode}`);
  return fail(name, `${path} has mode ${mode}: others on this machine can read secrets`, `chmod 600 ${path}`);
}
