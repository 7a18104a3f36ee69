import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/** What a body may cost. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** From the first look at it to its last byte. Left out, the server's own `requestTimeout` is the limit. */
  readonly maxSeconds?: number;
}

/** Why a body is refused. `broken_off`: the client left before it had sent all of it, so that nobody reads an answer. */
export type BodyErrorCode = "too_large" | "too_slow" | "broken_off" | "compressed" | "wrong_type" | "wrong_charset";

/** A body that is not taken. The message is for logs: each family of routes has its own words. */
export class BodyError extends Error {
  override readonly name = "BodyError";

  constructor(readonly code: BodyErrorCode) {
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
 * Reads a whole body, keeping no more than `maxBytes` of it. A refused request is left open, so that the answer still reaches
 * the client: {@link discardBody} sees to the rest.
 * @throws BodyError `too_large`, `too_slow`, `broken_off`
 */
export function readBytes(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    receive(request, limits, {
      take: (chunk) => chunks.push(chunk),
      end: () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
      refuse: reject,
    });
  });
}

/**
 * The chunks of a body as they come, one at a time: the client is not read further while one is being worked on.
 * @throws BodyError as {@link readBytes}
 */
export async function* chunksOf(request: IncomingMessage, limits: BodyLimits): AsyncGenerator<Buffer> {
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
      for (let chunk = arrived.shift(); chunk; chunk = arrived.shift()) yield chunk;
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
  end(): void;
  refuse(error: BodyError): void;
}

/** Hands a body over within its limits, until it has ended, is refused, or the function that this answers is called. */
function receive(request: IncomingMessage, { maxBytes, maxSeconds }: BodyLimits, receiver: Receiver): () => void {
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
  const refuse = (code: BodyErrorCode) => {
    stop();
    receiver.refuse(new BodyError(code));
  };
  const onData = (chunk: Buffer) => {
    taken += chunk.length;
    if (taken > maxBytes) refuse("too_large");
    else receiver.take(chunk);
  };
  const onEnd = () => {
    leave();
    receiver.end();
  };
  const onGone = () => refuse("broken_off");
  const timer = maxSeconds === undefined ? undefined : setTimeout(refuse, maxSeconds * 1000, "too_slow");
  request.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
  return stop;

  function leave() {
    clearTimeout(timer);
    request.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
  }
  function stop() {
    leave();
    request.pause();
  }
}

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
