import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createHttpClient } from "@org/provider-kit/http";
import { requestsFor } from "@org/provider-kit/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientCredentials, providerOf } from "./scripted-bank.js";

const requests = requestsFor("che:alpenrose", "alpenrose");
/** The requests to the specification's mock, each with its status. */
const asked: string[] = [];
let prism: ChildProcess;
let prismUrl = "";
const gate = createServer((request, response) => void answer(request, response));

beforeAll(async () => {
  const main = createRequire(import.meta.url).resolve("@stoplight/prism-cli/dist/index.js");
  const description = fileURLToPath(new URL("./description/custodyAPI.yaml", import.meta.url));
  const options = ["mock", "--errors", "--host", "127.0.0.1", "--port", "0", description];
  prism = spawn(process.execPath, [main, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  if (prism.stdout === null) throw new Error("prism says nothing");
  for await (const line of createInterface(prism.stdout)) {
    prismUrl = /listening on (http:\S+)/.exec(line)?.[1] ?? "";
    if (prismUrl !== "") break;
  }
  prism.stdout.resume();
  gate.listen(0, "127.0.0.1");
  await once(gate, "listening");
});

afterAll(async () => {
  gate.closeAllConnections();
  gate.close();
  prism.kill();
  await once(prism, "exit");
});

/** A gateway in front of Prism, which has no token endpoint and whose example cursor repeats the same page for ever. */
async function answer(request: IncomingMessage, response: ServerResponse) {
  const path = request.url ?? "";
  if (path === "/token") {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ access_token: "at", token_type: "Bearer", expires_in: 300 }));
    return;
  }
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    typeof value === "string" && name !== "host" && name !== "connection" ? [[name, value] as [string, string]] : [],
  );
  const judged = await fetch(`${prismUrl}${path}`, { headers });
  asked.push(`${judged.status} ${path}${judged.headers.get("sl-violations") ?? ""}`);
  response.writeHead(judged.status, { "content-type": judged.headers.get("content-type") ?? "" });
  response.end(await judged.text());
}

test("[C-5.114] Prism, which judges by the published description, finds no fault with any request", async () => {
  // Prism does validate: the specification requires a correlation id.
  expect((await fetch(`${prismUrl}/customers`)).status).toBe(400);
  const base = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
  const ownHost = createHttpClient({ hosts: [new URL(base).host], clock: () => new Date() });
  const auth = { ...clientCredentials, token_url: `${base}/token` };
  const { provider } = await providerOf(ownHost, { base_url: base, auth });
  const step = await provider.login(requests.login({ customer_id: "12345-6" }));
  if (step.kind !== "authenticated") throw new Error(`the step is ${step.kind}`);
  const result = await provider.fetch(requests.fetch(step.access, { since: new Date("2026-11-20T00:00:00Z") }));
  await ownHost.close();
  expect(result.snapshot).toMatchObject({
    as_of: new Date("2018-04-13T00:00:00Z"),
    portfolios: [{ key: "ODc2NTQzMi0xOQ", name: "Household account", balance: "12000", ref_account: "CH123456789" }],
    holdings: [{ key: "ODc2LTU0MzIxOQ", amount: "12000", accrued_interest: "12000", isin: "CH0012005267" }],
    transactions: [{ key: "OTg3Ni01NDMyMQ", balance: "13023", kind: "dividend", settlement_date: "2018-04-13" }],
  });
  expect(asked.filter((line) => !line.startsWith("200 ") || line.includes("violation"))).toEqual([]);
  expect(asked[0]).toBe("200 /customers?limit=100");
  expect(asked[2]).toBe("200 /customers/MTIzNDUtNg/positions?limit=100&date=2026-11-20&end_of_day_indicator=true");
  // Accounts, positions, and transactions of five days.
  expect(asked).toHaveLength(1 + 1 + 1 + 5);
});
