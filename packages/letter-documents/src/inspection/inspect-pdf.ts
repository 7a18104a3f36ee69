import { EncryptedPDFError, PDFDocument } from "@cantoo/pdf-lib";
import type { SignatureEvidence } from "@org/core";
import { signatureEvidence } from "./signature-evidence.js";

/** Findings about an acceptable PDF, or the rule that it breaks (contract §7). */
export type PdfFindings = { readonly signature: SignatureEvidence } | { readonly rule: string };

/**
 * Inspects a PDF: it must parse, have a page and not be encrypted. Time and memory depend on its contents, so an untrusted file is
 * inspected in a worker (`pdf-worker.ts`).
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
