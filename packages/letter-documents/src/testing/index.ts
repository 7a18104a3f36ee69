/** Plain and signed PDFs, for tests of anything that accepts letters. */
export { addRevision, plainPdf, type Signing, signPdf } from "./signed-pdf.js";
