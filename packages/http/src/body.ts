import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { begunExchangeOf } from "./exchange.js";
import type { ReachedLimit } from "./reached-limit.js";

/** What a body may cost. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** From the first look at it to its last byte. Left out, the server's own `requestTimeout` is the limit. */
  readonly maxSeconds?: number;
  /** The lowest rate at which it has to come; 1 KiB by default. */
  readonly minBytesPerSecond?: number;
}

/**
 * Why a body is refused. `broken_off`: the client left before it had sent all of it, so that nobody reads an answer. `over_share`:
 * its caller has too many bytes on their way; `no_room`: all callers together have.
 */
export type BodyErrorCode =
  | "too_large"
  | "too_slow"
  | "broken_off"
  | "over_share"
  | "no_room"
  | "compressed"
  | "wrong_type"
  | "wrong_charset";

/** A body that is not taken. The message is for logs: each family of routes has its own words. */
export class BodyError extends Error {
  override readonly name = "BodyError";

  constructor(
    readonly code: BodyErrorCode,
    /** Of `over_share` and `no_room`. */
    readonly limit: ReachedLimit | null = null,
  ) {
    super(`the body is refused: ${code}`);
  }
}

/** What a body has to be. */
export interface BodyFormat {
  /** In lower case and without parameters, such as `application/json`. */
  readonly mediaType: string;
  /** Whether any `charset` is let through, as OAuth's forms need it: their text is ASCII anyway. */
  readonly anyCharset?: boolean;
}

/**
 * Checks what the headers say about a body: its type, UTF-8, and that it is not compressed, since what a compressed one unfolds
 * to is not known before it is read. A request without a body and without a type passes, to be refused for what it lacks.
 * @throws BodyError `wrong_type`, `wrong_charset`, `compressed`
 */
export function requireFormat(
  request: Pick<IncomingMessage, "headers">,
  { mediaType, anyCharset = false }: BodyFormat,
): void {
  const { "content-type": sent, "content-encoding": encoding } = request.headers;
  // The two ways in which nearly all clients write it.
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
 * Reads a whole body, keeping no more than `maxBytes` of it. Large ones take turns, as {@link chunksOf} does. A refused request is left open, so that the answer still reaches
 * the client: {@link discardBody} sees to the rest.
 * @throws BodyError `too_large`, `too_slow`, `broken_off`
 */
export function readBytes(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const arrived = takeArrived(request, limits);
  if (arrived !== null) return Promise.resolve(arrived);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    receive(request, limits, {
      take: (chunk) => chunks.push(chunk),
      isHeld: true,
      end() {
        const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
        const large = bytes.length > SMALL_BYTES ? begunExchangeOf(request) : undefined;
        const turn = large?.waitForTurn(bytes.length) ?? null;
        if (turn === null) resolve(bytes);
        else void turn.then(() => resolve(bytes));
      },
      refuse: reject,
    });
  });
}

/**
 * A small body that has arrived by now, as those of nearly all tool calls have with their headers; null for every other. Nothing of it is
 * waited for, so that nobody has to look at its pace or at who leaves.
 */
function takeArrived(request: IncomingMessage, { maxBytes }: BodyLimits): Buffer | null {
  const { headers, destroyed, readableLength, readableFlowing } = request;
  if (destroyed || readableFlowing !== null || readableLength > Math.min(maxBytes, UNCOUNTED_BYTES)) return null;
  // Without a length nobody knows whether more follows.
  if (readableLength === 0 || Number(headers["content-length"]) !== readableLength) return null;
  // The server itself answers where what follows is no HTTP.
  if (begunExchangeOf(request)?.response.writableEnded) return null;
  const bytes: Buffer | null = request.read();
  // So that the request ends, as it does for everybody else.
  request.resume();
  return bytes;
}

/**
 * The chunks of a body as they come, one at a time: the client is not read further while one is being worked on. Bodies take turns,
 * so that a hundred large ones leave the event loop to requests that come meanwhile.
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
        await exchange?.waitForTurn(chunk.length);
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
  /** Whether what it takes stays in memory until the request is answered. */
  readonly isHeld: boolean;
  end(): void;
  refuse(error: BodyError): void;
}

/** Hands a body over within its limits, until it has ended, is refused, or the function that this returns is called. */
function receive(
  request: IncomingMessage,
  { maxBytes, maxSeconds, minBytesPerSecond = MIN_BYTES_PER_SECOND }: BodyLimits,
  receiver: Receiver,
): () => void {
  const response = begunExchangeOf(request)?.response;
  // The server itself answers where what comes is no HTTP, and Node says nothing more of such a request.
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
  /** As of the last look at the pace. */
  let seen = 0;
  let isSlow = false;
  const exchange = receiver.isHeld ? begunExchangeOf(request) : undefined;
  const refuse = (code: BodyErrorCode, limit?: ReachedLimit) => {
    stop();
    receiver.refuse(new BodyError(code, limit));
  };
  const onData = (chunk: Buffer) => {
    taken += chunk.length;
    if (taken > maxBytes) return refuse("too_large");
    // What a request may hold without being counted: their number is bounded, as that of connections is.
    const reached = taken > UNCOUNTED_BYTES ? exchange?.holdBody(taken) : null;
    if (reached) refuse(reached.isOwnShare ? "over_share" : "no_room", reached);
    else receiver.take(chunk);
  };
  const onEnd = () => {
    leave();
    receiver.end();
  };
  const onGone = () => refuse("broken_off");
  // Twice in a row: what arrived while the process was busy is read between two looks. A request that is paused waits for us.
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
 * Counts `bytes` that are kept of a request's body until it is answered, waiting for room for half a minute. For bodies that are
 * read in pieces and put together elsewhere; {@link readBytes} counts by itself.
 * @throws BodyError `over_share`, `no_room`
 */
export async function holdBody(request: IncomingMessage, bytes: number): Promise<void> {
  const reached = await begunExchangeOf(request)?.waitForBody(bytes, MEMORY_WAIT_MS);
  if (reached) throw new BodyError(reached.isOwnShare ? "over_share" : "no_room", reached);
}

/**
 * Counts `bytes` more of a request's body that are kept on a disk until it is answered.
 * @throws BodyError `over_share`, `no_room`
 */
export function spoolBody(request: IncomingMessage, bytes: number): void {
  const reached = begunExchangeOf(request)?.spoolBody(bytes);
  if (reached) throw new BodyError(reached.isOwnShare ? "over_share" : "no_room", reached);
}

const MIN_BYTES_PER_SECOND = 1024;
const PACE_SECONDS = 5;
const UNCOUNTED_BYTES = 16 * 1024;
/** Up to here a body costs next to nothing to work on. */
const SMALL_BYTES = 64 * 1024;
const MEMORY_WAIT_MS = 30_000;

const DISCARD_BYTES = 64 * 1024 * 1024;
const DISCARD_SECONDS = 10;

/**
 * What to do with the body of a request that is answered before it was read: many clients write all of it before they look for
 * an answer, and a connection closed under them loses it. The bytes are thrown away as they come, for a bounded time and amount;
 * then the connection goes.
 */
export function discardBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let left = DISCARD_BYTES;
  const giveUp = () => request.destroy();
  const timer = setTimeout(giveUp, DISCARD_SECONDS * 1000);
  request.once("end", () => clearTimeout(timer));
  request.once("close", () => clearTimeout(timer));
  request.on("error", giveUp);
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) giveUp();
  });
  request.resume();
}
