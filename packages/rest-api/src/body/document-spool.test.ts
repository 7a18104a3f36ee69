import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CoreError } from "@org/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toFailure } from "../failure.js";
import type { DocumentSpool } from "./document-spool.js";
import { letterInput } from "./inputs.js";
import { readLetterBody } from "./letter-body.js";

const KIB = 1024;
const MAX = 2_000 * KIB;

/** Makes a memory spool, with its numbers of documents and bytes. */
function memorySpool() {
  const kept = new Set<Buffer[]>();
  let written = 0;
  const spool: DocumentSpool = {
    async begin() {
      const pieces: Buffer[] = [];
      kept.add(pieces);
      return {
        async write(bytes) {
          pieces.push(Buffer.from(bytes));
          written += bytes.length;
        },
        readInto: async (target) => void Buffer.concat(pieces).copy(target),
        remove: async () => void kept.delete(pieces),
      };
    },
  };
  return { spool, kept, written: () => written };
}

async function* inPieces(text: string, end = text.length) {
  const bytes = Buffer.from(text);
  for (let from = 0; from < end; from += 64 * KIB) yield bytes.subarray(from, from + 64 * KIB);
}

async function noSpace(): Promise<never> {
  throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
}

const letter = (data: Uint8Array, annex: Uint8Array) =>
  JSON.stringify({ data: Buffer.from(data).toString("base64"), annex: Buffer.from(annex).toString("base64"), x: 1 });

describe("[scale.md §1] documents beyond 256 KiB are kept elsewhere while they arrive", () => {
  it("come out as they were sent, hold room only when they are whole, and leave nothing", async () => {
    const { spool, kept, written } = memorySpool();
    const [data, annex] = [randomBytes(1_500 * KIB + 1), randomBytes(200 * KIB)];
    const holds: number[] = [];
    const hold = async (bytes: number) => {
      // All but the last quarter of a MiB of the first document has moved to the spool by now; the second was too small to move.
      expect([kept.size, written() > 1_000 * KIB]).toEqual([1, true]);
      holds.push(bytes);
    };
    const { body, received } = await readLetterBody(inPieces(letter(data, annex)), MAX, 0, { spool, hold });
    expect(body).toMatchObject({ x: 1 });
    const isSame = (document: unknown, sent: Buffer) => sent.equals((document as { bytes: Uint8Array }).bytes);
    expect([isSame(received.data, data), isSame(received.annex, annex)]).toEqual([true, true]);
    expect(holds).toEqual([data.length, data.length + annex.length]);
    expect(kept.size).toBe(0);
  });

  it("too large ones are refused as before, wherever they are", async () => {
    const { spool, kept } = memorySpool();
    const text = letter(randomBytes(MAX + 1), randomBytes(1));
    const { received } = await readLetterBody(inPieces(text), MAX, 0, { spool, hold: async () => {} });
    expect(received).toMatchObject({ data: { failure: "too_large" }, annex: { bytes: expect.anything() } });
    expect(kept.size).toBe(0);
  });

  it.each<[string, (spool: DocumentSpool) => DocumentSpool]>([
    ["no file can be begun", () => ({ begin: noSpace })],
    ["nothing more can be written", (spool) => ({ begin: async () => ({ ...(await spool.begin()), write: noSpace }) })],
    ["it cannot be read again", (spool) => ({ begin: async () => ({ ...(await spool.begin()), readInto: noSpace }) })],
  ])("a disk that is full is no defect, but a moment to come again: %s", async (_name, broken) => {
    const { spool, kept } = memorySpool();
    const input = letterInput(z.object({}));
    const settings = { letterMaxBytes: MAX, spool: broken(spool) };
    const server = createServer(async (request, response) => {
      const failure = await Promise.resolve(input.read(request, input.limit(settings), settings)).catch(
        (error: unknown) => toFailure(error, new Date(), false),
      );
      response.setHeader("connection", "close").end(JSON.stringify(failure));
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const { port } = server.address() as AddressInfo;
    const body = letter(randomBytes(900 * KIB), randomBytes(1));
    const answer = await fetch(`http://127.0.0.1:${port}`, { method: "POST", body });
    expect(await answer.json()).toEqual({
      code: "UNAVAILABLE",
      message: "the document cannot be kept while it arrives; nothing was kept",
      headers: { "Retry-After": "60" },
    });
    expect(kept.size).toBe(0);
    await new Promise((closed) => server.close(closed));
  });

  it.each<[string, (text: string) => AsyncIterable<Buffer>, (bytes: number) => Promise<void>]>([
    [
      "the client leaves",
      async function* (text) {
        yield* inPieces(text, 1_000 * KIB);
        throw new CoreError("VALIDATION_ERROR", "body: must arrive whole");
      },
      async () => {},
    ],
    ["what comes is no JSON", (text) => inPieces(`${text}}`), async () => {}],
    [
      "there is no room for them",
      inPieces,
      async () => {
        throw new CoreError("UNAVAILABLE", "no room");
      },
    ],
  ])("nothing is left when %s", async (_name, chunks, hold) => {
    const { spool, kept, written } = memorySpool();
    const text = letter(randomBytes(900 * KIB), randomBytes(900 * KIB));
    await expect(readLetterBody(chunks(text), MAX, 0, { spool, hold })).rejects.toThrow(CoreError);
    expect([kept.size, written() > 500 * KIB]).toEqual([0, true]);
  });
});
