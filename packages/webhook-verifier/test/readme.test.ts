import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { event, secret } from "./deliveries.js";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const body = JSON.stringify(event);
const print = vi.spyOn(console, "log");
beforeAll(() => {
  vi.stubEnv("WEBHOOK_SECRET", secret);
  print.mockImplementation(() => undefined);
});
const servers: Server[] = [];
afterAll(() => {
  vi.unstubAllEnvs();
  print.mockRestore();
  for (const server of servers) server.close();
});

/** Functions that send a request to `/webhooks` of each example. */
const receivers: Record<string, () => Promise<(request: Request) => Response | Promise<Response>>> = {
  "node-http": async () => overHttp((await import("./examples/node-http.js")).server.listen(0, "127.0.0.1")),
  express: async () => overHttp((await import("./examples/express.js")).app.listen(0, "127.0.0.1")),
  hono: async () => (await import("./examples/hono.js")).app.fetch,
  worker: async () => {
    const { default: worker } = await import("./examples/worker.js");
    return (request) => worker.fetch(request, { WEBHOOK_SECRET: secret });
  },
};

it.each(Object.keys(receivers))(
  "[C-11.80] the README's example %s takes what is signed and nothing else",
  async (name) => {
    expect(read("../README.md")).toContain(`\`\`\`ts\n${read(`./examples/${name}.ts`)}\`\`\``);
    const receive = (await receivers[name]?.()) as (request: Request) => Promise<Response>;
    print.mockClear();
    expect((await receive(delivery(body))).status).toBe(204);
    expect(print).toHaveBeenCalledWith(42, event.type, event.id);
    expect((await receive(delivery(body.replace("42", "43")))).status).toBe(400);
    expect(print).toHaveBeenCalledTimes(1);
  },
);

/** A delivery of the event with this body, whatever body was signed. */
function delivery(text: string): Request {
  const at = new Date();
  const headers = {
    "content-type": "application/json",
    "webhook-id": event.id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(event.id, at, body),
  };
  return new Request("http://receiver.example/webhooks", { method: "POST", headers, body: text });
}

async function overHttp(server: Server) {
  servers.push(server);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return async (request: Request) =>
    fetch(`http://127.0.0.1:${port}/webhooks`, {
      method: "POST",
      headers: request.headers,
      body: await request.arrayBuffer(),
    });
}
