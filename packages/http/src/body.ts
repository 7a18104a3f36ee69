import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { ReachedLimit } from "@org/admission";
import { hasTooManyChunks, leaveUnread } from "./discard-body.js";
import { begunExchangeOf } from "./exchange.js";
import type { MaybePromise } from "./maybe-promise.js";

/** Limits of a body. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** From the start of reading to the last byte. By default the server's own `requestTimeout` is the limit. */
  readonly maxSeconds?: number;
  /** Minimum rate; 1 KiB by default. */
  readonly minBytesPerSecond?: number;
}

/**
 * Why a body is refused. `broken_off`: the client disconnected before it had sent all of it, so nobody reads an answer. `over_share`:
 * the caller has too many bytes in flight; `no_room`: all callers together have. `small_chunks`: it comes in too many chunks for its size.
 */
export type BodyErrorCode =
  | "too_large"
  | "too_slow"
  | "broken_off"
  | "over_share"
  | "no_room"
  | "small_chunks"
  | "compressed"
  | "wrong_type"
  | "wrong_charset";

/** A body that was refused. The message is for logs; each family of routes has its own wording. */
export class BodyError extends Error {
  override readonly name = "BodyError";

  constructor(
    readonly code: BodyErrorCode,
    /** Set for `over_share` and `no_room`. */
    readonly limit: ReachedLimit | null = null,
  ) {
    super(`the body is refused: ${code}`);
  }
}

/** Required format of a body. */
export interface BodyFormat {
  /** In lower case and without parameters, such as `application/json`. */
  readonly mediaType: string;
  /** Whether any `charset` is accepted, as OAuth forms need: their text is ASCII anyway. */
  readonly anyCharset?: boolean;
}

/**
 * Checks a body's headers: media type, UTF-8, and no compression, because the size of a compressed body is unknown until it is
 * read. A request with neither body nor type passes; it is refused later for what it lacks.
 * @throws BodyError `wrong_type`, `wrong_charset`, `compressed`
 */
export function requireFormat(
  request: Pick<IncomingMessage, "headers">,
  { mediaType, anyCharset = false }: BodyFormat,
): void {
  const { "content-type": sent, "content-encoding": encoding } = request.headers;
  // Fast path: nearly all clients send exactly this.
  if (sent !== mediaType) {
    if (sent === undefined && !hasBody(request.headers)) return;
    const [type = "", ...parameters] = (sent ?? "").split(";").map((part) => part.trim().toLowerCase());
    if (type !== mediaType) throw new BodyError("wrong_type");
    const charset = parameters.find((parameter) => parameter.startsWith("charset="));
    if (!anyCharset && charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))
      throw new BodyError("wrong_charset");
  }
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") throw new BodyError("compressed");
}

/** Whether the headers announce a body. */
function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * Starts work on a request at the next tick. By then Node has read the body if it came with the headers, and {@link readBytes} returns it at
 * once; while a request is announced it never has.
 */
export function afterHeaders(work: () => void): void {
  process.nextTick(work);
}

/**
 * Reads a whole body, keeping at most `maxBytes` of it. Bodies that come after their headers take turns, as in {@link chunksOf}. A refused request stays open,
 * so that the answer still reaches the client, and the rest is discarded with it. A small body that has arrived with its headers is
 * returned at once.
 * @throws BodyError `too_large`, `too_slow`, `broken_off`, `small_chunks`
 */
export function readBytes(request: IncomingMessage, limits: BodyLimits): MaybePromise<Buffer> {
  const arrived = takeArrived(request, limits);
  if (arrived !== null) return arrived;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    receive(request, limits, {
      take: (chunk) => chunks.push(chunk),
      isHeld: true,
      end() {
        const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
        const turn = begunExchangeOf(request)?.waitForTurn() ?? null;
        if (turn === null) resolve(bytes);
        else void turn.then(() => resolve(bytes));
      },
      refuse: reject,
    });
  });
}

/**
 * Returns a small body that has already arrived with its headers, as in nearly all tool calls; null for any other. Nothing is
 * awaited, so neither pace nor disconnects need watching.
 */
function takeArrived(request: IncomingMessage, { maxBytes }: BodyLimits): Buffer | null {
  const { headers, destroyed, readableLength, readableFlowing } = request;
  if (destroyed || readableFlowing !== null || readableLength > Math.min(maxBytes, UNCOUNTED_BYTES)) return null;
  // Without Content-Length it is unknown whether more follows.
  if (readableLength === 0 || Number(headers["content-length"]) !== readableLength) return null;
  // Node itself has answered because the bytes that followed are not HTTP.
  if (begunExchangeOf(request)?.response.writableEnded) return null;
  const bytes: Buffer | null = request.read();
  // Lets the request emit `end`, as every other request does.
  request.resume();
  return bytes;
}

/**
 * Yields a body as it arrives, one chunk at a time, small ones together: reading pauses while one is processed. Bodies take turns,
 * so that a hundred large ones leave the event loop to other requests.
 * @throws BodyError as {@link readBytes}
 */
export async function* chunksOf(request: IncomingMessage, limits: BodyLimits): AsyncGenerator<Buffer> {
  const exchange = begunExchangeOf(request);
  const arrived: Buffer[] = [];
  let refusal: BodyError | null = null;
  let isOver = false;
  let wake = () => {};
  const stop = receive(request, limits, {
    take(chunk) {
      arrived.push(chunk);
      request.pause();
      wake();
    },
    isHeld: false,
    end() {
      isOver = true;
      wake();
    },
    refuse(error) {
      refusal = error;
      wake();
    },
  });
  try {
    for (;;) {
      for (let chunk = arrived.shift(); chunk; chunk = arrived.shift()) {
        await exchange?.waitForTurn();
        yield chunk;
      }
      if (refusal !== null) throw refusal;
      if (isOver) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        request.resume();
      });
    }
  } finally {
    stop();
  }
}

interface Receiver {
  take(chunk: Buffer): void;
  /** Whether the chunks stay in memory until the request is answered. */
  readonly isHeld: boolean;
  end(): void;
  refuse(error: BodyError): void;
}

/** Passes a body to the receiver within its limits, until it ends, is refused, or the returned function is called. */
function receive(
  request: IncomingMessage,
  { maxBytes, maxSeconds, minBytesPerSecond = MIN_BYTES_PER_SECOND }: BodyLimits,
  receiver: Receiver,
): () => void {
  const response = begunExchangeOf(request)?.response;
  // Node itself has answered because the bytes are not HTTP, and emits no further event for such a request.
  if (response?.writableEnded) {
    receiver.refuse(new BodyError("broken_off"));
    return () => {};
  }
  if (request.readableEnded) throw new Error("the body was read already: mount this before any body parser");
  if (Number(request.headers["content-length"]) > maxBytes) {
    receiver.refuse(new BodyError("too_large"));
    return () => {};
  }
  if (request.destroyed) {
    receiver.refuse(new BodyError("broken_off"));
    return () => {};
  }
  let taken = 0;
  let chunks = 0;
  /** What came since the receiver took something. */
  let gathered: Buffer[] = [];
  let passedOn = 0;
  /** Bytes taken at the last check of the pace. */
  let seen = 0;
  let isSlow = false;
  const exchange = receiver.isHeld ? begunExchangeOf(request) : undefined;
  const refuse = (code: BodyErrorCode, limit?: ReachedLimit) => {
    stop();
    receiver.refuse(new BodyError(code, limit));
  };
  const onData = (chunk: Buffer) => {
    taken += chunk.length;
    chunks += 1;
    if (taken > maxBytes) return refuse("too_large");
    if (hasTooManyChunks(chunks, taken)) {
      begunExchangeOf(request)?.note({ limit: "chunks_of_body" });
      refuse("small_chunks");
      return leaveUnread(request);
    }
    gathered.push(chunk);
    if (taken - passedOn >= GATHERED_BYTES || gathered.length >= GATHERED_CHUNKS) passOn();
  };
  /** Passes small chunks on as one: as objects of their own they take many times their bytes. Returns whether the receiver took it. */
  const passOn = () => {
    // Below this size bodies are not counted: the number of connections bounds them.
    const reached = taken > UNCOUNTED_BYTES ? exchange?.holdBody(taken) : null;
    if (reached) {
      refuse(reached.isOwnShare ? "over_share" : "no_room", reached);
      return false;
    }
    const [first] = gathered;
    if (first) receiver.take(gathered.length === 1 ? first : Buffer.concat(gathered));
    gathered = [];
    passedOn = taken;
    return true;
  };
  const onEnd = () => {
    leave();
    if (passOn()) receiver.end();
  };
  const onGone = () => refuse("broken_off");
  // Refuses only after two slow checks in a row: bytes that arrived while the process was busy are read between two checks. A paused
  // request is waiting for us.
  const checkPace = () => {
    const wasSlow = isSlow;
    isSlow = !request.isPaused() && taken - seen < minBytesPerSecond * PACE_SECONDS;
    seen = taken;
    if (wasSlow && isSlow) refuse("too_slow");
  };
  const timer = maxSeconds === undefined ? undefined : setTimeout(refuse, maxSeconds * 1000, "too_slow");
  const pace = minBytesPerSecond === 0 ? undefined : setInterval(checkPace, PACE_SECONDS * 1000);
  request.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  response?.once("close", onGone);
  return stop;

  function leave() {
    clearTimeout(timer);
    clearInterval(pace);
    request.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
    response?.off("close", onGone);
  }
  function stop() {
    leave();
    request.pause();
  }
}

/**
 * Counts `bytes` of a request's body that stay in memory until it is answered, waiting up to half a minute for room. For bodies that are
 * read in chunks and assembled elsewhere; {@link readBytes} counts itself.
 * @throws BodyError `over_share`, `no_room`; `broken_off` as soon as the client disconnects
 */
export async function holdBody(request: IncomingMessage, bytes: number): Promise<void> {
  const exchange = begunExchangeOf(request);
  const gone = new AbortController();
  exchange?.atClose(() => gone.abort(new BodyError("broken_off")));
  const reached = await exchange?.waitForBody(bytes, MEMORY_WAIT_MS, gone.signal);
  if (reached) throw new BodyError(reached.isOwnShare ? "over_share" : "no_room", reached);
}

/**
 * Counts `bytes` more of a request's body that are written to the disk, until {@link releaseSpooled}.
 * @throws BodyError `over_share`, `no_room`
 */
export function spoolBody(request: IncomingMessage, bytes: number): void {
  const reached = begunExchangeOf(request)?.spoolBody(bytes);
  if (reached) throw new BodyError(reached.isOwnShare ? "over_share" : "no_room", reached);
}

/** Gives back bytes of {@link spoolBody}, once their file was removed. */
export function releaseSpooled(request: IncomingMessage, bytes: number): void {
  begunExchangeOf(request)?.releaseSpooled(bytes);
}

const MIN_BYTES_PER_SECOND = 1024;
const PACE_SECONDS = 5;
const UNCOUNTED_BYTES = 16 * 1024;
const GATHERED_BYTES = 16 * 1024;
const GATHERED_CHUNKS = 256;
const MEMORY_WAIT_MS = 30_000;
