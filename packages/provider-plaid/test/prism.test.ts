import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { requestsFor } from "@org/provider-kit/testing";
import plaid from "@org/provider-plaid";
import { afterAll, beforeAll, expect, it } from "vitest";
import { providerFor, type Scripted, startScriptedPlaid } from "./scripted-plaid.js";

const requests = requestsFor("usa:plaid-ins_3", "ins_3");
let prism: ChildProcess;
let prismUrl = "";

beforeAll(async () => {
  const main = createRequire(import.meta.url).resolve("@stoplight/prism-cli/dist/index.js");
  const description = fileURLToPath(new URL("./description/plaid-2020-09-14.json", import.meta.url));
  const options = ["mock", "--errors", "--host", "127.0.0.1", "--port", "0", description];
  prism = spawn(process.execPath, [main, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  if (prism.stdout === null) throw new Error("prism says nothing");
  for await (const line of createInterface(prism.stdout)) {
    prismUrl = /listening on (http:\S+)/.exec(line)?.[1] ?? "";
    if (prismUrl !== "") break;
  }
  prism.stdout.resume();
}, 120_000);

afterAll(async () => {
  prism.kill();
  await once(prism, "exit");
});

/** What Prism answers to a request: with the description's own examples, or with faults. */
async function put(path: string, body: unknown, headers: Record<string, string>) {
  const answer = await fetch(`${prismUrl}${path}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const violations = answer.headers.get("sl-violations") ?? "";
  return {
    line: `${answer.status} ${path} ${violations}`.trim(),
    json: (await answer.json()) as Record<string, object>,
  };
}

const known = { "plaid-client-id": "c", "plaid-secret": "s", "plaid-version": "2020-09-14" };

it("[C-5.258] Prism, which judges by Plaid's description, finds no fault with any request, and its examples are read", async () => {
  // Prism does judge: a member that the description has not, and one that is missing, are faults.
  expect((await put("/item/remove", { access_token: "a", token: "a" }, known)).line).toMatch(/^4/);
  expect((await put("/link/token/create", { language: "en" }, known)).line).toMatch(/^4/);
  expect((await put("/item/remove", { access_token: "a" }, {})).line).toMatch(/^4/);
  const token = { access_token: "access" };
  const holdings = (await put("/investments/holdings/get", token, known)).json;
  const days = { start_date: "2026-01-01", end_date: "2026-02-01" };
  const transactions = (await put("/investments/transactions/get", { ...token, ...days }, known)).json;

  const lines: string[] = [];
  const session = { finished_at: "2026-03-10T18:00:00Z", results: { item_add_results: [{ public_token: "public" }] } };
  const item = { ...holdings.item, institution_id: "ins_3" };
  const answers: Record<string, Scripted> = {
    "/institutions/get_by_id": () => ({ institution: { name: "Chase", routing_numbers: ["021000021"] } }),
    "/institutions/get": () => ({ institutions: [], total: 1 }),
    "/link/token/create": () => ({ link_token: "link", hosted_link_url: "https://secure.plaid.example/hl/1" }),
    "/link/token/get": () => ({ link_sessions: [session] }),
    "/item/public_token/exchange": () => ({ access_token: "access", item_id: "item" }),
    "/accounts/get": () => ({ accounts: holdings.accounts, item }),
    "/investments/holdings/get": () => holdings,
    "/investments/transactions/get": () => transactions,
    "/item/remove": () => ({}),
  };
  const bank = await startScriptedPlaid(answers, async (path, headers, text) => {
    const own = Object.entries(headers).filter(([name]) => name.startsWith("plaid-")) as [string, string][];
    lines.push((await put(path, JSON.parse(text), Object.fromEntries(own))).line);
  });
  const { provider, settings, http, time } = await providerFor(bank.base_url);
  const { signal } = new AbortController();
  await plaid.check?.({ settings, http, clock: () => new Date(), signal });
  await plaid.connectors?.(settings, { http, clock: () => new Date(), signal });
  const begun = await provider.login(requests.login({}));
  const step = begun.kind === "redirect" ? await provider.resume?.(requests.resume(begun.state, {})) : begun;
  if (step?.kind !== "authenticated") throw new Error(`the step is ${step?.kind}`);
  const { snapshot } = await provider.fetch(requests.fetch(step.access));
  await provider.fetch(requests.fetch(step.access, { since: time.now, refresh: true, awaited: true }));
  const repair = await provider.login(requests.login({}, { existing_access: step.access }));
  if (repair.kind === "redirect") await provider.resume?.(requests.resume(repair.state, {}));
  await provider.revoke?.(requests.revoke(step.access));
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  const claims = { iat: time.now.getTime() / 1_000, request_body_sha256: empty };
  const jwt = `${part({ alg: "ES256", kid: "key-1" })}.${part(claims)}.AA`;
  await provider.notify?.({ headers: { "plaid-verification": jwt }, body: new Uint8Array(), signal });
  await http.close();
  bank.close();

  expect(lines.filter((line) => !/^200 \/[a-z_/]+$/.test(line))).toEqual([]);
  expect(new Set(lines)).toEqual(
    new Set([...Object.keys(answers), "/webhook_verification_key/get"].map((path) => `200 ${path}`)),
  );
  expect(snapshot).toMatchObject({
    portfolios: [
      { name: "Plaid IRA", balance: "110.01", currency: "USD", ref_account: "5555", type: "PP" },
      { name: "Plaid 401k", balance: "24580.0605", type: "PP" },
      { name: "Plaid Crypto Exchange Account", balance: "48200.03", type: "C" },
      { name: "Plaid IRA", balance: "320.76" },
      { name: "Plaid 401k", balance: "23631.9805" },
    ],
  });
  const rows = new Map((snapshot?.holdings ?? []).map((row) => [row.name, row]));
  expect(rows.get("Nflx Feb 01'18 $355 Call")).toMatchObject({ subtype: "OP", amount: "100.00", balance: "110" });
  expect(rows.get("Matthews Pacific Tiger Fund Insti Class")).toMatchObject({ isin: "US5771308344", amount: "23.567" });
  expect(snapshot?.transactions).toMatchObject([
    { kind: "dividend", amount: null, balance: "8.72" },
    { kind: "sell", amount: "-47.74104242992852", balance: "1289.01", fees: "7.99", unit_price: "27.53" },
    { kind: "buy", amount: "0.7388014749727547", balance: "-7.7", fees: "7.99" },
  ]);
}, 120_000);
