import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "./eventually.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { backends } from "./installation.js";
import { submitLetter } from "./letters.js";
import { startMailServer, type TestMailServer } from "./mail-server.js";

/** Longer than the test takes before it lets the time pass. */
const DELAY_SECONDS = 600;
const contact_info = { banker_email: "desk@custody.example" };

describe.each(backends)("moves whose mails wait, and a SIGKILL, on %s", (backend) => {
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
    expect(server.output()).toContain('"outcome":"undone"');
  });
});
