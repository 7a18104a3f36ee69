import { createHash } from "node:crypto";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { oneBackend } from "./installation.js";
import { letterNaming, waitingLetter } from "./letters.js";
import { ofxStatement } from "./ofx-statement.js";
import { type SftpServer, startSftpServer } from "./sftp-server.js";

let server: TestServer;
let tenant: TestTenant;
let sftp: SftpServer;

beforeAll(async () => {
  sftp = await startSftpServer();
  server = await startTestServer({
    backend: oneBackend("what sources store runs its conformance suite on both"),
    environment: { METRICS: "true" },
    // Runs are asked for: nothing else looks into the folder meanwhile.
    schedule: { feedSources: 3_600_000, heldFiles: 500 },
  });
  tenant = await server.createTenant("Family office");
}, START_TIMEOUT);
afterAll(async () => {
  await server?.remove();
  await sftp?.stop();
});

const sources = (path: string, body: object) => server.operate(`/operator/v1/sources/${path}`, body);
const ask = (path: string, body: object) => server.operator.post(`/operator/v1/sources/${path}`, body);

/** A statement of one holding in an account; its date says which. */
function statement(account: string, day = "20240131"): string {
  const text = Buffer.from(ofxStatement(1)).toString();
  return text.replace("<ACCTID>42", `<ACCTID>${account}`).replaceAll("20240131", day);
}

const settings = (more: object = {}) => ({ ...sftp.door, after: "delete", ...more });
const statusOf = async (letter_id: string) =>
  (await server.operate("/operator/v1/letters/show", { letter_id })).letter.status;

it("[C-9.207] nothing is sent to a server whose key is not pinned, and its fingerprint is shown; secrets are not", async () => {
  const { source } = await sources("set", { source: "custodian", settings: settings() });
  expect(source.settings).toMatchObject({ private_key: "set", host_keys: [] });
  const tested = await sources("test", { source: "custodian" });
  expect(tested).toMatchObject({ ok: false, host_key: sftp.hostKey });
  expect((await ask("run", { source: "custodian" })).status).toBe(503);
  const { private_key: _, ...rest }: Record<string, unknown> = settings({ host_keys: [sftp.hostKey] });
  await sources("set", { source: "custodian", settings: rest });
  expect(await sources("test", { source: "custodian" })).toMatchObject({ ok: true });
  const elsewhere = await ask("set", { source: "custodian", settings: { ...rest, host: "localhost" } });
  expect(elsewhere.status).toBe(400);
  expect(server.output()).not.toContain("OPENSSH PRIVATE KEY");
});

it("[C-9.201] [C-9.208] a file of an SFTP folder connects the letter that it is routed to, and is deleted; links and folders stay", async () => {
  const letter_id = await waitingLetter(server, tenant, sandboxBanks.datafeed);
  await sources("add-route", { source: "custodian", when: { account: "4-2" }, to: { letter_id } });
  sftp.put("a.ofx", statement("42"));
  sftp.put("b.ofx.filepart", statement("42"));
  symlinkSync("/etc/passwd", join(sftp.folder, "link.ofx"));
  mkdirSync(join(sftp.folder, "folder.ofx"));
  sftp.put("line\nbreak.ofx", statement("42"));
  expect(await sources("run", { source: "custodian" })).toMatchObject({ taken: 1, held: 0, unfit: 3, failed: 0 });
  expect(await statusOf(letter_id)).toBe("Connected");
  expect(sftp.names()).toEqual(["b.ofx.filepart", "folder.ofx", "line\nbreak.ofx", "link.ofx"]);
  sftp.put("a.ofx", statement("42"));
  expect(await sources("run", { source: "custodian" })).toMatchObject({ taken: 0, duplicates: 1 });
  sftp.put("a.ofx", statement("42", "20240201"));
  expect(await sources("run", { source: "custodian" })).toMatchObject({ taken: 1 });
  const { items } = await sources("list-files", { source: "custodian" });
  expect(items.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual([
    ["a.ofx", "taken"],
    ["a.ofx", "taken"],
  ]);
});

it("[C-9.204] [C-9.208] a file that is nobody's is held, and taken once an operator says whose it is", async () => {
  sftp.put("c.ofx", statement("4711"));
  expect(await sources("run", { source: "custodian" })).toMatchObject({ held: 1, taken: 0 });
  expect(existsSync(join(sftp.folder, "c.ofx"))).toBe(false);
  const { items } = await sources("list-held", { source: "custodian" });
  const reason = expect.stringMatching(/no rule and no letter/);
  expect(items).toMatchObject([{ name: "c.ofx", findings: [{ account: "4711", reason }] }]);
  const letter_id = await waitingLetter(server, tenant, sandboxBanks.datafeed);
  const [{ file_id }] = items;
  expect(await sources("route-held", { file_id, letter_id })).toEqual({ rules: 1, retried: 1, taken: 1 });
  expect(await statusOf(letter_id)).toBe("Connected");
  expect((await ask("retry-held", { file_id })).status).toBe(404);
});

it("[C-9.211] a held file is taken by itself once a letter names its account", async () => {
  const to = { connector_id: sandboxBanks.datafeed };
  await sources("add-route", { source: "custodian", to });
  sftp.put("late.ofx", statement("7700"));
  expect(await sources("run", { source: "custodian" })).toMatchObject({ held: 1, taken: 0 });
  const letter_id = await letterNaming(server, tenant, sandboxBanks.datafeed, ["77-00"]);
  await eventually(async () => (await statusOf(letter_id)) === "Connected", "the letter is connected");
});

it("[C-9.209] a custodian sends files with a token: 201 once, 200 again, and nothing that is wrong is taken", async () => {
  await sources("set", { source: "sent", settings: { kind: "push", patterns: ["*.ofx"] } });
  const letter_id = await waitingLetter(server, tenant, sandboxBanks.datafeed);
  await sources("add-route", { source: "sent", when: { name: "*.ofx" }, to: { letter_id } });
  const { token, source_token } = await sources("create-token", { source: "sent", name: "Bank" });
  const body = statement("815");
  const send = async (path: string, text = body, headers: Record<string, string> = {}) => {
    const response = await fetch(`${server.url}/feeds/v1/${path}`, { method: "PUT", body: text, headers });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const digest = (text: string) => `sha-256=:${createHash("sha256").update(text).digest("base64")}:`;
  const wrong = await send(`${token}/a.ofx`, body, { "content-digest": digest("other") });
  expect(wrong.status).toBe(400);
  const first = await send(`${token}/a.ofx`, body, { "content-digest": digest(body) });
  expect(first).toMatchObject({ status: 201, body: { status: "taken", delivered: 1 } });
  expect(await send(`${token}/a.ofx`)).toMatchObject({ status: 200, body: { file_id: first.body.file_id } });
  expect((await send(`${token}/b.ofx`, "no statement")).body.status).toBe("held");
  for (const path of [`${token}/a.pdf`, `${token}/..%2Fa.ofx`, `${token}/a%0A.ofx`, "wcf_guessed/a.ofx"])
    expect([path.slice(-9), (await send(path)).status]).toEqual([path.slice(-9), 404]);
  expect((await send(`${token}/a.ofx`, "")).status).toBe(400);
  await sources("end-token", { token_id: source_token.token_id });
  expect((await send(`${token}/a.ofx`)).status).toBe(404);
  expect(await statusOf(letter_id)).toBe("Connected");
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toContain('wealth_connect_source_files_total{outcome="taken"}');
  expect(metrics).toMatch(/wealth_connect_source_last_success_timestamp_seconds\{source="sent"\} \d+/);
  for (const text of [metrics, server.output()]) expect(text).not.toContain(token);
});

it("[C-9.207] a server that shows another key than the one that is pinned gets nothing, and the doctor says so", async () => {
  const shown = await sftp.showAnotherKey();
  sftp.put("d.ofx", statement("42", "20240202"));
  expect((await ask("run", { source: "custodian" })).text).toContain("another key than those pinned");
  expect(await sources("test", { source: "custodian" })).toMatchObject({ ok: false, host_key: shown });
  const { items } = await server.operate("/operator/v1/doctor/examine", {});
  const found = items.filter(({ check }: { check: string }) => check === "sources" || check === "held files");
  expect(found).toMatchObject([{ state: "warn" }, { state: "warn" }]);
  expect(existsSync(join(sftp.folder, "d.ofx"))).toBe(true);
});
