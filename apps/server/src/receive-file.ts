import { createHash, type Hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { CoreError } from "@org/core";
import { chunksOf, holdBody, releaseSpooled, spoolBody } from "@org/http";
import { collectGarbageAfter } from "@org/letter-documents";
import type { DocumentSpool, SpooledDocument } from "@org/rest-api";

/** How long a file may take to arrive. At the minimum rate for bodies this equals the server's own limit. */
const MAX_SECONDS = 290;
/** Memory that a file may use while it arrives. */
const IN_MEMORY_BYTES = 256 * 1024;
const COLLECTED_BYTES = 1024 * 1024;

/** A file that has arrived, or why its digest does not match. */
export type ReceivedFile = { readonly bytes: Buffer } | { readonly fault: string };

/**
 * Receives the body of a request as a file. While it arrives, all but its last 256 KiB are on disk, however many files arrive together and
 * however slowly; only a complete file waits for memory. No part of it stays on the disk afterwards, wherever it broke off.
 * @throws BodyError, and CoreError UNAVAILABLE if the disk does not take it
 */
export async function receiveFile(
  request: IncomingMessage,
  { spool, maxBytes }: { spool: DocumentSpool; maxBytes: number },
): Promise<ReceivedFile> {
  const digests = announcedDigests(request.headers["content-digest"]);
  let spooled: SpooledDocument | null = null;
  let kept: Buffer[] = [];
  let [size, spooledBytes, garbage] = [0, 0, 0];
  try {
    for await (const chunk of chunksOf(request, { maxBytes, maxSeconds: MAX_SECONDS })) {
      size += chunk.length;
      garbage += chunk.length;
      for (const { hash } of digests) hash.update(chunk);
      kept.push(chunk);
      if (size - spooledBytes < IN_MEMORY_BYTES) continue;
      spooled ??= await spool.begin().catch(unavailable);
      spoolBody(request, size - spooledBytes);
      spooledBytes = size;
      await spooled.write(Buffer.concat(kept)).catch(unavailable);
      kept = [];
      if (garbage < COLLECTED_BYTES) continue;
      collectGarbageAfter(garbage, "minor");
      garbage = 0;
    }
    for (const { algorithm, hash, sent } of digests) {
      const digest = hash.digest();
      if (sent.length !== digest.length || !timingSafeEqual(sent, digest))
        return { fault: `the file is not what Content-Digest says (${algorithm}): it was changed or cut on its way` };
    }
    if (spooled === null) return { bytes: Buffer.concat(kept) };
    await holdBody(request, size);
    const bytes = Buffer.allocUnsafeSlow(size);
    await spooled.readInto(bytes.subarray(0, spooledBytes)).catch(unavailable);
    Buffer.concat(kept).copy(bytes, spooledBytes);
    return { bytes };
  } finally {
    await spooled?.remove();
    if (spooledBytes > 0) releaseSpooled(request, spooledBytes);
  }
}

/** A full disk is temporary: the sender can retry. */
function unavailable(cause: unknown): never {
  throw new CoreError("UNAVAILABLE", "the file cannot be kept while it arrives; nothing was kept", { cause });
}

interface AnnouncedDigest {
  readonly algorithm: string;
  readonly hash: Hash;
  readonly sent: Buffer;
}

/**
 * The digests that the bytes must have by `Content-Digest` (RFC 9530 §2), for known algorithms. Of a repeated one the last value counts (RFC
 * 8941 §3.2), so that no client can have each byte hashed more than once per algorithm.
 */
function announcedDigests(header: string | string[] | undefined): readonly AnnouncedDigest[] {
  const found = new Map<string, string>();
  for (const member of String(header ?? "").split(",")) {
    const [, algorithm, value = ""] = /^\s*(sha-256|sha-512)=:([A-Za-z0-9+/=]*):\s*$/.exec(member) ?? [];
    if (algorithm !== undefined) found.set(algorithm, value);
  }
  return [...found].map(([algorithm, value]) => ({
    algorithm,
    hash: createHash(algorithm.replace("-", "")),
    sent: Buffer.from(value, "base64"),
  }));
}
