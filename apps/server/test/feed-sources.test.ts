import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { hasArchivePrograms, openGnuPg, zipOf } from "@org/feed-sources/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { oneBackend } from "./installation.js";
import { ingest, letterNaming, waitingLetter } from "./letters.js";
import { ofxStatement } from "./ofx-statement.js";
import { type SftpServer, startSftpServer } from "./sftp-server.js";
import { rowsHolding } from "./stored-rows.js";

let server: TestServer;
let tenant: TestTenant;
let sftp: SftpServer;
const drop = mkdtempSync(join(tmpdir(), "drop-"));

beforeAll(async () => {
  sftp = await startSftpServer();
  server = await startTestServer({
    backend: oneBackend("what sources store runs its conformance suite on both"),
    environment: {
      METRICS: "true",
      DROP_DIR: drop,
      // Bodies may use 16 MiB of memory, and one network half of it.
      BODY_BYTES_IN_FLIGHT: String(16 * 1024 * 1024),
      LETTER_MAX_BYTES: String(1024 * 1024),
    },
    // Runs are requested explicitly: nothing else polls the folder meanwhile.
    schedule: { feedSources: 3_600_000, heldFiles: 8_000, dropFolder: 100, sourceSettle: 50 },
  });
  tenant = await server.createTenant("Family office");
}, START_TIMEOUT);
afterAll(async () => {
  await server?.remove();
  await sftp?.stop();
  rmSync(drop, { recursive: true, force: true });
});

const sources = (path: string, body: object) => server.operate(`/operator/v1/sources/${path}`, body);
const feeds = (path: string, body: object) => server.operate(`/operator/v1/datafeeds/${path}`, body);
const ask = (path: string, body: object) => server.operator.post(`/operator/v1/sources/${path}`, body);

/** A statement of one holding in an account; its date identifies it. */
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
  const { items } = await feeds("list-pending", { source: "custodian" });
  const reason = expect.stringMatching(/no rule and no letter/);
  expect(items).toMatchObject([{ name: "c.ofx", findings: [{ account: "4711", reason }] }]);
  const letter_id = await waitingLetter(server, tenant, sandboxBanks.datafeed);
  const [{ file_id }] = items;
  expect(await feeds("route-pending", { file_id, letter_id })).toEqual({ rules: 1, retried: 1, taken: 1 });
  expect(await statusOf(letter_id)).toBe("Connected");
  expect((await server.operator.post("/operator/v1/datafeeds/retry-pending", { file_id })).status).toBe(404);
});

it("[C-9.204] [C-9.211] a held file proposes a letter whose account nearly matches, and is taken by itself once a letter names it", async () => {
  const to = { connector_id: sandboxBanks.datafeed };
  await sources("add-route", { source: "custodian", to });
  const near = await letterNaming(server, tenant, sandboxBanks.datafeed, ["00-7700"]);
  sftp.put("late.ofx", statement("7700"));
  expect(await sources("run", { source: "custodian" })).toMatchObject({ held: 1, taken: 0 });
  const [held] = (await feeds("list-pending", { source: "custodian" })).items;
  const proposals = [{ letter_id: near, tenant_id: tenant.tenantId, why: "the numbers differ by leading zeros" }];
  expect(held).toMatchObject({ name: "late.ofx", findings: [{ account: "7700", proposals }] });
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
  // A repeated digest counts once, with its last value, so that no client can have a large file hashed a hundred times.
  const repeated = [digest("other"), digest("another"), digest(body)].join(", ");
  const first = await send(`${token}/a.ofx`, body, { "content-digest": repeated });
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

it("[C-9.209] [C-9.64] who guesses at tokens is told which limit they met, its value and when it ends", async () => {
  const guess = () =>
    new Promise<{ status?: number | undefined; again: unknown; body: unknown }>((resolve, reject) => {
      // From a network that no other request of this file uses.
      const from = { family: 4, localAddress: "127.0.9.1" };
      const put = request(`${server.url}/feeds/v1/wcf_guessed/a.ofx`, { method: "PUT", ...from });
      put.on("error", reject).on("response", async (response) => {
        const { statusCode: status, headers } = response;
        resolve({ status, again: headers["retry-after"], body: await json(response) });
      });
      put.end("x");
    });
  const guesses = await Promise.all(Array.from({ length: 60 }, guess));
  expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([404]));
  // One attempt becomes available each second.
  let refused = await guess();
  while (refused.status === 404) refused = await guess();
  expect(refused).toEqual({
    status: 429,
    again: "1",
    body: {
      error: "too many tokens that are nobody's",
      limit: "unknown_tokens_per_minute",
      value: 60,
      ends_at: expect.stringMatching(/^20\d\d-.*Z$/),
    },
  });
  const limits = () => server.process.log().map(({ limit }) => limit);
  await eventually(() => limits().includes("unknown_tokens_per_minute"), "the access log names the limit");
});

describe("[C-9.209] files that come slowly", () => {
  const MEBIBYTE = 1024 * 1024;
  const upload = (path: string) => {
    const put = request(`${server.url}/feeds/v1/${path}`, { method: "PUT" });
    const answer = new Promise<number | null>((resolve) => {
      put.on("response", (response) => {
        response.resume();
        resolve(response.statusCode ?? null);
      });
      put.on("error", () => resolve(null));
    });
    const write = (bytes: Buffer) => new Promise<void>((resolve) => void put.write(bytes, () => resolve()));
    return { put, answer, write };
  };

  it("are on the disk: four at once are more than the memory that bodies may have, and all are taken", async () => {
    await sources("set", { source: "slow", settings: { kind: "push" } });
    const { token } = await sources("create-token", { source: "slow", name: "Bank" });
    const uploads = Array.from({ length: 4 }, (_, index) => upload(`${token}/slow-${index}.bin`));
    await Promise.all(uploads.map(({ write }, index) => write(Buffer.alloc(3 * MEBIBYTE, index + 65))));
    // None is complete yet, and each is still connected.
    for (const { put } of uploads) put.end("end");
    expect(await Promise.all(uploads.map(({ answer }) => answer))).toEqual(uploads.map(() => 201));
    const { items: files } = await sources("list-files", { source: "slow" });
    const hashes = files.map(({ sha256 }: { sha256: string }) => sha256).sort();
    const sent = uploads.map((_, index) =>
      createHash("sha256")
        .update(Buffer.alloc(3 * MEBIBYTE, index + 65))
        .update("end")
        .digest("hex"),
    );
    expect(hashes).toEqual(sent.sort());
    for (const { file_id } of files) await feeds("drop-pending", { file_id });
  });

  it("leave nothing behind when they break off or become too large", async () => {
    const { token } = await sources("create-token", { source: "slow", name: "Bank" });
    const cut = upload(`${token}/cut.bin`);
    await cut.write(Buffer.alloc(2 * MEBIBYTE));
    cut.put.destroy();
    expect(await cut.answer).toBeNull();
    await sources("set", { source: "slow", settings: { kind: "push", max_file_bytes: MEBIBYTE } });
    const large = upload(`${token}/large.bin`);
    await large.write(Buffer.alloc(2 * MEBIBYTE));
    expect(await large.answer).toBe(413);
    large.put.destroy();
    const { items: files } = await sources("list-files", { source: "slow" });
    expect(files.map(({ name }: { name: string }) => name)).not.toContain("cut.bin");
    expect(files).toHaveLength(4);
  });
});

it("[C-9.31] the same day over SFTP, sent with a token and dropped in the folder is taken once", async () => {
  const letter_id = await waitingLetter(server, tenant, sandboxBanks.datafeed);
  await sources("add-route", { source: "custodian", when: { account: "6001" }, to: { letter_id } });
  const day = statement("6001");
  sftp.put("day.ofx", day);
  expect(await sources("run", { source: "custodian" })).toMatchObject({ taken: 1, held: 0 });
  const shown = async () => {
    const { items } = (await tenant.post("/letters/v1/search-letters", { query: { id_in: [letter_id] } })).body;
    const of = { credentials_token: items[0].connection_id, page_size: 500 };
    const tools = ["svc-portfolios", "svc-investments", "svc-investment-transactions"];
    return Promise.all(tools.map(async (tool) => (await tenant.tools.call(tool, of)).items as unknown[]));
  };
  const before = await shown();
  expect(before.map((items) => items.length > 0)).toEqual([true, true, expect.any(Boolean)]);
  await sources("set", { source: "again", settings: { kind: "push" } });
  await sources("add-route", { source: "again", to: { letter_id } });
  const { token } = await sources("create-token", { source: "again", name: "Bank" });
  const sent = await fetch(`${server.url}/feeds/v1/${token}/sent.ofx`, { method: "PUT", body: day });
  expect(await sent.json()).toMatchObject({ status: "taken", delivered: 1 });
  mkdirSync(join(drop, letter_id));
  writeFileSync(join(drop, letter_id, "dropped.ofx"), day);
  utimesSync(join(drop, letter_id, "dropped.ofx"), new Date(), new Date(Date.now() - 60_000));
  const done = join(drop, "done", letter_id);
  await eventually(() => existsSync(done) && readdirSync(done).length > 0, "the dropped file is taken, too");
  expect(await shown()).toEqual(before);
});

it("[C-9.290] CSV by a source is read by a mapping of whom its rules lead to; a new mapping takes what waits for it, of a source or of the drop folder", async () => {
  const connector_id = sandboxBanks.datafeed;
  const letters = [
    await waitingLetter(server, tenant, connector_id),
    await waitingLetter(server, tenant, connector_id),
  ];
  const [held, dropped] = letters as [string, string];
  await sources("set", { source: "tables", settings: { kind: "push" } });
  await sources("add-route", { source: "tables", to: { letter_id: held } });
  const { token } = await sources("create-token", { source: "tables", name: "Bank" });
  const csv = "Tag;Betrag\n2024-01-15;2.50\n";
  const sent = await fetch(`${server.url}/feeds/v1/${token}/a.csv`, { method: "PUT", body: csv });
  expect(await sent.json()).toMatchObject({ status: "held" });
  mkdirSync(join(drop, dropped));
  writeFileSync(join(drop, dropped, "b.csv"), csv);
  utimesSync(join(drop, dropped, "b.csv"), new Date(), new Date(Date.now() - 60_000));
  const ofFolder = async () => (await feeds("list-pending", { source: "drop-folder" })).items;
  await eventually(async () => (await ofFolder()).length === 1, "the file is held");
  const mapping = {
    language: 1,
    name: "fernbank",
    title: "Fern Bank",
    recognise: { header: ["Tag", "Betrag"] },
    delimiter: ";",
    values: { date: { column: "Tag" }, cash: { column: "Betrag" }, currency: { constant: "CHF" } },
    tables: [{ rows: [{ is: "transaction", kind: "deposit" }] }],
  };
  const kept = await server.operate("/operator/v1/datafeed-mappings/set", { connector_id, mapping });
  expect(kept).toMatchObject({ mapping: { name: "fernbank" } });
  expect(kept.retried).toBeGreaterThan(0);
  // The schedule may process the held file first.
  for (const each of letters)
    await eventually(async () => (await statusOf(each)) === "Connected", "both letters are connected");
  expect(await ofFolder()).toEqual([]);
  await server.operate("/operator/v1/datafeed-mappings/remove", { connector_id, name: "fernbank" });
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

/** With Debian's GnuPG: the custodian has a key, and so had the installation's previous operator. */
describe.skipIf(!hasArchivePrograms())("PGP", () => {
  let custodian: ReturnType<typeof openGnuPg>;
  let before: ReturnType<typeof openGnuPg>;
  const secret = ["--pinentry-mode", "loopback", "--passphrase", "correct horse"];
  const newKey = ["--quick-generate-key", "Wealth <feeds@wealth.example>", "future-default", "default", "never"];
  beforeAll(() => {
    [custodian, before] = [openGnuPg(), openGnuPg()];
    const plain = ["--passphrase", "", "--quick-generate-key"];
    for (const name of ["files", "stranger"])
      custodian.gpg("", ...plain, `${name} <${name}@custodian.example>`, "ed25519", "sign", "never");
    before.gpg("", ...secret, ...newKey);
    custodian.gpg(before.gpg("", "--armor", "--export"), "--import");
  });
  afterAll(() => {
    custodian?.close();
    before?.close();
  });

  const feedKeys = (path: string, body: object) => server.operate(`/operator/v1/feed-keys/${path}`, body);
  const askKeys = async (path: string, body: object) =>
    (await server.operator.post(`/operator/v1/feed-keys/${path}`, body)).status;
  const publicKey = (name: string) => custodian.gpg("", "--armor", "--export", `${name}@custodian.example`).toString();
  const doctor = async () => {
    const { items } = await server.operate("/operator/v1/doctor/examine", {});
    return items.find(({ check }: { check: string }) => check === "feed keys");
  };
  /** A statement of an account and a day, encrypted, and signed by one of the custodian's keys. */
  const encrypted = (to: string, by: string | null, account: string, day?: string, wrap = (bytes: Buffer) => bytes) => {
    const text = statement(account, day);
    const signing = by === null ? [] : ["--sign", "-u", `${by}@custodian.example`];
    return custodian.gpg(wrap(Buffer.from(text)), ...signing, "--encrypt", "-r", to);
  };
  const waiting = () => waitingLetter(server, tenant, sandboxBanks.datafeed);
  let token = "";
  const send = async (name: string, bytes: Uint8Array) => {
    const response = await fetch(`${server.url}/feeds/v1/${token}/${name}`, {
      method: "PUT",
      body: Buffer.from(bytes),
    });
    return (await response.json()) as { status: string; file_id: string };
  };
  const reasonsOf = async (name: string) => {
    const { items } = await feeds("list-pending", { source: "encrypted", limit: 1_000 });
    const file = items.find((item: { name: string }) => item.name === name);
    return file?.findings.map(({ reason }: { reason: string }) => reason).join("; ");
  };

  it("[C-9.272] what is encrypted for a key that is missing waits, from a source and in the drop folder, until it is imported", async () => {
    const [letter, dropped] = [await waiting(), await waiting()];
    await sources("set", { source: "encrypted", settings: { kind: "push" } });
    await sources("add-route", { source: "encrypted", when: { account: "9001" }, to: { letter_id: letter } });
    ({ token } = await sources("create-token", { source: "encrypted", name: "Custodian" }));
    expect(await doctor()).toBeUndefined();
    const to = "feeds@wealth.example";
    expect((await send("a.ofx.pgp", encrypted(to, "files", "9001"))).status).toBe("held");
    expect(await reasonsOf("a.ofx.pgp")).toMatch(/is encrypted for [0-9A-F]{16}, and none of our keys is that one/);
    mkdirSync(join(drop, dropped));
    writeFileSync(join(drop, dropped, "b.ofx.pgp"), encrypted(to, null, "9002"));
    utimesSync(join(drop, dropped, "b.ofx.pgp"), new Date(), new Date(Date.now() - 60_000));
    const ofFolder = async () => (await feeds("list-pending", { source: "drop-folder" })).items;
    await eventually(async () => (await ofFolder()).length === 1, "the file is held");
    expect(await doctor()).toMatchObject({ state: "warn", message: expect.stringMatching(/^2 files wait/) });
    const private_key = before.gpg("", ...secret, "--armor", "--export-secret-keys").toString();
    expect(await askKeys("import", { private_key, passphrase: "wrong horse" })).toBe(400);
    const { key, ...tried } = await feedKeys("import", { private_key, passphrase: "correct horse" });
    expect(tried.taken).toBeGreaterThan(0);
    expect(key).toMatchObject({ kind: "own", state: "live", user_ids: ["Wealth <feeds@wealth.example>"] });
    // The schedule may process the held file first.
    for (const each of [letter, dropped])
      await eventually(async () => (await statusOf(each)) === "Connected", "the letters are connected");
    expect([await reasonsOf("a.ofx.pgp"), await ofFolder()]).toEqual([undefined, []]);
    expect(await doctor()).toMatchObject({ state: "ok" });
  });

  it("[C-9.270] [C-9.273] [C-14.63] a custodian encrypts for the key that is exported to it, beside the one before, which goes without a gap", async () => {
    const wish = { name: "Wealth Connect", email: "new@wealth.example", days: 20 };
    const { key } = await feedKeys("generate", wish);
    const exported = (await feedKeys("show", { fingerprint: key.fingerprint })).key.public_key;
    custodian.gpg(exported, "--import");
    // GnuPG uses the machine's clock, and the server's may be slightly ahead.
    await eventually(() => Date.now() > Date.parse(key.created_at) + 1_000, "the key is a second old");
    const inside = (bytes: Buffer) => zipOf([{ name: "day.ofx", bytes }]);
    const outside = zipOf([
      { name: "old.ofx.pgp", bytes: encrypted("feeds@wealth.example", "files", "9001", "20240201") },
      { name: "new.zip.pgp", bytes: encrypted("new@wealth.example", "files", "9001", "20240202", inside) },
    ]);
    expect((await send("both.zip", outside)).status).toBe("taken");
    const old = (await feedKeys("list", {})).items.find((each: { kind: string }) => each.kind === "own");
    await feedKeys("expire", { fingerprint: old.fingerprint });
    expect((await send("late.pgp", encrypted("feeds@wealth.example", "files", "9001", "20240203"))).status).toBe(
      "held",
    );
    expect(await reasonsOf("late.pgp")).toMatch(/our key [0-9A-F]{40}, for which it is encrypted, has expired/);
    const [{ file_id }] = (await feeds("list-pending", { source: "encrypted" })).items;
    const shown = await feeds("show-pending", { file_id });
    expect(shown).toMatchObject({ file: { file_id, state: "held", name: "late.pgp" }, excerpt: { place: null } });
    expect(Object.keys(shown.file)).not.toContain("ciphertext");
    const { items: looked } = await server.operate("/operator/v1/audit/list", { action: "source.show-held" });
    expect(looked[0]).toMatchObject({ facts: { file_id } });
    await feeds("drop-pending", { file_id });
    for (const verb of ["remove", "revoke", "expire"])
      expect(await askKeys(verb, { fingerprint: key.fingerprint }), verb).toBe(409);
    expect((await doctor()).message).toMatch(/our key [0-9A-F]{40} expires in 20 days/);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain(
      `wealth_connect_feed_key_expiry_timestamp_seconds{fingerprint="${key.fingerprint}",kind="own"}`,
    );
  });

  it("[C-9.271] where a custodian has to sign nothing else is taken, by a source or by the connector that it leads to", async () => {
    const target = { source: "encrypted" };
    const to = "new@wealth.example";
    expect(await askKeys("require", { ...target, must_be_signed: true })).toBe(409);
    await feedKeys("trust", { ...target, public_key: publicKey("files") });
    await feedKeys("require", { ...target, must_be_signed: true });
    expect((await send("plain.ofx", Buffer.from(statement("9001", "20240204")))).status).toBe("held");
    expect((await send("stranger.pgp", encrypted(to, "stranger", "9001", "20240206"))).status).toBe("held");
    expect(await reasonsOf("plain.ofx")).toMatch(/is not signed; files of this custodian have to be/);
    expect(await reasonsOf("stranger.pgp")).toMatch(/which is none of those that are trusted for it/);
    expect((await send("signed.pgp", encrypted(to, "files", "9001", "20240207"))).status).toBe("taken");
    const { fingerprint } = (await feedKeys("trust", { ...target, public_key: publicKey("stranger") })).key;
    await eventually(async () => (await reasonsOf("stranger.pgp")) === undefined, "what the stranger signed is taken");
    await feedKeys("revoke", { ...target, fingerprint });
    expect((await send("revoked.pgp", encrypted(to, "stranger", "9001", "20240208"))).status).toBe("held");
    expect(await reasonsOf("revoked.pgp")).toMatch(/which was revoked/);
    await feedKeys("require", { ...target, must_be_signed: false });
    await eventually(async () => (await reasonsOf("plain.ofx")) === undefined, "what is not signed is taken");

    const connector = { connector_id: sandboxBanks.datafeed };
    const letter_id = await waiting();
    await feedKeys("trust", { ...connector, public_key: publicKey("files") });
    await feedKeys("require", { ...connector, must_be_signed: true });
    const refused = await ingest(server, { letter_id }, Buffer.from(statement("9003")));
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("is not signed")]);
    expect((await ingest(server, { letter_id }, encrypted(to, "files", "9003"))).status).toBe(200);
    expect((await send("around.pgp", encrypted(to, null, "9001", "20240209"))).status).toBe("held");
    await feedKeys("require", { ...connector, must_be_signed: false });
  });

  it("[C-9.205] [C-9.274] stored are no private key, no passphrase, and of held files no text in clear", async () => {
    const text = statement("77077077");
    expect((await send("nobody.ofx", Buffer.from(text))).status).toBe("held");
    await server.stop();
    const clear = ["-----BEGIN PGP PRIVATE", "correct horse", "wrong horse", "77077077", "<ACCTID>"];
    const hex = clear.map((each) => Buffer.from(each).toString("hex"));
    const rows = await server.installation.withDatabase((pool) => rowsHolding(pool, [...clear, ...hex]));
    // Portfolios contain their account numbers; the file of 77077077 was assigned to none.
    expect(rows.map(({ table, json }) => [table, json.slice(0, 300)])).toEqual([]);
    const held = await server.installation.withDatabase((pool) => pool.query("select ciphertext from feed_held"));
    expect(held.rows.length).toBeGreaterThan(2);
    for (const { ciphertext } of held.rows) expect(Buffer.from(ciphertext).includes("OFX")).toBe(false);
    for (const each of ["PGP PRIVATE", "correct horse", "77077077"]) expect(server.output()).not.toContain(each);
  });
});
