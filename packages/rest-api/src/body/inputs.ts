import type { IncomingMessage } from "node:http";
import { CoreError, MAX_FEED_BYTES, MAX_RATE_FILE_BYTES, parseOrRefuse } from "@org/core";
import { andThen, type MaybePromise, releaseSpooled } from "@org/http";
import type { z } from "zod";
import { type BodyLimit, bytesWithin, chunksWithin, roomFor, spoolRoomFor } from "./body-limit.js";
import type { DocumentSpool, SpooledDocument } from "./document-spool.js";
import { parseJsonObject } from "./json.js";
import { type LetterBody, readLetterBody, restLimit } from "./letter-body.js";
import { decodeLines } from "./lines.js";

/** Limits that the installation sets. */
export interface RestLimits {
  /** Maximum decoded size of a letter's `data` and of its `annex`, each. */
  readonly letterMaxBytes: number;
  /** Called after each further MiB of a submission was read and decoded; the chunks are garbage by then. */
  readonly onLetterArriving?: ((bytes: number) => void) | undefined;
  /** Where documents beyond 256 KiB are kept while they arrive; in memory by default. */
  readonly spool?: DocumentSpool | undefined;
}

/** How an endpoint's body is read, and how the API document describes it. */
export interface Input<T, Schema extends z.ZodType | null = z.ZodType | null> {
  readonly mediaType: string;
  /** Shape of a JSON body; null for other formats. */
  readonly schema: Schema;
  limit(limits: RestLimits): BodyLimit;
  read(request: IncomingMessage, limit: BodyLimit, limits: RestLimits): MaybePromise<T>;
}

const MEBIBYTE = 1024 * 1024;
const KIBIBYTE = 1024;

/** A JSON object of at most 1 MiB (contract §9). The handler gets the output of `schema`. All faults are reported together. */
export function jsonInput<S extends z.ZodType>(schema: S): Input<z.output<S>, S> {
  const unchecked = uncheckedJsonInput(schema);
  return {
    ...unchecked,
    read: (...source) => andThen(unchecked.read(...source), (body) => parseOrRefuse(schema, body)),
  };
}

/**
 * {@link jsonInput} for a service that checks the body itself: it reports faults that a schema cannot find, such as an unknown id,
 * together with those of the schema. `schema` only documents the body.
 */
export function uncheckedJsonInput<S extends z.ZodType>(schema: S): Input<unknown, S> {
  return {
    mediaType: "application/json",
    schema,
    limit: () => atMost(MEBIBYTE),
    read: (request, limit) => andThen(bytesWithin(request, limit), parseJsonObject),
  };
}

/** A JSON object with two documents in Base64, and 64 KiB around them (contract §9). `schema` documents it; the service checks it. */
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
        spool: spool && {
          begin: () =>
            spooling(spool, {
              hold: (bytes) => spoolRoomFor(request, bytes, limit),
              release: (bytes) => releaseSpooled(request, bytes),
            }),
        },
        hold: (bytes) => roomFor(request, bytes, limit),
      });
    },
  };
}

/** NDJSON of at most 64 MiB, passed on line by line as it arrives. */
export const linesInput: Input<AsyncIterable<string>, null> = {
  mediaType: "application/x-ndjson",
  schema: null,
  limit: () => atMost(64 * MEBIBYTE),
  read: (request, limit) => decodeLines(chunksWithin(request, limit)),
};

/** Any file up to the maximum size of a custodian's file. */
export const fileInput: Input<Uint8Array, null> = {
  mediaType: "application/octet-stream",
  schema: null,
  limit: () => atMost(MAX_FEED_BYTES),
  read: bytesWithin,
};

/** A file of exchange rates. */
export const rateFileInput = { ...fileInput, limit: () => atMost(MAX_RATE_FILE_BYTES) };

/**
 * Reports storage errors as UNAVAILABLE: a full disk is the server's fault, and the client can only retry.
 * @param count `hold` counts bytes to be written, and throws a CoreError when there is too much on the disk already; `release` gives them back
 */
async function spooling(
  spool: DocumentSpool,
  count: { hold(bytes: number): void; release(bytes: number): void },
): Promise<SpooledDocument> {
  const unavailable = (cause: unknown): never => {
    throw new CoreError("UNAVAILABLE", "the document cannot be kept while it arrives; nothing was kept", { cause });
  };
  const document = await spool.begin().catch(unavailable);
  let held = 0;
  return {
    ...document,
    async write(bytes) {
      count.hold(bytes.length);
      held += bytes.length;
      await document.write(bytes).catch(unavailable);
    },
    readInto: (target) => document.readInto(target).catch(unavailable),
    async remove() {
      await document.remove();
      count.release(held);
    },
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
