import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import type { Sent } from "./mcp-connection.js";

/** What a provider answers. */
export interface Reply {
  readonly status: number;
  readonly body: object;
}

/** A refusal of a stand-in, in the provider's shape. */
export class FileRefusal extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super(JSON.stringify(reply.body));
    this.reply = reply;
  }
}

/** A provider's API on this machine. */
export interface StandIn {
  readonly url: string;
  /** Request bodies that it accepted. */
  readonly asked: unknown[];
  /** What it sent to MCP servers. */
  readonly sent: Sent[];
  stop(): Promise<void>;
}

/** Address of an MCP server as providers accept it: https, or http on this machine. */
export const serverAddress = z.url().refine((text) => {
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || ["localhost", "127.0.0.1"].includes(hostname);
}, "must start with https://");

/** Listens on a free port. `answer` throws a {@link FileRefusal} for what the provider would refuse. */
export async function startStandIn(
  path: string,
  answer: (request: { headers: IncomingHttpHeaders; body: unknown }, standIn: StandIn) => Promise<Reply>,
): Promise<StandIn> {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { status, body } = await replyTo(request.method, request.url, request.headers, text);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const standIn: StandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    sent: [],
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return standIn;

  async function replyTo(
    method: string | undefined,
    url: string | undefined,
    headers: IncomingHttpHeaders,
    text: string,
  ) {
    if (method !== "POST" || url !== path) return { status: 404, body: { error: { message: `no ${method} ${url}` } } };
    try {
      return await answer({ headers, body: JSON.parse(text) }, standIn);
    } catch (error) {
      if (error instanceof FileRefusal) return error.reply;
      return { status: 500, body: { error: { message: `the stand-in failed: ${error}` } } };
    }
  }
}

/** Where and why a body is not what the provider documents. */
export function faultsOf(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
}
