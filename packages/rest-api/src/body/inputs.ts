import type { IncomingMessage } from "node:http";
import { CoreError, MAX_FEED_BYTES, parseOrRefuse } from "@org/core";
import type { z } from "zod";
import { type BodyLimit, bytesWithin, chunksWithin, roomFor, spoolRoomFor } from "./body-limit.js";
import type { DocumentSpool, SpooledDocument } from "./document-spool.js";
import { parseJsonObject } from "./json.js";
import { type LetterBody, readLetterBody, restLimit } from "./letter-body.js";
import { decodeLines } from "./lines.js";

/** Limits that the installation sets. */
export interface RestLimits {
  /** Decoded size of a letter's `data` and of its `annex`, each. */
  readonly letterMaxBytes: number;
  /** Told each time that another MiB of a submission has been read and decoded: what it arrived in is garbage by then. */
  readonly onLetterArriving?: ((bytes: number) => void) | undefined;
  /** Where documents are kept while they arrive, beyond 256 KiB each; in memory unless told otherwise. */
  readonly spool?: DocumentSpool | undefined;
}

/** How the body of an endpoint is read, and what the API document says about it. */
export interface Input<T, Schema extends z.ZodType | null = z.ZodType | null> {
  readonly mediaType: string;
  /** Shape of a JSON body; null for other formats. */
  readonly schema: Schema;
  limit(limits: RestLimits): BodyLimit;
  read(request: IncomingMessage, limit: BodyLimit, limits: RestLimits): T | Promise<T>;
}

const MEBIBYTE = 1024 * 1024;
const KIBIBYTE = 1024;

/** A JSON object of at most 1 MiB (contract §9), checked: the handler gets what `schema` makes of it. All its faults are refused together. */
export function jsonInput<S extends z.ZodType>(schema: S): Input<z.output<S>, S> {
  const unchecked = uncheckedJsonInput(schema);
  return {
    ...unchecked,
    read: async (...source) => parseOrRefuse(schema, await unchecked.read(...source)),
  };
}

/**
 * {@link jsonInput} for a service that takes the body as sent and checks it itself: it lists faults that no schema knows, such as
 * an id of nothing, together with those of shape. `schema` only documents the body.
 */
export function uncheckedJsonInput<S extends z.ZodType>(schema: S): Input<unknown, S> {
  return {
    mediaType: "application/json",
    schema,
    limit: () => atMost(MEBIBYTE),
    read: async (request, limit) => parseJsonObject(await bytesWithin(request, limit)),
  };
}

/** A JSON object that holds two documents in Base64, and 64 KiB around them (contract §9). `schema` documents it; the service checks it. */
export function letterInput<S extends z.ZodType>(schema: S): Input<LetterBody, S> {
  return {
    ...uncheckedJsonInput(schema),
    limit: ({ letterMaxBytes }) => {
      const { bytes, rule } = atMost(Math.ceil((2 * 4 * letterMaxBytes) / 3) + 64 * KIBIBYTE);
      return {
        bytes,
        rule: `${rule}; data and annex have at most ${letterMaxBytes} bytes each once decoded, and there are at most ${restLimit.bytes} bytes besides them`,
      };
    },
    read(request, limit, { letterMaxBytes, onLetterArriving, spool = null }) {
      const chunks = metered(chunksWithin(request, limit), onLetterArriving);
      const declared = Number(request.headers["content-length"] ?? 0);
      return readLetterBody(chunks, letterMaxBytes, declared, {
        spool: spool && { begin: () => spooling(spool, (bytes) => spoolRoomFor(request, bytes, limit)) },
        hold: (bytes) => roomFor(request, bytes, limit),
      });
    },
  };
}

/** NDJSON of at most 64 MiB, handed on line by line as it arrives. */
export const linesInput: Input<AsyncIterable<string>, null> = {
  mediaType: "application/x-ndjson",
  schema: null,
  limit: () => atMost(64 * MEBIBYTE),
  read: (request, limit) => decodeLines(chunksWithin(request, limit)),
};

/** Any file that is no larger than a custodian's may be. */
export const fileInput: Input<Uint8Array, null> = {
  mediaType: "application/octet-stream",
  schema: null,
  limit: () => atMost(MAX_FEED_BYTES),
  read: bytesWithin,
};

/**
 * A full disk is the server's fault, and for the client nothing but a moment to come again.
 * @param hold counts what is to be written @throws CoreError when there is too much on the disk already
 */
async function spooling(spool: DocumentSpool, hold: (bytes: number) => void): Promise<SpooledDocument> {
  const unavailable = (cause: unknown): never => {
    throw new CoreError("UNAVAILABLE", "the document cannot be kept while it arrives; nothing was kept", { cause });
  };
  const document = await spool.begin().catch(unavailable);
  return {
    ...document,
    async write(bytes) {
      hold(bytes.length);
      await document.write(bytes).catch(unavailable);
    },
    readInto: (target) => document.readInto(target).catch(unavailable),
  };
}

async function* metered(chunks: AsyncIterable<Buffer>, tell?: (bytes: number) => void): AsyncGenerator<Buffer> {
  let untold = 0;
  for await (const chunk of chunks) {
    yield chunk;
    untold += chunk.length;
    if (untold < MEBIBYTE) continue;
    tell?.(untold);
    untold = 0;
  }
}

function atMost(bytes: number) {
  return { bytes, rule: `the body has at most ${bytes} bytes` };
}
