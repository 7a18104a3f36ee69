import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { oneBackend } from "./installation.js";
import { startMailServer, type TestMailServer } from "./mail-server.js";
import { ofxStatement } from "./ofx-statement.js";
import { expectSameTools } from "./same-tools.js";
import { rowsHolding, storyOf } from "./stored-rows.js";

const BANKER = "banker@custodia.example";

const DATABASE = oneBackend(
  "letters run through the stores' conformance suite on both, and a custodian's files through crash",
);

describe.each([DATABASE])("an authorization letter from submission to its end, on %s", (backend) => {
  let mailServer: TestMailServer;
  let dropDir: string;
  let server: TestServer;
  let tenant: TestTenant;
  beforeAll(async () => {
    mailServer = await startMailServer();
    dropDir = mkdtempSync(join(tmpdir(), "dropped-"));
    server = await startTestServer({
      backend,
      environment: {
        SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
        MAIL_FROM: "Letters <letters@connect.example>",
        LOG_LEVEL: "trace",
        METRICS: "true",
        DROP_DIR: dropDir,
      },
      schedule: { mails: 50, dropFolder: 100 },
    });
    tenant = await server.createTenant("Family office");
  }, START_TIMEOUT);
  afterEach(() => mailServer?.arrived.splice(0));
  afterAll(async () => {
    await server?.remove();
    await mailServer?.close();
    rmSync(dropDir, { recursive: true, force: true });
  });
  const operate = async (action: string, letter_id: string, more: object = {}) =>
    (await server.operate(`/operator/v1/letters/${action}`, { letter_id, ...more })).letter;
  const statusIs = (letterId: string, status: string) =>
    expect.poll(async () => (await operate("show", letterId)).status).toBe(status);
  const mails = (count: number) => expect.poll(() => mailServer.arrived.length).toBe(count);

  it("[S2-1.1] [S2-1.2] [S2-1.5] [S2-3.6] [S2-3.7] [S2-3.8] [S2-3.9] [S2-3.10] [S2-3.11] [S2-3.13] [S2-3.14] [C-7.15] [C-7.16] [C-7.17] [C-7.18] [C-7.19] [C-11.29] [C-5.305] submitted, mailed, accepted, set up, fed, shown by the tools, blocked, resolved, discontinued, gone, told, revoked", async () => {
    const [signed, annex] = [await pdf("signed by Ana"), await pdf("copy of her passport")];
    const submission = {
      connector_id: sandboxBanks.datafeed,
      data: signed.toString("base64"),
      annex: annex.toString("base64"),
      labels: { client: "client-4711" },
      contact_info: { banker_email: BANKER, phone: "+34 600 000 000" },
    };
    const { body: created } = await tenant.post("/letters/v1/create-signed", submission);
    const { letter_id } = created;
    expect(await operate("show", letter_id)).toMatchObject({ status: "Signed", remarks: [] });

    await operate("advance", letter_id, { to: "SentToCustodian" });
    await mails(1);
    const [mail] = mailServer.arrived;
    expect(mail?.to).toEqual([BANKER]);
    expect(mail?.subject).toContain(letter_id);
    expect([...(mail?.attachments.values() ?? [])].map(sha256)).toEqual([sha256(signed)]);
    expect(mail?.raw.replaceAll("\r\n", "")).toContain(signed.toString("base64"));
    expect(mail?.raw.replaceAll("\r\n", "")).not.toContain(annex.toString("base64"));
    await expect
      .poll(async () => (await operate("show", letter_id)).mails)
      .toMatchObject([{ kind: "authorization_letter", state: "sent", recipient: BANKER }]);

    await operate("advance", letter_id, { to: "AcceptedByCustodian", note: "confirmed by telephone" });
    await operate("advance", letter_id, { to: "ConnectionSetup" });
    expect(await operate("advance", letter_id, { to: "WaitingForData" })).toMatchObject({ connection_id: null });

    const statement = ofxStatement(3);
    mkdirSync(join(dropDir, letter_id));
    writeFileSync(join(dropDir, letter_id, "ana-in-january.ofx"), statement);
    await statusIs(letter_id, "Connected");
    const { connection_id } = await operate("show", letter_id);
    const credentials_token = connection_id;
    const holdings = await tenant.tools.call("svc-investments", { credentials_token });
    expect(holdings.items.map(({ name, amount, balance, currency }: Row) => [name, amount, balance, currency])).toEqual(
      ["Share 000000000", "Share 000000001", "Share 000000002"].map((name) => [name, "2", "2.50", "USD"]),
    );
    expect(holdings.totals).toMatchObject([{ currency: "USD", balance: "7.50" }]);
    await expectSameTools(tenant.tools, credentials_token);
    const { items } = await tenant.tools.call("svc-credentials", { include_status: true });
    expect(items).toMatchObject([{ credentials_token, labels: { client: "client-4711" } }]);

    expect((await operate("block", letter_id, { note: "no file this week" })).status).toBe("Blocked");
    expect((await operate("resolve", letter_id)).status).toBe("Connected");

    const { body: ended } = await tenant.post("/letters/v1/discontinue-letter", { letter_id });
    expect(ended).toEqual({ success: true });
    const afterwards = tenant.tools.call("svc-investments", { credentials_token });
    await expect(afterwards).rejects.toMatchObject({ code: "NOT_FOUND" });
    await mails(2);
    const notice = mailServer.arrived[1];
    expect([notice?.to, notice?.attachments.size]).toEqual([[BANKER], 0]);
    expect(notice?.messageId).not.toBe(mail?.messageId);
    await statusIs(letter_id, "Revoked");
    expect(readdirSync(join(dropDir, letter_id))).toEqual([]);
    const { history } = await operate("show", letter_id);
    expect(history.map(({ to }: Row) => to)).toEqual([
      ...["Signed", "SentToCustodian", "AcceptedByCustodian", "ConnectionSetup", "WaitingForData", "Connected"],
      ...["Blocked", "Connected", "Discontinued", "Revoked"],
    ]);

    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toMatch(/wealth_connect_mail_seconds_count\{kind="revocation_notice",outcome="sent"\} 1/);
    await server.stop();
    const gone = [BANKER, "+34 600 000 000", "Share 00000000", "ana-in-january", connection_id];
    gone.push(...[signed, annex].map(sha256), sha256(statement));
    const rows = await server.installation.withDatabase((pool) => rowsHolding(pool, gone));
    const told = ["audit_log", "events", "letter_moves"];
    expect(rows.filter(({ table }) => !told.includes(table))).toEqual([]);
    // Nor amounts, which other tables contain for other connections: 2.50 of each share, 7.50 in all.
    const secrets = [
      ...gone.filter((text) => text !== connection_id),
      "7.50",
      '"2.50"',
      "no file this week",
      "telephone",
    ];
    const events = await server.installation.withDatabase((pool) => rowsHolding(pool, secrets));
    expect(events.filter(({ table }) => table === "events")).toEqual([]);
    expect(await server.installation.withDatabase((pool) => storyOf(pool, [letter_id, connection_id]))).toEqual([
      "letter.created Signed",
      "letter.moved SentToCustodian from Signed",
      "letter.moved AcceptedByCustodian from SentToCustodian",
      "letter.moved ConnectionSetup from AcceptedByCustodian",
      "letter.moved WaitingForData from ConnectionSetup",
      "connection.created pending by feed",
      "letter.moved Connected from WaitingForData",
      "data.changed portfolios,holdings,transactions",
      "connection.refreshed ready by feed",
      "feed.file_taken",
      "letter.blocked Blocked from Connected",
      "connection.blocked blocked because blocked",
      "letter.resolved Connected from Blocked",
      "connection.recovered ready",
      "letter.moved Discontinued from Connected",
      "connection.removed removed",
      "letter.moved Revoked from Discontinued",
    ]);
    // History, trail and events name the connection; the trail also has a file's counts, and its hash by which it is recognised.
    for (const { json } of rows) expect(json).toMatch(new RegExp(`${connection_id}|${sha256(statement)}`));
    // Custodians choose the names of their files; the log says which was ingested.
    for (const text of gone.slice(0, 3)) expect(server.output()).not.toContain(text);
    await server.start();
    // The drop folder is cleaned up at the start and every minute.
    await expect.poll(() => readdirSync(join(dropDir, "done"))).toEqual([]);
  });

  it("[S2-3.1] [C-8.5] a letter that the service generates: details, PDF, mail to the client, signed copy, mail to the custodian", {
    timeout: 60_000,
  }, async () => {
    const request = { tenant_id: tenant.tenantId, connector_id: sandboxBanks.datafeed };
    const contact_info = { banker_email: BANKER };
    const { letter } = await server.operate("/operator/v1/letters/request", { ...request, contact_info });
    const details = {
      full_name: "Zoë Müller-Łukasz",
      address: ["Calle Mayor 1", "28013 Madrid"],
      accounts: ["ES9121000418450200051332"],
      email: "zoe@client.example",
      language: "es",
    };
    await operate("details", letter.id, { details });
    await operate("advance", letter.id, { to: "Generated" });
    await operate("advance", letter.id, { to: "SentToUser" });
    await mails(1);
    const [toClient] = mailServer.arrived;
    expect(toClient?.to).toEqual(["zoe@client.example"]);
    const [generated] = [...(toClient?.attachments.values() ?? [])];
    expect((await PDFDocument.load(generated as Buffer)).getTitle()).toBe(
      "Autorización para transmitir datos financieros",
    );
    const download = { letter_id: letter.id, kind: "generated" };
    const { sha256: stored } = await server.operate("/operator/v1/letters/document", download);
    expect(stored).toBe(sha256(generated as Buffer));

    const signed = await pdf("generated, printed, signed, scanned");
    expect((await operate("sign", letter.id, { data: signed.toString("base64") })).status).toBe("Signed");
    await operate("advance", letter.id);
    await mails(2);
    expect([...(mailServer.arrived[1]?.attachments.values() ?? [])].map(sha256)).toEqual([sha256(signed)]);
    expect((await operate("cancel", letter.id, { note: "the client died" })).status).toBe("Cancelled");

    await server.stop();
    const gone = ["Zoë Müller", "zoe@client.example", "ES9121000418450200051332", BANKER, sha256(signed), stored];
    expect(await server.installation.withDatabase((pool) => rowsHolding(pool, gone))).toEqual([]);
    expect(await server.installation.withDatabase((pool) => storyOf(pool, [letter.id]))).toEqual([
      "letter.created NewRequest",
      "letter.moved UsersDetail from NewRequest",
      "letter.moved Generated from UsersDetail",
      "letter.document_added Generated generated",
      "letter.moved SentToUser from Generated",
      "letter.moved Signed from SentToUser",
      "letter.document_added Signed letter",
      "letter.moved SentToCustodian from Signed",
      "letter.moved Cancelled from SentToCustodian",
    ]);
    for (const text of gone) expect(server.output()).not.toContain(text);
    await server.start();
  });

  it("[C-7.16] a mail server that is away for a while delays the mail, and nothing is mailed twice", {
    timeout: 60_000,
  }, async () => {
    const { port } = mailServer;
    await mailServer.close();
    const data = (await pdf("later")).toString("base64");
    const submission = { connector_id: sandboxBanks.datafeed, data, contact_info: { banker_email: BANKER } };
    const { body } = await tenant.post("/letters/v1/create-signed", submission);
    await operate("advance", body.letter_id);
    await expect.poll(async () => (await operate("show", body.letter_id)).mails[0].attempts).toBe(1);
    const [mail] = (await operate("show", body.letter_id)).mails;
    expect(mail).toMatchObject({ state: "queued", last_error: expect.stringContaining("ECONNREFUSED") });
    mailServer = await startMailServer({}, port);
    const { mail: again } = await server.operate("/operator/v1/mails/retry", { mail_id: mail.mail_id });
    expect(again.state).toBe("queued");
    await mails(1);
    await expect.poll(async () => (await operate("show", body.letter_id)).mails[0].state).toBe("sent");
    expect(mailServer.arrived).toHaveLength(1);
  });
});

// biome-ignore lint/suspicious/noExplicitAny: rows of every tool
type Row = any;

async function pdf(title: string): Promise<Buffer> {
  const document = await PDFDocument.create();
  document.setTitle(title);
  document.addPage();
  return Buffer.from(await document.save());
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
