import { documentKinds, signatureEvidences } from "@org/core";
import { z } from "zod";

/** Facts about a document. `signature` is evidence found in the PDF, not a check of who signed. */
export const letterDocumentSchema = z.object({
  kind: z.enum(documentKinds),
  size: z.int().describe("Bytes of the PDF."),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  signature: z
    .enum(signatureEvidences)
    .describe(
      "none: no signature in the PDF; present: there is one; intact: moreover the PDF is as it was when it was last signed. Certificates are not checked.",
    ),
});
