import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createPace, type ProviderServices } from "@org/provider-kit";
import { createHttpClient } from "@org/provider-kit/http";
import plaid from "@org/provider-plaid";

/** What one address answers: a body, or a status with one. */
export type Scripted = (body: Record<string, unknown>, asked: number) => object | { status: number; json: object };

/** Plaid's side, of which a test writes the answers by address; anything else is not found. */
export async function startScriptedPlaid(
  answers: Record<string, Scripted>,
  judge: (path: string, headers: IncomingMessage["headers"], text: string) => Promise<void> = async () => {},
) {
  const asked: { readonly path: string; readonly body: Record<string, unknown> }[] = [];
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const path = request.url ?? "";
    let text = "";
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text) as Record<string, unknown>;
    await judge(path, request.headers, text);
    asked.push({ path, body });
    const times = asked.filter((one) => one.path === path).length;
    const said = answers[path]?.(body, times) ?? { status: 404, json: errorOf("INVALID_REQUEST", "NOT_FOUND") };
    const { status, json } = "status" in said && "json" in said ? said : { status: 200, json: said };
    response.writeHead(status as number, { "content-type": "application/json" }).end(JSON.stringify(json));
  }

  return {
    base_url,
    asked,
    to: (path: string) => asked.filter((one) => one.path === path).map(({ body }) => body),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** An error as Plaid writes one. */
function errorOf(error_type: string, error_code: string, error_code_reason: string | null = null) {
  return { error_type, error_code, error_code_reason, error_message: "", display_message: null, request_id: "r" };
}

/** A refusal with a status. */
export function refusal(status: number, type: string, code: string) {
  return { status, json: errorOf(type, code) };
}

/** The provider for an address, with a clock that a test sets. */
export async function providerFor(base_url: string, more: object = {}, now = new Date("2026-03-10T18:00:00Z")) {
  const settings = plaid.settings.parse({
    client_id: "client",
    secret: "secret-77ab",
    base_url,
    countries: ["US"],
    ...more,
  });
  const time = { now };
  const clock = () => time.now;
  const sleep = async (milliseconds: number) => {
    time.now = new Date(time.now.getTime() + milliseconds);
  };
  const http = createHttpClient({ hosts: [new URL(base_url).host], clock });
  const logged: unknown[] = [];
  const log = { info() {}, warn: (...line: unknown[]) => void logged.push(line) };
  const random = (bytes: number) => globalThis.crypto.getRandomValues(new Uint8Array(bytes));
  const services: ProviderServices = { http, clock, sleep, random, log, pace: createPace({ clock, sleep }) };
  const provider = await plaid.create({ ...services, settings } as never);
  return { provider, settings, http, time, logged };
}
