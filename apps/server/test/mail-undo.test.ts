import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { oneBackend } from "./installation.js";
import { submitLetter } from "./letters.js";
import { startMailServer, type TestMailServer } from "./mail-server.js";

/** Longer than the test takes before it lets the time pass. */
const DELAY_SECONDS = 600;
const contact_info = { banker_email: "desk@custody.example" };

const DATABASE = oneBackend(
  "what a kill leaves in either database is held by crash, and moves and mails by the stores' conformance suite",
);

describe.each([DATABASE])("moves whose mails wait, and a SIGKILL, on %s", (backend) => {
  let mailServer: TestMailServer;
  let server: TestServer;
  beforeAll(async () => {
    mailServer = await startMailServer();
    server = await startTestServer({
      backend,
      environment: {
        SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
        MAIL_FROM: "letters@connect.example",
        MAIL_DELAY_SECONDS: String(DELAY_SECONDS),
      },
      schedule: { mails: 50 },
    });
  }, START_TIMEOUT);
  afterAll(async () => {
    await server?.remove();
    await mailServer?.close();
  });

  const undo = (letter_id: string) => server.operator.post("/operator/v1/letters/undo", { letter_id });
  const submit = () => submitLetter(server.demo, sandboxBanks.datafeed, { contact_info });

  it("[C-14.820] [C-14.821] after the restart what was not undone is sent, once, and what was undone never", {
    timeout: START_TIMEOUT,
  }, async () => {
    const [kept, undone, ...many] = [await submit(), await submit(), await submit(), await submit()] as const;
    const letter_ids = [kept, undone, ...many];
    const { items } = await server.operate("/operator/v1/letters/move-many", { letter_ids });
    expect(items.map(({ undo_until }: { undo_until: string | null }) => undo_until === null)).not.toContain(true);
    await server.stop("SIGKILL");
    await server.start();
    expect((await undo(undone)).body.letter).toMatchObject({ status: "Signed", mails: [{ state: "withdrawn" }] });
    const changed = { letter_id: many[0], observations: "changed since" };
    await server.operate("/operator/v1/letters/observe", changed);
    const back = await server.operate("/operator/v1/letters/move-many", { letter_ids: many, move: "undo" });
    expect(back.items).toMatchObject([
      { outcome: "refused", error: { code: "CONFLICT", reason: "nothing_to_undo" } },
      { outcome: "moved", from: "SentToCustodian", to: "Signed" },
    ]);
    // A receiver is told what happened, in order.
    const query = { object_id: undone, type_in: ["letter.moved"] };
    const told = await server.demo.post("/events/v1/list-events", { query, order: "asc" });
    expect(told.body.items.map(({ data }: { data: object }) => data)).toMatchObject([
      { from: "Signed", to: "SentToCustodian" },
      { from: "SentToCustodian", to: "Signed", reason: "undone" },
    ]);
    expect(mailServer.arrived).toEqual([]);
    await server.stop("SIGKILL");
    const shift = new URL("clock-shift.mjs", import.meta.url).href;
    await server.start({ CLOCK_SHIFT_MS: String((DELAY_SECONDS + 1) * 1_000) }, ["--import", shift]);
    const sentTo = (id: string | undefined) => mailServer.arrived.filter(({ subject }) => subject.includes(id ?? ""));
    await eventually(async () => {
      const { letter } = await server.operate("/operator/v1/letters/show", { letter_id: kept });
      return letter.mails[0].state === "sent" && mailServer.arrived.length === 2;
    }, "both mails are sent");
    expect([kept, many[0]].map((id) => sentTo(id).length)).toEqual([1, 1]);
    const late = await undo(kept);
    expect([late.status, late.body.error]).toMatchObject([409, { code: "CONFLICT", reason: "mail_has_left" }]);
    await expect.poll(() => server.output()).toContain('"outcome":"undone"');
  });

  it("[C-14.900] [C-14.901] a notice of an end and a mail sent again wait over a SIGKILL: withdrawn, never sent; else once", {
    timeout: START_TIMEOUT,
  }, async () => {
    await server.stop();
    await server.start();
    const show = async (letter_id: string) => (await server.operate("/operator/v1/letters/show", { letter_id })).letter;
    const ended: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      const letter_id = await submit();
      while ((await show(letter_id)).status !== "Connected")
        await server.operate("/operator/v1/letters/advance", { letter_id });
      ended.push(letter_id);
    }
    const again = [await submit(), await submit()];
    for (const letter_id of again) await server.operate("/operator/v1/letters/advance", { letter_id });
    await server.stop();
    await server.installation.withDatabase((pool) =>
      pool.query("update mails set state = 'failed', attempts = 1, settled_at = now() where letter_id = any($1)", [
        again,
      ]),
    );
    await server.start();
    for (const letter_id of ended) await server.demo.post("/letters/v1/discontinue-letter", { letter_id });
    const mailOf = async (letter_id: string) => (await show(letter_id)).mails.at(-1);
    for (const letter_id of again)
      await server.operate("/operator/v1/mails/retry", { mail_id: (await mailOf(letter_id)).mail_id });
    await server.stop("SIGKILL");
    await server.start();
    for (const letter_id of ended)
      expect(await show(letter_id)).toMatchObject({ status: "Discontinued", connection_id: null, documents: [] });
    for (const letter_id of [...ended, ...again]) expect(await mailOf(letter_id)).toMatchObject({ state: "queued" });
    for (const letter_id of [ended[0], again[0]])
      await server.operate("/operator/v1/mails/withdraw", { mail_id: (await mailOf(letter_id ?? "")).mail_id });
    await server.stop("SIGKILL");
    const before = mailServer.arrived.length;
    const shift = new URL("clock-shift.mjs", import.meta.url).href;
    await server.start({ CLOCK_SHIFT_MS: String((DELAY_SECONDS + 1) * 1_000) }, ["--import", shift]);
    await eventually(
      async () => (await show(ended[1] ?? "")).status === "Revoked" && (await mailOf(again[1] ?? "")).state === "sent",
      "the mails that were not withdrawn are sent",
    );
    const arrived = mailServer.arrived.slice(before).map(({ subject }) => subject);
    const times = (id: string | undefined) => arrived.filter((subject) => subject.includes(id ?? "")).length;
    expect([...ended, ...again].map(times)).toEqual([0, 1, 0, 1]);
    expect(await show(ended[0] ?? "")).toMatchObject({ status: "Discontinued", mails: expect.anything() });
  });
});
