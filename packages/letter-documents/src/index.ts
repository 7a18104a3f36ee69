/**
 * Documents of authorization letters: inspects uploaded documents, and generates letters.
 *
 *   inspection/          pdf-inspector.ts sends each PDF to a thread (pdf-thread.ts, pdf-worker.ts) with limits on CPU time and
 *                        memory; inspect-pdf.ts decides whether it is acceptable, with the signature evidence that
 *                        signature-evidence.ts and cms-digest.ts find
 *   template/            letter-template.ts fills a text (texts.ts, fill-template.ts) with a letter's details; letter-worker.ts
 *                        typesets it in a thread (write-letter.ts, typeset.ts)
 *   thread.ts            a thread that answers one message after another
 *   collect-garbage.ts   frees what a large document leaves behind
 */
export { collectGarbageAfter } from "./collect-garbage.js";
export { createPdfInspector, type ThreadedPdfInspector } from "./inspection/pdf-inspector.js";
export type { PdfLimits } from "./inspection/pdf-thread.js";
export { createLetterTemplate, LetterTemplateError } from "./template/letter-template.js";
