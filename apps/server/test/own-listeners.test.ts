import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../packages/http/test/free-port.js";
import { post, send } from "./http-client.js";
import { createInstallation, type Installation } from "./installation.js";
import { type ServerProcess, startProcess } from "./server-process.js";

/** GET over a Unix socket. */
const getOver = (socketPath: string, path: string) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    request({ socketPath, path, headers: { host: "localhost" }, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    })
      .on("error", reject)
      .end();
  });

describe("[C-1.42] the operator API and the metrics at addresses of their own", () => {
  let installation: Installation;
  let server: ServerProcess;
  let url: string;
  let operatorUrl: string;
  let socket: string;
  let operator: { client_id: string; client_secret: string };
  beforeAll(async () => {
    installation = await createInstallation("embedded");
    operatorUrl = `http://127.0.0.1:${await freePort()}`;
    socket = join(installation.dataDir, "metrics.sock");
    server = await startProcess({
      ...installation.environment,
      PORT: "0",
      METRICS: "true",
      OPERATOR_LISTEN: new URL(operatorUrl).host,
      METRICS_LISTEN: `unix:${socket}`,
    });
    url = await server.ready();
    const file = JSON.parse(readFileSync(join(installation.dataDir, "credentials.json"), "utf8"));
    expect(file).toMatchObject({ url, operator_url: operatorUrl });
    operator = file.operator;
  }, 180_000);
  afterAll(async () => {
    await server?.end("SIGKILL");
    await installation?.remove();
  });

  const tokenAt = async (base: string) => {
    const { body } = await post(
      `${base}/token`,
      new URLSearchParams({ grant_type: "client_credentials", ...operator }),
    );
    return body.access_token as string;
  };

  it("are answered there, with what their tools ask for besides", async () => {
    const token = await tokenAt(operatorUrl);
    expect((await post(`${operatorUrl}/operator/v1/tenants/list`, {}, { token })).body.items).toHaveLength(1);
    expect((await send(`${operatorUrl}/readyz`)).status).toBe(200);
    expect((await getOver(socket, "/metrics")).text).toContain("wealth_connect_http_request_seconds");
    expect((await getOver(socket, "/healthz")).status).toBe(200);
  });

  it.each(["/operator/v1/tenants/list", "/OPERATOR/v1/tenants/list", "/metrics", "/Metrics/", "/metrics?a=b"])(
    "%s is 404 at the public address",
    async (path) => {
      const { status, body } = await post(`${url}${path}`, {}, { token: await tokenAt(url) });
      expect([status, body]).toEqual([404, (await send(`${url}/nothing-here`)).body]);
    },
  );

  it.each([
    ["a whole address as the target of a request", "http://localhost/metrics", 404],
    ["one without a host", "http:///metrics", 400],
    ["a fragment behind it", "/metrics#a", 400],
  ])("%s leads nowhere else", async (_name, path, expected) => {
    const { hostname, port } = new URL(url);
    const status = await new Promise((resolve, reject) => {
      request({ hostname, port, path, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end();
    });
    expect(status).toBe(expected);
  });

  it("nothing else is answered there", async () => {
    for (const path of ["/mcp", "/authorize", "/metrics", "/letters/v1/search-letters", "/operatorx"])
      expect((await post(`${operatorUrl}${path}`, {})).status, path).toBe(404);
    for (const path of ["/token", "/operator/v1/tenants/list", "/"])
      expect((await getOver(socket, path)).status, path).toBe(404);
  });

  it("a stop ends them too", async () => {
    expect((await server.end("SIGINT")).code).toBe(0);
    await expect(send(`${operatorUrl}/healthz`)).rejects.toThrow();
    await expect(getOver(socket, "/healthz")).rejects.toThrow();
  });
});
