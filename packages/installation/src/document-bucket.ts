import { pipeline, Readable, Transform } from "node:stream";
import type { DocumentBucket } from "@org/core";

/**
 * The address of a bucket. Credentials come from the environment, as for AWS's tools: `AWS_ACCESS_KEY_ID`, a profile, or the
 * machine's role.
 */
export interface BucketAddress {
  readonly bucket: string;
  /** Prefix of every key, ending with a slash; empty = none. */
  readonly prefix: string;
  /** Undefined = from the environment (`AWS_REGION`). */
  readonly region: string | undefined;
  /** URL of a server other than AWS's. */
  readonly endpoint: string | undefined;
}

const parameters = ["region", "endpoint"];

/** Timeouts for connecting and for an answer; a large document takes a while. */
const CONNECT_MS = 2_000;
const ANSWER_MS = 20_000;
const ATTEMPTS = 3;
/** Maximum length of answers other than objects, such as an error in XML. */
const MAX_HEADER_BYTES = 64 * 1_024;
const REMOVAL_CONCURRENCY = 8;

/** Parses `s3://bucket/prefix?region=…&endpoint=https://…`; null when it is invalid. */
export function parseBucketUrl(text: string): BucketAddress | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  // The names that S3 allows: a valid host name, but not an IP address.
  if (url?.protocol !== "s3:" || !/^(?!\d+\.\d+\.\d+\.\d+$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.host))
    return null;
  if (url.username !== "" || url.password !== "" || url.hash !== "") return null;
  const given = [...url.searchParams.keys()];
  if (new Set(given).size < given.length || given.some((name) => !parameters.includes(name))) return null;
  const { region, endpoint } = Object.fromEntries(url.searchParams);
  if (region !== undefined && !/^[a-z0-9-]+$/.test(region)) return null;
  if (endpoint !== undefined && !(URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol))) return null;
  const path = url.pathname.replace(/^\/+|(?<!\/)\/+$/g, "");
  if (!/^[\w!.*'()/-]*$/.test(path)) return null;
  return { bucket: url.host, prefix: path === "" ? "" : `${path}/`, region, endpoint };
}

/**
 * A bucket of S3, or of a server with the same protocol. Objects are written whole or not at all; their contents are already
 * encrypted. The client is loaded at its first use.
 */
export function openBucket(address: BucketAddress, { answerMs = ANSWER_MS } = {}): DocumentBucket {
  const { bucket: Bucket, prefix } = address;
  let loading: ReturnType<typeof load> | undefined;
  const s3 = () => (loading ??= load(address, answerMs));
  const keyOf = (key: string) => `${prefix}${key}`;
  /** Limits all attempts together, even while bytes keep arriving. */
  const inTime = () => ({ abortSignal: AbortSignal.timeout(ATTEMPTS * (CONNECT_MS + answerMs)) });
  return {
    async put(key, ciphertext) {
      const { client, PutObjectCommand } = await s3();
      const object = { Bucket, Key: keyOf(key), Body: ciphertext, ContentLength: ciphertext.length };
      await client.send(new PutObjectCommand({ ...object, ContentType: "application/octet-stream" }), inTime());
    },
    async get(key, size) {
      const { client, GetObjectCommand, NoSuchKey } = await s3();
      try {
        const asked = new GetObjectCommand({ Bucket, Key: keyOf(key) });
        const { Body, ContentLength } = await client.send(asked, inTime());
        if (ContentLength === size && Body) return await Body.transformToByteArray();
        (Body as { destroy?: () => void } | undefined)?.destroy?.();
        return null;
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },
    async remove(keys) {
      const { client, DeleteObjectCommand } = await s3();
      // One by one, because not every server supports deleting many.
      const left = keys.values();
      const removeSome = async () => {
        for (const key of left) await client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(key) }), inTime());
      };
      await Promise.all(Array.from({ length: REMOVAL_CONCURRENCY }, removeSome));
    },
  };
}

/** The client would buffer an answer other than an object, such as an error, completely in memory. */
function bounded(body: Readable): Readable {
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= MAX_HEADER_BYTES) done(null, chunk);
      else done(new Error(`the bucket answers more than ${MAX_HEADER_BYTES} bytes that are no object`));
    },
  });
  // If either end fails, both close; the reader gets the error.
  return pipeline(body, counted, () => undefined);
}

async function load({ region, endpoint }: BucketAddress, answerMs: number) {
  const { S3Client, ...commands } = await import("@aws-sdk/client-s3");
  const client = new S3Client({
    ...(region !== undefined && { region }),
    // Other servers rarely have a host name for each bucket.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    maxAttempts: ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      // Also for a server that stops in the middle of its answer.
      socketTimeout: answerMs,
    },
    // Not all other servers support the newer checksums; documents are authenticated when they are decrypted.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const answered = await next(args);
        const response = answered.response as { readonly statusCode: number; body?: unknown };
        const isObject = commandName === "GetObjectCommand" && response.statusCode < 300;
        if (!isObject && response.body instanceof Readable) response.body = bounded(response.body);
        return answered;
      },
    // Closest to the connection, because the deserializer reads answers to their end.
    { step: "deserialize", priority: "low" },
  );
  return { client, ...commands };
}
