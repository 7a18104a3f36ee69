import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { TLSSocket } from "node:tls";

/** A request as received. */
export interface InstitutionRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The query as sent, without the question mark: some institutions have it signed. */
  readonly query_text: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: Date;
  readonly remote_address: string;
  /** Common name of the client's certificate, if the authority signed it; null without one. */
  readonly client_name: string | null;
}

/** The institution's answer. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What goes wrong on the way. All but `instead` happen after the institution has done its part, so its state has changed. */
export type Fault =
  /** A pause, then the right answer. */
  | { readonly kind: "slow"; readonly milliseconds: number }
  /** The right answer in several pieces, with a pause before each. */
  | { readonly kind: "trickle"; readonly pieces: number; readonly milliseconds: number }
  /** No answer at all. */
  | { readonly kind: "hang" }
  /** The connection closes before the first byte of the answer. */
  | { readonly kind: "cut" }
  /** The connection closes in the middle of the answer. */
  | { readonly kind: "cut_in_the_middle" }
  /** Half of the answer, as if it were complete. */
  | { readonly kind: "half" }
  /** The right answer, padded with blanks up to this many bytes. */
  | { readonly kind: "huge"; readonly bytes: number }
  /** An HTML page of a proxy or of maintenance, with status 200 unless `status` is set. */
  | { readonly kind: "html"; readonly status?: number }
  /** This reply instead of the institution's answer; its state does not change. */
  | { readonly kind: "instead"; readonly reply: Reply };

export type RequestFilter = (request: InstitutionRequest) => boolean;

/** A stand-in for an institution's server, on a free port of 127.0.0.1. */
export interface Institution {
  /** Without a trailing slash. */
  readonly url: string;
  readonly requests: readonly InstitutionRequest[];
  /** The next `times` requests that match the filter get this fault; faults are used in the order in which they were added. */
  fail(filter: RequestFilter, fault: Fault, times?: number): void;
  /** Removes all faults. */
  heal(): void;
  close(): Promise<void>;
}

export interface InstitutionOptions {
  readonly clock: () => Date;
  readonly answer: (request: InstitutionRequest) => Reply | Promise<Reply>;
  /** With `ca`, clients must present a certificate signed by it. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca?: string } | undefined;
  /** How a fault waits; a test may shorten it. */
  readonly sleep?: ((milliseconds: number) => Promise<unknown>) | undefined;
  /** False if a test sends tens of thousands of requests and needs only their number. */
  readonly keepRequests?: boolean | undefined;
}

interface PlannedFault {
  readonly filter: RequestFilter;
  readonly fault: Fault;
  left: number;
}

const errorPage =
  "<!DOCTYPE html><html><head><title>Service unavailable</title></head><body><h1>We are sorry, our services are temporarily unavailable</h1></body></html>";

/** Starts an institution. The caller must close it. */
export async function startInstitution(options: InstitutionOptions): Promise<Institution> {
  const requests: InstitutionRequest[] = [];
  let planned: PlannedFault[] = [];
  const sleep = options.sleep ?? wait;

  const onRequest = (incoming: IncomingMessage, response: ServerResponse) => {
    serve(incoming, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { "content-type": "text/plain" });
      response.end(`The stand-in itself failed: ${String(error)}`);
    });
  };
  const { tls } = options;
  const server = tls
    ? createTlsServer(
        { ...tls, requestCert: tls.ca !== undefined, rejectUnauthorized: tls.ca !== undefined },
        onRequest,
      )
    : createServer(onRequest);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await received(incoming, options.clock());
    if (options.keepRequests !== false) requests.push(request);
    const fault = nextFault(request);
    const reply = fault?.kind === "instead" ? fault.reply : await options.answer(request);
    await deliver(response, reply, fault, sleep);
  }

  function nextFault(request: InstitutionRequest): Fault | null {
    const found = planned.find(({ filter, left }) => left > 0 && filter(request));
    if (!found) return null;
    found.left -= 1;
    planned = planned.filter(({ left }) => left > 0);
    return found.fault;
  }

  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    requests,
    fail(filter, fault, times = 1) {
      planned.push({ filter, fault, left: times });
    },
    heal() {
      planned = [];
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function received(incoming: IncomingMessage, at: Date): Promise<InstitutionRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const url = new URL(incoming.url ?? "/", "http://127.0.0.1");
  return {
    method: incoming.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    query_text: (incoming.url ?? "").split("?").slice(1).join("?"),
    headers: incoming.headers,
    body: Buffer.concat(chunks).toString("utf8"),
    at,
    remote_address: incoming.socket.remoteAddress ?? "",
    client_name: clientName(incoming),
  };
}

function clientName(incoming: IncomingMessage): string | null {
  const socket = incoming.socket as Partial<TLSSocket>;
  if (!socket.authorized) return null;
  const name = socket.getPeerCertificate?.().subject?.CN;
  return (Array.isArray(name) ? name[0] : name) ?? null;
}

async function deliver(
  response: ServerResponse,
  reply: Reply,
  fault: Fault | null,
  sleep: (milliseconds: number) => Promise<unknown>,
): Promise<void> {
  const whole = Buffer.from(reply.body ?? "");
  const start = (length: number, status = reply.status ?? 200, headers = reply.headers) =>
    response.writeHead(status, { ...headers, "content-length": length });
  switch (fault?.kind) {
    case "hang":
      return;
    case "cut":
      response.socket?.destroy();
      return;
    case "cut_in_the_middle":
      start(whole.length).write(whole.subarray(0, Math.floor(whole.length / 2)), () => response.socket?.destroy());
      return;
    case "half":
      start(Math.floor(whole.length / 2)).end(whole.subarray(0, Math.floor(whole.length / 2)));
      return;
    case "html":
      start(errorPage.length, fault.status ?? 200, { "content-type": "text/html; charset=utf-8" }).end(errorPage);
      return;
    case "huge":
      start(fault.bytes).write(whole);
      await blanks(response, fault.bytes - whole.length);
      return;
    case "trickle":
      start(whole.length);
      await trickle(response, whole, fault.pieces, () => sleep(fault.milliseconds));
      return;
    case "slow":
      await sleep(fault.milliseconds);
  }
  start(whole.length).end(whole);
}

/** As fast as the client reads them, and no longer once it has disconnected. */
async function blanks(response: ServerResponse, bytes: number): Promise<void> {
  const chunk = Buffer.alloc(1024 * 1024, " ");
  for (let left = bytes; left > 0 && !response.destroyed; left -= chunk.length) {
    const hasRoom = response.write(chunk.subarray(0, Math.min(left, chunk.length)));
    if (!hasRoom) await drained(response);
  }
  response.end();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      response.off("drain", go).off("close", go);
      resolve();
    };
    response.on("drain", go).on("close", go);
  });
}

async function trickle(
  response: ServerResponse,
  whole: Buffer,
  pieces: number,
  pause: () => Promise<unknown>,
): Promise<void> {
  const size = Math.ceil(whole.length / pieces);
  for (let from = 0; from < whole.length && !response.destroyed; from += size) {
    await pause();
    response.write(whole.subarray(from, from + size));
  }
  response.end();
}
