// A server with the sandbox banks, for screenshots.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "./pnpm.mjs";
import { root } from "./step.mjs";

/**
 * Builds and starts a server, calls `work` with the demo tenant's API, and removes everything afterwards.
 * @param environment further settings
 */
export async function withDemoServer(work, environment = {}) {
  await build("build", "--filter=@org/server");
  const dataDir = mkdtempSync(join(tmpdir(), "demo-server-"));
  const server = spawn(process.execPath, [join(root, "apps/server/dist/main.js")], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: "0", ...environment },
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const url = await readyUrl(server);
    const credentials = JSON.parse(readFileSync(join(dataDir, "credentials.json"), "utf8"));
    const { demo, operator } = credentials;
    const [token, operatorToken] = [await tokenOf(url, demo), await tokenOf(url, operator)];
    const post = (path, body) => ask(url + path, token, body);
    await work({
      url,
      credentials,
      tenantId: demo.tenant,
      post,
      /** Calls the operator API; `path` is relative to `/operator/v1`. */
      operate: (path, body) => ask(`${url}/operator/v1${path}`, operatorToken, body),
      openSession: async (configuration) => (await post("/v2/connect/sessions", { configuration })).widget_url,
      /** Resolves to the result of an MCP request. */
      mcp: async (method, params) => (await post("/mcp", { jsonrpc: "2.0", id: 1, method, params })).result,
    });
  } finally {
    server.kill();
    await once(server, "exit");
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function readyUrl(server) {
  for await (const line of createInterface({ input: server.stdout })) {
    const record = JSON.parse(line);
    if (record.msg === "ready") return record.url;
  }
  throw new Error("the server did not start");
}

async function tokenOf(url, { client_id, client_secret }) {
  const form = { grant_type: "client_credentials", client_id, client_secret };
  const answer = await fetch(`${url}/token`, { method: "POST", body: new URLSearchParams(form) });
  return (await answer.json()).access_token;
}

async function ask(address, token, body) {
  const answer = await fetch(address, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return answer.json();
}
