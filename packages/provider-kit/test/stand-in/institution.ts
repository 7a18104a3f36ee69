import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { TLSSocket } from "node:tls";

/** A request as it came. */
export interface InstitutionRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: Date;
  readonly remote_address: string;
  /** Common name of the certificate that the client showed and that its authority signed; null without one. */
  readonly client_name: string | null;
}

/** What an institution answers. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What goes wrong on the way. All but `instead` happen after the institution has done its part, so that its state has moved. */
export type Fault =
  /** Nothing comes for so long, then the right answer. */
  | { readonly kind: "slow"; readonly milliseconds: number }
  /** The right answer, in so many pieces with a pause before each. */
  | { readonly kind: "trickle"; readonly pieces: number; readonly milliseconds: number }
  /** Nothing comes, ever. */
  | { readonly kind: "hang" }
  /** The connection ends before a byte of the answer. */
  | { readonly kind: "cut" }
  /** The connection ends in the middle of the answer. */
  | { readonly kind: "cut_in_the_middle" }
  /** Half of the answer, as if it were all of it. */
  | { readonly kind: "half" }
  /** The right answer, followed by blanks up to so many bytes. */
  | { readonly kind: "huge"; readonly bytes: number }
  /** The page of a proxy or of maintenance, with status 200 unless another one is named. */
  | { readonly kind: "html"; readonly status?: number }
  /** This instead of what the institution would answer; its state does not move. */
  | { readonly kind: "instead"; readonly reply: Reply };

export type RequestFilter = (request: InstitutionRequest) => boolean;

/** A server on a free port of 127.0.0.1 that stands for one at an institution. */
export interface Institution {
  /** Without a slash at the end. */
  readonly url: string;
  readonly requests: readonly InstitutionRequest[];
  /** The next `times` requests that the filter takes meet this fault; faults that were named first come first. */
  fail(filter: RequestFilter, fault: Fault, times?: number): void;
  /** No faults from here on. */
  heal(): void;
  close(): Promise<void>;
}

export interface InstitutionOptions {
  readonly clock: () => Date;
  readonly answer: (request: InstitutionRequest) => Reply | Promise<Reply>;
  /** With `ca`, clients must show a certificate that it has signed. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca?: string } | undefined;
  /** How a fault waits; a test may wait less. */
  readonly sleep?: ((milliseconds: number) => Promise<unknown>) | undefined;
  /** False where ten thousands of requests come and only their number is of interest. */
  readonly keepRequests?: boolean | undefined;
}

interface PlannedFault {
  readonly filter: RequestFilter;
  readonly fault: Fault;
  left: number;
}

const errorPage =
  "<!DOCTYPE html><html><head><title>Service unavailable</title></head><body><h1>We are sorry, our services are temporarily unavailable</h1></body></html>";

/** Starts one. It must be closed by who started it. */
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

/** As fast as the client takes them, and no further once it has gone. */
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
