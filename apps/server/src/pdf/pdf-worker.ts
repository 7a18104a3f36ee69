// A thread that looks into the PDFs that `createPdfInspector` sends it, one at a time; it says when it is ready.
import { parentPort, workerData } from "node:worker_threads";
import { collectAfter } from "../garbage.js";
import { limitAllocations } from "./allocation-limit.js";
import { inspectPdf, type PdfFindings } from "./inspect-pdf.js";

/** What comes back: the findings and, so that they are never held twice, the bytes themselves. */
export type PdfReport = PdfFindings & { readonly bytes: Uint8Array };

const limit = limitAllocations(workerData.allocationBytes);

parentPort?.postMessage("ready");
parentPort?.on("message", async (bytes: Uint8Array) => {
  limit.reset();
  const findings = await inspectPdf(bytes);
  // The parser takes an object that it cannot unpack for a damaged one and goes on.
  const report: PdfReport = { ...(limit.isReached ? { rule: TOO_MUCH } : findings), bytes };
  const size = bytes.length;
  parentPort?.postMessage(report, [bytes.buffer as ArrayBuffer]);
  // The parser's copy of a large document would stay until there is more of the like, while the document itself goes on.
  collectAfter(size, "major");
});

const TOO_MUCH = "must be a PDF that unpacks to a reasonable size";
