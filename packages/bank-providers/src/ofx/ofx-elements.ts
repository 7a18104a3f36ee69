import { type MarkupElement, type Notation, readTree } from "../markup/element.js";
import { decodeOfx } from "./encoding.js";

/** Reads a file into its `OFX` element; names are upper-case, whatever their case in the file. Aggregates must be closed in both dialects. */
export function readElements(file: Uint8Array): MarkupElement {
  const { text, offset, dialect } = decodeOfx(file);
  return readTree(text, offset, { dialect, nameOf: (written) => written.toUpperCase(), emptyValues });
}

const emptyValues: Notation["emptyValues"] = new Set(
  "MEMO NAME DESC MESSAGE LANGUAGE TICKER FIID RATING CHECKNUM REFNUM SIC PAYEEID EXTDNAME CLTCOOKIE ORG FID TRNUID".split(
    " ",
  ),
);
