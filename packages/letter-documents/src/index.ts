/**
 * Documents of authorization letters: looks into those that are uploaded, and writes those that the service generates.
 *
 *   inspection/          pdf-inspector.ts hands each PDF to a thread (pdf-thread.ts, pdf-worker.ts) with limits on processor time and
 *                        memory; inspect-pdf.ts says whether it can be taken, and what signature-evidence.ts and cms-digest.ts find
 *                        of a signature
 *   template/            letter-template.ts fills a text (texts.ts, fill-template.ts) with the details of a letter and typesets it
 *   collect-garbage.ts   frees what a large document leaves behind
 */
export { collectGarbageAfter } from "./collect-garbage.js";
export { createPdfInspector, type ThreadedPdfInspector } from "./inspection/pdf-inspector.js";
export type { PdfLimits } from "./inspection/pdf-thread.js";
export { createLetterTemplate, LetterTemplateError } from "./template/letter-template.js";
