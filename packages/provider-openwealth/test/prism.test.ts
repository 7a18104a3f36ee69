import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpClient } from "@org/provider-kit/http";
import { requestsFor } from "@org/provider-kit/testing";
import { expect, onTestFinished, test } from "vitest";
import { startPrism } from "../../provider-kit/test/stand-in/prism.js";
import { mendedDescription } from "./mended-description.js";
import { clientCredentials, providerOf } from "./scripted-bank.js";

const requests = requestsFor("che:alpenrose", "alpenrose");

interface Described {
  readonly version: string;
  readonly description: string;
  readonly snapshot: object;
  /** The first requests. */
  readonly asked: readonly string[];
}

/** Prism with one description, behind a gateway that keeps each request with its status. */
async function startJudge(file: string) {
  const folder = await mkdtemp(join(tmpdir(), "openwealth-"));
  const description = join(folder, "description.yaml");
  await cp(new URL("./description", import.meta.url), folder, { recursive: true });
  const published = await readFile(join(folder, file), "utf8");
  await writeFile(description, file === "custodyAPI.yaml" ? published : mendedDescription(published));
  const prism = await startPrism(import.meta.url, ["mock", description]);
  const asked: string[] = [];
  const gate = createServer((request, response) => void answer(prism.url, asked, request, response));
  gate.listen(0, "127.0.0.1");
  await once(gate, "listening");
  const close = async () => {
    gate.closeAllConnections();
    gate.close();
    await prism.close();
    await rm(folder, { recursive: true });
  };
  return { url: prism.url, asked, close, base: `http://127.0.0.1:${(gate.address() as AddressInfo).port}` };
}

/** A gateway in front of Prism, which has no token endpoint and whose example cursor repeats the same page for ever. */
async function answer(prismUrl: string, asked: string[], request: IncomingMessage, response: ServerResponse) {
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

const ofStatements = {
  as_of: new Date("2018-04-13T00:00:00Z"),
  portfolios: [{ key: "876543219", name: "Household account", currency: "CHF" }],
  transactions: [{ key: "987654321", operation_date: "2018-04-13" }],
};

const described: readonly Described[] = [
  {
    version: "1.1",
    description: "CustodyServices_1.1.0.yaml",
    snapshot: ofStatements,
    asked: [
      "/customerAccounts",
      "/customerAccounts/123123456",
      "/customers/123123456/positions?date=2026-11-20&dateType=transactionDate&eodIndicator=true",
      "/customers/123123456/transactions?date=2026-11-16&dateType=transactionDate&eodIndicator=true",
    ],
  },
  {
    version: "1.2",
    description: "CustodyServicesAPI_1.2.0.yaml",
    snapshot: ofStatements,
    asked: [
      "/customerAccounts?limit=100",
      "/customerAccounts/123123456?limit=100",
      "/customers/123123456/positions?limit=10&date=2026-11-20&dateType=transactionDate&eodIndicator=true",
      "/customers/123123456/transactions?limit=100&date=2026-11-16&dateType=transactionDate&eodIndicator=true",
    ],
  },
  {
    version: "2.0",
    description: "CustodyServices_2.0.4.yaml",
    snapshot: ofStatements,
    asked: [
      "/customers?limit=100",
      "/customers/123123456",
      "/customers/123123456/customer-position-statement?limit=10&date=2026-11-20&dateType=transactionDate&eodIndicator=true",
      "/customers/123123456/transaction-statement?limit=100&date=2026-11-16&dateType=transactionDate&eodIndicator=true",
    ],
  },
  {
    version: "3.2",
    description: "custodyAPI.yaml",
    snapshot: {
      as_of: new Date("2018-04-13T00:00:00Z"),
      portfolios: [{ key: "ODc2NTQzMi0xOQ", name: "Household account", balance: "12000", ref_account: "CH123456789" }],
      holdings: [{ key: "ODc2LTU0MzIxOQ", amount: "12000", accrued_interest: "12000", isin: "CH0012005267" }],
      transactions: [{ key: "OTg3Ni01NDMyMQ", balance: "13023", kind: "dividend", settlement_date: "2018-04-13" }],
    },
    asked: [
      "/customers?limit=100",
      "/customers/MTIzNDUtNg/accounts?limit=100",
      "/customers/MTIzNDUtNg/positions?limit=100&date=2026-11-20&end_of_day_indicator=true",
      "/customers/MTIzNDUtNg/transactions?limit=100&date=2026-11-16&end_of_day_indicator=true",
    ],
  },
];

test.for(described)(
  "[C-5.114] [C-5.260] Prism, which judges by the description of $version, finds no fault with any request",
  async ({ version, description, snapshot, asked: first }) => {
    const { url, asked, close, base } = await startJudge(description);
    onTestFinished(close);
    // Prism does validate: the specification requires a correlation id.
    expect((await fetch(`${url}${first[0]}`)).status).toBe(400);
    const ownHost = createHttpClient({ hosts: [new URL(base).host], clock: () => new Date() });
    onTestFinished(() => ownHost.close());
    const auth = { ...clientCredentials, token_url: `${base}/token` };
    const { provider } = await providerOf(ownHost, { base_url: base, auth, version });
    const step = await provider.login(requests.login({ customer_id: version === "3.2" ? "12345-6" : "123123456" }));
    if (step.kind !== "authenticated") throw new Error(`the step is ${step.kind}`);
    const result = await provider.fetch(requests.fetch(step.access, { since: new Date("2026-11-20T00:00:00Z") }));
    expect(result.snapshot).toMatchObject(snapshot);
    expect(asked.filter((line) => !line.startsWith("200 ") || line.includes("violation"))).toEqual([]);
    expect(asked.slice(0, first.length)).toEqual(first.map((path) => `200 ${path}`));
    // Accounts, positions, and transactions of five days.
    expect(asked).toHaveLength(1 + 1 + 1 + 5);
  },
);
