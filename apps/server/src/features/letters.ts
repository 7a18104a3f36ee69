import {
  type Connectors,
  CoreError,
  createLetterAdmin,
  createLetterOperations,
  createLetters,
  type DocumentScanner,
  type LimitsOf,
  type Storage,
} from "@org/core";
import { type Config, createClamd } from "@org/installation";
import { createLetterTemplate, createPdfInspector } from "@org/letter-documents";
import { Counter } from "prom-client";
import type { Feature, Platform } from "../feature.js";
import { durations, loadGauge } from "../measures.js";

/** Authorization letters: submitting and generating them, and operators' actions on them. Documents are inspected and scanned. */
export function letters({
  config,
  storage,
  runtime,
  log,
  connectors,
  limitsOf,
  namesOf,
}: Pick<Platform, "runtime" | "log"> & {
  config: Pick<Config, "clamd" | "clientLabel" | "letterMaxBytes" | "letterTemplates" | "mailDelayMs" | "smtp">;
  storage: Storage;
  connectors: Connectors;
  limitsOf: LimitsOf;
  namesOf: (tenantId: string, applicationIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}) {
  const scans = durations(
    "wealth_connect_virus_scan_seconds",
    "Scans of letters' documents by outcome",
    ["outcome"],
    "quick",
  );
  const undone = new Counter({
    name: "wealth_connect_mails_undone_total",
    help: "Mails that were not sent because the move of their letter was undone",
    labelNames: ["kind"],
    registers: [],
  });
  const pdfs = createPdfInspector();
  const checks = {
    inspect: pdfs.inspect,
    scan: config.clamd ? virusScan(createClamd(config.clamd), log, scans.observe) : null,
    maxBytes: config.letterMaxBytes,
  };
  const template = createLetterTemplate(config.letterTemplates);
  const sendsMail = config.smtp !== null;

  const waiting = loadGauge("wealth_connect_documents_reading", "Documents of letters", pdfs.load);
  const feature: Feature = { metrics: [scans.metric, waiting, undone], close: pdfs.close };
  return {
    ...feature,
    letters: createLetters({
      storage,
      runtime,
      connectors,
      checks,
      limitsOf,
      clientLabel: config.clientLabel,
      mailDelayMs: config.mailDelayMs,
    }),
    letterAdmin: createLetterAdmin({ storage, runtime, connectors, sendsMail }),
    letterOperations: createLetterOperations({
      storage,
      runtime,
      connectors,
      checks,
      template,
      sendsMail,
      mailDelayMs: config.mailDelayMs,
      limitsOf,
      clientLabel: config.clientLabel,
      namesOf,
      onUndo(report) {
        undone.inc({ kind: report.kind });
        log.info({ ...report, outcome: "undone" }, "mail");
      },
      onDefect: (err, letter_id) => log.error({ err, letter_id }, "a letter of many could not be moved"),
    }),
  };
}

/** Scans documents with clamd. Without a verdict the letter is refused, and the sender should retry. */
function virusScan(
  clamd: Pick<ReturnType<typeof createClamd>, "scan">,
  log: Platform["log"],
  observe: (labels: { outcome: string }, milliseconds: number) => void,
): DocumentScanner {
  return async (bytes, trace_id) => {
    const started = performance.now();
    const report = (outcome: "clean" | "infected" | "failed") => observe({ outcome }, performance.now() - started);
    try {
      const found = await clamd.scan(bytes);
      report(found === null ? "clean" : "infected");
      if (found !== null) log.warn({ signature: found, size: bytes.length, trace_id }, "malicious document refused");
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
