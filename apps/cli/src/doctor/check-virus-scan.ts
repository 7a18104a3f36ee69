import { ClamdError, type Config, createClamd } from "@org/installation";
import { type Finding, fail, ok } from "./finding.js";

const PATIENCE_MS = 5_000;

/** Whether documents of letters can be scanned: while they cannot, no letter is taken. */
export async function checkVirusScan({ clamd }: Config): Promise<Finding> {
  const check = "virus scan";
  if (clamd === undefined) return ok(check, "CLAMD_URL is not set: documents of letters are not scanned");
  const where = "path" in clamd ? clamd.path : `${clamd.host}:${clamd.port}`;
  try {
    await createClamd(clamd, PATIENCE_MS).ping();
    return ok(check, `clamd answers at ${where}`);
  } catch (error) {
    if (!(error instanceof ClamdError)) throw error;
    return fail(check, `${error.message} (${where}): no letter is taken`, "start clamd, or correct CLAMD_URL");
  }
}
