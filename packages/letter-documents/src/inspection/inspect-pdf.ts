import { EncryptedPDFError, PDFDocument } from "@cantoo/pdf-lib";
import type { SignatureEvidence } from "@org/core";
import { signatureEvidence } from "./signature-evidence.js";

/** What is in a PDF that can be taken, or the rule that it breaks (contract §7). */
export type PdfFindings = { readonly signature: SignatureEvidence } | { readonly rule: string };

/**
 * Looks into a PDF: it has to parse, have a page and not be encrypted. Time and memory depend on what is in it: a file of a
 * stranger is looked at in a worker (`pdf-worker.ts`).
 */
export async function inspectPdf(bytes: Uint8Array): Promise<PdfFindings> {
  try {
    const document = await PDFDocument.load(bytes, {
      updateMetadata: false,
      throwOnInvalidObject: false,
      parseSpeed: Number.POSITIVE_INFINITY,
    });
    if (document.getPageCount() === 0) return { rule: "must be a PDF with at least one page" };
    return { signature: await signatureEvidence(document.context, bytes) };
  } catch (error) {
    if (error instanceof EncryptedPDFError) return { rule: "must not be an encrypted PDF" };
    return { rule: "must be a PDF that can be read" };
  }
}
