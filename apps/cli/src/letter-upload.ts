import { type Progress, startProgress } from "./progress.js";
import type { Sending } from "./server-connection.js";
import type { Shell } from "./shell.js";

/** A submission to send: its fields, and the PDFs included as Base64. */
export interface LetterUpload {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly documents: Readonly<Record<string, Buffer>>;
}

/** Progress is shown from this size on; a smaller upload is over too soon. */
const LARGE_BYTES = 1024 * 1024;
/** A multiple of three, so that Base64 needs no padding between pieces. */
const PIECE_BYTES = 96 * 1024;

/** The body of a submission as JSON; a large one is sent piece by piece, with progress on stderr until `stop`. */
export function letterSending(shell: Shell, upload: LetterUpload): { sending: Sending; stop: () => void } {
  const contentType = "application/json; charset=utf-8";
  const size = Object.values(upload.documents).reduce((sum, bytes) => sum + bytes.length, 0);
  if (size < LARGE_BYTES) {
    const body = [...piecesOf(upload)].map(({ text }) => text).join("");
    return { sending: { contentType, body }, stop: () => undefined };
  }
  const progress = startProgress(shell, "submitting", size, "bytes");
  return { sending: { contentType, body: () => counted(upload, size, progress) }, stop: () => progress.stop() };
}

async function* counted(upload: LetterUpload, size: number, progress: Progress): AsyncGenerator<Uint8Array> {
  let done = 0;
  for (const { text, bytes } of piecesOf(upload)) {
    yield Buffer.from(text);
    done += bytes;
    progress.update(done, done < size ? "" : "sent, the server is checking it");
  }
}

/** `bytes` = how many bytes of the documents are in a piece. */
function* piecesOf({ fields, documents }: LetterUpload): Generator<{ text: string; bytes: number }> {
  yield { text: JSON.stringify(fields).slice(0, -1), bytes: 0 };
  let separator = Object.keys(fields).length > 0 ? "," : "";
  for (const [name, document] of Object.entries(documents)) {
    yield { text: `${separator}${JSON.stringify(name)}:"`, bytes: 0 };
    separator = ",";
    for (let from = 0; from < document.length; from += PIECE_BYTES) {
      const piece = document.subarray(from, from + PIECE_BYTES);
      yield { text: piece.toString("base64"), bytes: piece.length };
    }
    yield { text: '"', bytes: 0 };
  }
  yield { text: "}", bytes: 0 };
}
