import { EncryptedPDFError, PDFDocument } from "@cantoo/pdf-lib";

/** Looks into a PDF: null when it parses, has a page and is not encrypted, else the rule it breaks (contract §7). */
export async function inspectPdf(bytes: Uint8Array): Promise<string | null> {
  try {
    const document = await PDFDocument.load(bytes, {
      updateMetadata: false,
      throwOnInvalidObject: false,
      parseSpeed: Number.POSITIVE_INFINITY,
    });
    return document.getPageCount() > 0 ? null : "must be a PDF with at least one page";
  } catch (error) {
    if (error instanceof EncryptedPDFError) return "must not be an encrypted PDF";
    return "must be a PDF that can be read";
  }
}
