import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request of the command line. */
export interface Sent {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

type Answer =
  | { readonly status?: number; readonly body: unknown }
  | ((sent: Sent) => { status?: number; body: unknown });

export const operator = { client_id: "wca_operator", client_secret: "wcs_operator-secret" };
export const demo = { client_id: "wca_demo", client_secret: "wcs_demo-secret" };

/** A server that knows two applications, issues tokens as ours does, and returns what `answers` has to callers with a token. */
export async function startStub(answers: Record<string, Answer> = {}) {
  const sent: Sent[] = [];
  const gets: Record<string, { status?: number; body: unknown; date?: string }> = {};
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://stub");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const call = { path: pathname, query: searchParams, headers: request.headers, body: Buffer.concat(chunks) };
    sent.push(call);
    if (request.method === "GET") {
      const { status = 200, body, date } = gets[pathname] ?? { status: 404, body: {} };
      if (date !== undefined) response.setHeader("date", date);
      return reply(response, status, body);
    }
    if (pathname === "/token") return token(call, response);
    const client = /^Bearer at-(wca_\w+)$/.exec(request.headers.authorization ?? "")?.[1];
    const needed = pathname.startsWith("/operator/") ? operator : demo;
    if (client === undefined) return reply(response, 401, refusal("UNAUTHENTICATED", "a token is required"));
    if (client !== needed.client_id) return reply(response, 403, refusal("UNAUTHORIZED", "the scope is missing"));
    const found = answers[pathname];
    if (!found) return reply(response, 404, refusal("NOT_FOUND", "no such endpoint"));
    const { status = 200, body } = typeof found === "function" ? found(call) : found;
    reply(response, status, body);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    /** Calls except token requests. */
    calls: () => sent.filter(({ path }) => path !== "/token"),
    sent,
    answers,
    /** The answers to GET requests, without a token. */
    gets,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The letters envelope (S2 §7). */
export function refusal(code: string, message: string | undefined, details?: readonly object[]) {
  return { success: false, error: { code, ...(details ? { details } : { message }) }, trace_id: "a".repeat(32) };
}

function token({ headers, body }: Sent, response: ServerResponse): void {
  const { status, ...answer } = tokenAnswer(headers["content-type"], new URLSearchParams(body.toString()));
  reply(response, status, answer);
}

function tokenAnswer(type: string | undefined, form: URLSearchParams): { status: number } {
  if (type !== "application/x-www-form-urlencoded") return refused(400, "invalid_request", "a form is required");
  if (form.get("grant_type") === "refresh_token") {
    const live = form.get("refresh_token") === "wcr_live";
    return live ? tokens("wca_demo") : refused(400, "invalid_grant", "the refresh token is used up");
  }
  const client = [operator, demo].find(({ client_id }) => client_id === form.get("client_id"));
  if (!client || client.client_secret !== form.get("client_secret")) return refused(401, "invalid_client", "unknown");
  return tokens(client.client_id);
}

function refused(status: number, error: string, error_description: string) {
  return { status, error, error_description };
}

function tokens(client: string) {
  return {
    status: 200,
    access_token: `at-${client}`,
    token_type: "bearer",
    expires_in: 3600,
    refresh_token: "wcr_live",
  };
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
