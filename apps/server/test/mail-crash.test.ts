import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { submitLetter } from "./letters.js";
import { startMailServer, type TestMailServer } from "./mail-server.js";

const LEASE_MS = 60_000;

/** Where the mail server stalls when the product is killed; its answer never comes. */
type Hold = "recipient" | "message";

const DATABASE = oneBackend(
  "leases of mails are in the stores' conformance suite; what a kill leaves in either database is held by crash",
);

describe.each([DATABASE])("SIGKILL while a mail is sent, on %s", (backend) => {
  let mailServer: TestMailServer;
  let server: TestServer;
  let hold: Hold | null = null;
  let held = 0;
  let taken = 0;
  beforeAll(async () => {
    mailServer = await startMailServer({
      closeTimeout: 100,
      onRcptTo(_address, _session, callback) {
        if (hold === "recipient") held += 1;
        else callback();
      },
      onData(stream, _session, callback) {
        stream.resume();
        stream.once("end", () => {
          taken += 1;
          if (hold === "message") held += 1;
          else callback();
        });
      },
    });
    server = await startTestServer({
      backend,
      environment: { SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`, MAIL_FROM: "letters@connect.example" },
      schedule: { mails: 50 },
    });
  }, START_TIMEOUT);
  afterEach(() => {
    [hold, held, taken] = [null, 0, 0];
  });
  afterAll(async () => {
    await server?.remove();
    await mailServer?.close();
  });

  it("before the message is complete: another sender sends it once the lease has ended", {
    timeout: START_TIMEOUT,
  }, async () => {
    const letterId = await killedAt("recipient");
    expect(await mailOf(letterId)).toMatchObject({ state: "queued", handing_over: false });
    await startLater(LEASE_MS);
    await expect.poll(() => taken).toBe(1);
    await expect.poll(async () => server.output().includes('"outcome":"sent"')).toBe(true);
    await server.stop();
    expect(await mailOf(letterId)).toMatchObject({ state: "sent", recipient: "banker@custody.example" });
  });

  it("after the message was complete: nobody knows, so nobody sends it again", { timeout: START_TIMEOUT }, async () => {
    await server.start();
    const letterId = await killedAt("message");
    expect(await mailOf(letterId)).toMatchObject({ state: "queued", handing_over: true });
    await startLater(LEASE_MS);
    await expect.poll(async () => server.output().includes('"outcome":"in_doubt"')).toBe(true);
    await server.stop();
    expect(await mailOf(letterId)).toMatchObject({ state: "in_doubt", attempts: 1 });
    expect(taken).toBe(1);
  });

  /** A letter whose mail is being sent when the server is killed. */
  async function killedAt(where: Hold): Promise<string> {
    hold = where;
    const contact_info = { banker_email: "banker@custody.example" };
    const tenant = await server.loginAgain(server.demo);
    const letterId = await submitLetter(tenant, sandboxBanks.datafeed, { contact_info });
    await server.operate("/operator/v1/letters/advance", { letter_id: letterId });
    await expect.poll(() => held).toBe(1);
    await server.stop("SIGKILL");
    hold = null;
    return letterId;
  }

  async function startLater(milliseconds: number): Promise<void> {
    const shift = new URL("clock-shift.mjs", import.meta.url).href;
    await server.start({ CLOCK_SHIFT_MS: String(milliseconds + 1_000) }, ["--import", shift]);
  }

  async function mailOf(letterId: string) {
    const select = "select state, recipient, handing_over, attempts from mails where letter_id = $1";
    const { rows } = await server.installation.withDatabase((pool) => pool.query(select, [letterId]));
    expect(rows).toHaveLength(1);
    return rows[0];
  }
});
