import { CoreError, type DocumentScanner } from "@org/core";
import type { Clamd } from "@org/installation";
import type { Logger } from "./log.js";

/** What a scan came to. */
export interface VirusScanReport {
  readonly outcome: "clean" | "infected" | "failed";
  readonly milliseconds: number;
}

/** Scans documents with clamd. No verdict, no letter: what could not be scanned is not taken, and its sender is told to come again. */
export function createVirusScan(deps: {
  clamd: Clamd;
  log: Logger;
  onScan: (report: VirusScanReport) => void;
  /** Milliseconds of a clock that only goes forward. */
  now: () => number;
}): DocumentScanner {
  const { clamd, log, onScan, now } = deps;
  return async (bytes) => {
    const started = now();
    const report = (outcome: VirusScanReport["outcome"]) => onScan({ outcome, milliseconds: now() - started });
    try {
      const found = await clamd.scan(bytes);
      report(found === null ? "clean" : "infected");
      if (found !== null) log.warn({ signature: found, size: bytes.length }, "malicious document refused");
      return found;
    } catch (cause) {
      report("failed");
      throw new CoreError("UNAVAILABLE", "documents cannot be scanned for malicious content now; nothing was kept", {
        retryAfterSeconds: 60,
        cause,
      });
    }
  };
}
