import type { LookupAddress } from "node:dns";
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import { addressRule, checkedLookup, LookupError, resolveHost } from "@org/http";
import type { PostWebhook, WebhookAnswer, WebhookError, WebhookRequest } from "./post-webhook.js";

/** For everything: look-up, connection, TLS, headers, body. */
const MAX_MS = 15_000;
/** For the body of an answer whose status is there: what the receiver says besides is a courtesy. */
const BODY_MS = 2_000;
/** Of an answer's body; the connection ends where there is more. */
const MAX_ANSWER_BYTES = 1_024;
/** Of an answer's headers, all together. */
const MAX_HEADER_BYTES = 16 * 1_024;
/** Connections that wait for the next delivery: as many for one origin as an endpoint has at once, and not for long. */
const IDLE = { connections: 4, milliseconds: 10_000 };

/** A client whose connections can be ended. */
export interface WebhookClient {
  readonly post: PostWebhook;
  close(): void;
}

/**
 * A client for receivers that strangers name. Each new connection looks its host up itself, checks every address and connects to what was
 * checked: nothing looks the name up a second time. Connections are kept for the deliveries that follow. Proxies of the environment
 * are not used, since a proxy would look the name up again.
 */
export function createWebhookClient(options: {
  /** CIDR blocks outside the public internet that may be connected to. */
  readonly privateNetworks: readonly string[];
  /** What `Retry-After` is counted from where it is a date. */
  readonly clock: () => Date;
  /** All addresses of a host; the system's name servers know them by default. */
  readonly lookup?: (host: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;
  /** Certificates of the authorities to trust (PEM); Node's own by default. */
  readonly ca?: string;
  readonly maxMs?: number;
  readonly maxBodyMs?: number;
}): WebhookClient {
  const { clock, lookup = resolveHost, maxMs = MAX_MS, maxBodyMs = BODY_MS } = options;
  const rule = addressRule(options.privateNetworks);
  const common = { keepAlive: true, maxFreeSockets: IDLE.connections, timeout: IDLE.milliseconds };
  const ways = {
    "http:": {
      request: http.request,
      mayReach: rule.mayReachInClear,
      agent: new http.Agent({ ...common, lookup: checkedLookup(lookup, rule.mayReachInClear) } as http.AgentOptions),
    },
    "https:": {
      request: https.request,
      mayReach: rule.mayReach,
      agent: new https.Agent({
        ...common,
        lookup: checkedLookup(lookup, rule.mayReach),
        rejectUnauthorized: true,
        ...(options.ca !== undefined && { ca: options.ca }),
      } as https.AgentOptions),
    },
  } as const;

  return {
    async post(request) {
      const started = performance.now();
      const ending = (end: Omit<WebhookAnswer, "ms">): WebhookAnswer => ({
        ...end,
        ms: Math.round(performance.now() - started),
      });
      if (request.signal.aborted) return ending(failure("cut_off"));
      const url = urlOf(request.url);
      const way = url === null ? undefined : ways[url.protocol as keyof typeof ways];
      if (url === null || way === undefined) return ending(failure("invalid_url"));
      const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
      // An address is not looked up, and so not checked there.
      if (isIP(host) !== 0 && !way.mayReach(host)) return ending(failure("address_not_allowed"));
      const times = { deadline: started + maxMs, bodyMs: maxBodyMs, clock };
      const first = await exchange(request, url, way, times);
      // The receiver closed a kept connection at the moment when it was used again: nothing was wrong with the delivery.
      return ending(first === "stale" ? settled(await exchange(request, url, way, times)) : first);
    },
    close() {
      for (const { agent } of Object.values(ways)) agent.destroy();
    },
  };
}

interface Way {
  readonly request: typeof http.request;
  readonly agent: http.Agent;
}

type End = Omit<WebhookAnswer, "ms">;

function exchange(
  { headers, body, signal }: WebhookRequest,
  url: URL,
  way: Way,
  { deadline, bodyMs, clock }: { readonly deadline: number; readonly bodyMs: number; readonly clock: () => Date },
): Promise<End | "stale"> {
  return new Promise((resolve) => {
    let request: ClientRequest | null = null;
    const stopWatching = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cutOff);
    };
    const end = (outcome: End | "stale") => {
      stopWatching();
      resolve(outcome);
    };
    const giveUp = (error: WebhookError) => {
      end(failure(error));
      request?.destroy();
    };
    const cutOff = () => giveUp("cut_off");
    const timer = setTimeout(() => giveUp("timeout"), Math.max(0, deadline - performance.now()));
    signal.addEventListener("abort", cutOff, { once: true });

    request = way.request(url, {
      method: "POST",
      agent: way.agent,
      maxHeaderSize: MAX_HEADER_BYTES,
      headers: { ...headers, "content-length": Buffer.byteLength(body), "accept-encoding": "identity" },
    });
    const sent = request;
    let isAnswered = false;
    sent.on("error", (error: NodeJS.ErrnoException) => {
      if (isAnswered) return;
      const isStale = sent.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
      end(isStale ? "stale" : failure(errorOf(error)));
    });
    // An answer that wants another protocol ends without one.
    sent.on("close", () => isAnswered || end(failure("connection_lost")));
    sent.on("response", (response) => {
      // The status is what counts: from here on nothing is a failure any more.
      isAnswered = true;
      stopWatching();
      const status = response.statusCode ?? 0;
      const answer: Omit<End, "answer"> = {
        status,
        error: status >= 300 && status <= 399 ? "redirect" : null,
        retry_after_ms: retryAfterOf(response.headers["retry-after"], clock),
      };
      void beginningOf(response, bodyMs).then((bytes) => end({ ...answer, answer: textOf(bytes) }));
    });
    sent.end(body);
  });
}

/** What is read of a body; the connection is kept only when that is all of it. */
function beginningOf(response: IncomingMessage, bodyMs: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES));
    };
    const leave = () => {
      end();
      response.destroy();
    };
    const timer = setTimeout(leave, bodyMs);
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > MAX_ANSWER_BYTES) leave();
    });
    response.once("end", end);
    response.once("close", end);
    response.on("error", end);
  });
}

function settled(end: End | "stale"): End {
  return end === "stale" ? failure("connection_lost") : end;
}

function failure(error: WebhookError): End {
  return { status: null, error, answer: null, retry_after_ms: null };
}

/** Never the message of an error, which may name addresses. */
function errorOf(error: NodeJS.ErrnoException): WebhookError {
  if (error instanceof LookupError) return error.code;
  const code = error.code ?? "";
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(code)) return "connection_refused";
  if (code.startsWith("HPE_")) return "invalid_answer";
  if (/CERT|TLS|SSL|^UNABLE_TO_|^EPROTO$|SIGNATURE/.test(code)) return "tls";
  return code === "ETIMEDOUT" ? "timeout" : "connection_lost";
}

/** Without a login: it would be sent along. */
function urlOf(text: string): URL | null {
  try {
    const url = new URL(text);
    return url.username === "" && url.password === "" ? url : null;
  } catch {
    return null;
  }
}

/** `Retry-After` (RFC 9110 §10.2.3) in milliseconds from now: seconds, or a date. */
function retryAfterOf(header: string | undefined, clock: () => Date): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  // A date begins with the name of a day; Date.parse makes a year of a number.
  const at = /^[A-Z][a-z]{2}/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - clock().getTime());
}

/** Null for an empty body. Other bytes than UTF-8, and characters that steer a terminal, are left out or replaced. */
function textOf(bytes: Buffer): string | null {
  if (bytes.length === 0) return null;
  const text = new TextDecoder().decode(bytes).replace(/[^\P{Cc}\n\t]|\p{Cf}/gu, "");
  // Characters that stand for what was none are longer than that.
  const cut = Buffer.from(text).subarray(0, MAX_ANSWER_BYTES).toString();
  const whole = Buffer.byteLength(text) > MAX_ANSWER_BYTES ? cut.replace(/(?<!\uFFFD)\uFFFD+$/, "") : text;
  return whole === "" ? null : whole;
}
