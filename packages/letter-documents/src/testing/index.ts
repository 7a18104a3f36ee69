/** PDFs for tests of whoever takes letters: plain ones, and signed ones. */
export { addRevision, plainPdf, type Signing, signPdf } from "./signed-pdf.js";
