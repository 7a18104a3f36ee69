import type { LookupAddress } from "node:dns";
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import { addressRule, checkedLookup, LookupError, resolveHost } from "@org/http";
import type { PostWebhook, WebhookAnswer, WebhookError, WebhookRequest } from "./post-webhook.js";

/** Total time limit: look-up, connection, TLS, headers, body. */
const MAX_MS = 15_000;
/** Time limit for the body after the status has arrived; the body is only informative. */
const BODY_MS = 2_000;
/** Maximum length of a response body; the connection is closed if there is more. */
const MAX_ANSWER_BYTES = 1_024;
/** Maximum total length of the response headers. */
const MAX_HEADER_BYTES = 16 * 1_024;
/** Idle connections kept for the next delivery: as many per origin as an endpoint uses concurrently, and only briefly. */
const IDLE = { connections: 4, milliseconds: 10_000 };

/** A client with a method that closes its connections. */
export interface WebhookClient {
  readonly post: PostWebhook;
  close(): void;
}

/**
 * A client for untrusted receivers. Each new connection resolves its host, checks every address and connects to a checked one,
 * without a second look-up. Connections are reused by later deliveries. The environment's proxies are not used, because a proxy
 * would look up the name again.
 */
export function createWebhookClient(options: {
  /** CIDR blocks outside the public internet that may be connected to. */
  readonly privateNetworks: readonly string[];
  /** The time to which a `Retry-After` date is compared. */
  readonly clock: () => Date;
  /** Resolves all addresses of a host; uses the system's name servers by default. */
  readonly lookup?: (host: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;
  /** Certificates of the trusted authorities (PEM); Node's own by default. */
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
      // An IP address is never looked up, so the look-up does not check it.
      if (isIP(host) !== 0 && !way.mayReach(host)) return ending(failure("address_not_allowed"));
      const times = { deadline: started + maxMs, bodyMs: maxBodyMs, clock };
      const first = await exchange(request, url, way, times);
      // The receiver closed an idle connection just as it was reused; the delivery itself did not fail.
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
    // A response that upgrades the protocol closes the request without a response event.
    sent.on("close", () => isAnswered || end(failure("connection_lost")));
    sent.on("response", (response) => {
      // The status decides: from here on nothing counts as a failure.
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

/** Reads the beginning of a body; the connection is kept only when the body ends there. */
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

/** The message of an error is never used, because it may contain addresses. */
function errorOf(error: NodeJS.ErrnoException): WebhookError {
  if (error instanceof LookupError) return error.code;
  const code = error.code ?? "";
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(code)) return "connection_refused";
  if (code.startsWith("HPE_")) return "invalid_answer";
  if (/CERT|TLS|SSL|^UNABLE_TO_|^EPROTO$|SIGNATURE/.test(code)) return "tls";
  return code === "ETIMEDOUT" ? "timeout" : "connection_lost";
}

/** Refuses a URL with credentials, which would be sent along. */
function urlOf(text: string): URL | null {
  try {
    const url = new URL(text);
    return url.username === "" && url.password === "" ? url : null;
  } catch {
    return null;
  }
}

/** `Retry-After` (RFC 9110 §10.2.3) in milliseconds from now; it is a number of seconds, or a date. */
function retryAfterOf(header: string | undefined, clock: () => Date): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1_000;
  // A date starts with the name of a day; Date.parse would read a number as a year.
  const at = /^[A-Z][a-z]{2}/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - clock().getTime());
}

/** Null for an empty body. Invalid UTF-8 is replaced, and control and format characters are removed. */
function textOf(bytes: Buffer): string | null {
  if (bytes.length === 0) return null;
  const text = new TextDecoder().decode(bytes).replace(/[^\P{Cc}\n\t]|\p{Cf}/gu, "");
  // Replacement characters are longer than the bytes they replace.
  const cut = Buffer.from(text).subarray(0, MAX_ANSWER_BYTES).toString();
  const whole = Buffer.byteLength(text) > MAX_ANSWER_BYTES ? cut.replace(/(?<!\uFFFD)\uFFFD+$/, "") : text;
  return whole === "" ? null : whole;
}
