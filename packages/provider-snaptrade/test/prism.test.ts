import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { createHttpClient } from "@org/provider-kit/http";
import { requestsFor } from "@org/provider-kit/testing";
import snaptrade from "@org/provider-snaptrade";
import { afterAll, beforeAll, expect, test } from "vitest";

const requests = requestsFor("usa:snaptrade-robinhood", "ROBINHOOD");
const connection_id = "87b24961-b51e-4db8-9226-f198f6518a89";
const now = new Date("2026-06-02T15:00:00Z");
const clock = () => now;
/** The requests to Prism, each with its status and what violates the description. */
const asked: string[] = [];
let prism: ChildProcess;
let prismUrl = "";
let hasList = true;
const gate = createServer((request, response) => void answer(request, response));

beforeAll(async () => {
  const main = createRequire(import.meta.url).resolve("@stoplight/prism-cli/dist/index.js");
  const description = fileURLToPath(new URL("./description/api.json", import.meta.url));
  const options = ["mock", "--host", "127.0.0.1", "--port", "0", description];
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

/**
 * A gate in front of Prism. Some examples of the description violate it themselves (`close_time` is a number), so violations of answers do not count; the
 * example of a page says that a thousand rows follow it, and that of an account that it hides its positions.
 */
async function answer(request: IncomingMessage, response: ServerResponse) {
  const { method = "", url = "" } = request;
  const names = ["signature", "content-type", "accept"];
  const headers = names.flatMap((name) => {
    const value = request.headers[name];
    return typeof value === "string" ? [[name, value] as [string, string]] : [];
  });
  const body = await text(request);
  const judged = await fetch(`${prismUrl}${url}`, { method, headers, ...(body !== "" && { body }) });
  const found: { location: string[] }[] = JSON.parse(judged.headers.get("sl-violations") ?? "[]");
  const violations = found.filter(({ location: [side] }) => side === "request");
  asked.push(`${judged.status} ${method} ${url.split("?")[0]}${violations.map((one) => JSON.stringify(one)).join()}`);
  response.writeHead(judged.status, { "content-type": judged.headers.get("content-type") ?? "" });
  const example = (await judged.text()).replace('"total":1000', '"total":1');
  const isClient = url.startsWith("/snapTrade/partners");
  response.end(
    isClient && !hasList ? "{}" : example.replace('"holdings_unavailable":true', '"holdings_unavailable":false'),
  );
}

test("[C-5.241] Prism, which judges by the published description, finds no fault with any request, and its examples are read", async () => {
  // Prism does validate: a list needs its user.
  expect((await fetch(`${prismUrl}/authorizations`)).status).not.toBe(200);
  const base_url = `http://127.0.0.1:${(gate.address() as AddressInfo).port}`;
  const settings = snaptrade.settings.parse({ client_id: "LARKSPUR", consumer_key: "consumer-key-77ab", base_url });
  const http = createHttpClient({ hosts: [new URL(base_url).host], clock });
  const log = { info() {}, warn() {} };
  let drawn = 0;
  const random = (bytes: number) => {
    drawn += 1;
    return new Uint8Array(bytes).fill(drawn);
  };
  const given = { http, clock, log, random, sleep: async () => {}, pace: async () => null };
  const provider = await snaptrade.create({ settings, ...given });
  const { signal } = new AbortController();

  expect(await snaptrade.check?.({ settings, http, clock, signal })).toMatchObject({ ok: true });
  // The example of a brokerage is one in maintenance; a client without a list of its own has all.
  expect(await snaptrade.connectors?.(settings, { http, clock, signal })).toEqual([]);
  hasList = false;
  expect(await snaptrade.connectors?.(settings, { http, clock, signal })).toEqual([]);
  const away = await provider.login(requests.login({}));
  if (away.kind !== "redirect") throw new Error(`the step is ${away.kind}`);
  expect(away.url).toMatch(/^https:\/\/app\.snaptrade\.com\//);
  const params = { status: "SUCCESS", connection_id };
  const step = await provider.resume?.(requests.resume(away.state, params));
  if (step?.kind !== "authenticated") throw new Error(`the step is ${step?.kind}`);
  expect(step).toMatchObject({ user_key: "accounts 54953432", reference: connection_id });
  const repair = await provider.login(requests.login({}, { existing_access: step.access }));
  expect(repair.kind).toBe("redirect");
  const { snapshot } = await provider.fetch(requests.fetch(step.access, { since: new Date("2026-06-01T00:00:00Z") }));
  await provider.revoke?.(requests.revoke(step.access));
  const declined = await provider.login(requests.login({}));
  if (declined.kind !== "redirect") throw new Error(`the step is ${declined.kind}`);
  await provider.resume?.(requests.resume(declined.state, { status: "ABANDONED" }));
  await http.close();

  const account = "917c8734-8470-4a3e-a18f-57c3f2ee6631";
  expect(snapshot?.portfolios).toMatchObject([
    { key: account, name: "Robinhood Individual", balance: "15363.23", currency: "USD", ref_account: "Q6542138443" },
  ]);
  expect(snapshot?.holdings).toMatchObject([
    { name: "Apple Inc.", amount: "10.5", price: "123.45", valuation_date: "2026-06-02" },
    { key: "cash:USD", balance: "300.71" },
  ]);
  expect(snapshot?.transactions).toMatchObject([{ kind: "buy", balance: "263.82", operation_date: "2024-03-22" }]);
  const portal = ["200 POST /snapTrade/registerUser", "200 POST /snapTrade/login"];
  const here = `200 GET /authorizations/${connection_id}`;
  expect(asked).toEqual([
    ...["200 GET /snapTrade/partners", "200 GET /snapTrade/partners", "200 GET /snapTrade/partners"],
    "200 GET /brokerages",
    ...[...portal, here, `${here}/accounts`],
    ...[here, "200 POST /snapTrade/login"],
    ...[here, `${here}/accounts`],
    ...["balances", "positions/all", "activities"].map((name) => `200 GET /accounts/${account}/${name}`),
    ...[`200 DELETE /connection/${connection_id}`, "200 GET /authorizations", "200 DELETE /snapTrade/deleteUser"],
    ...portal,
  ]);
});
