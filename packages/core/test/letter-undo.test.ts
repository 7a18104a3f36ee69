import { CoreError, type Uuid } from "@org/core";
import { beforeEach, describe, expect, it } from "vitest";
import { advanceIn, submitTo } from "./letter-steps.js";
import { createWorld, type World } from "./world.js";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const contact_info = { banker_email: "desk@custody.example" };
const submit = () => submitTo(world, { contact_info });
const operations = () => world.patientOperations;
const advance = (id: Uuid) => operations().advance(world.operator, id, {});
const undo = (id: Uuid, options?: { version?: number; note?: string }) =>
  operations().undo(world.operator, id, options);
const show = (id: Uuid) => operations().show(id);
const send = async () => {
  for (const lease of await world.delivery.claim(10)) await world.delivery.send(lease);
};
/** The code and reason of a refusal. */
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof CoreError ? `${error.code} ${error.reason ?? ""}`.trim() : error),
  );

describe("[C-14.820] what a move mails waits, and is taken back with the move", () => {
  it("the mail waits until it is due; then it is sent, and nothing can be undone", async () => {
    const id = await submit();
    const moved = await advance(id);
    const until = new Date(world.runtime.clock().getTime() + 30_000).toISOString();
    expect(moved).toMatchObject({
      status: "SentToCustodian",
      undo: { to: "Signed", until },
      mails: [{ state: "queued", next_attempt_at: until }],
    });
    await send();
    expect(world.mailServer.accepted).toEqual([]);
    world.runtime.advance(30_000);
    expect((await show(id)).undo).toBeNull();
    expect(await refusal(undo(id))).toBe("CONFLICT mail_has_left");
    await send();
    expect(world.mailServer.accepted).toMatchObject([{ to: "desk@custody.example" }]);
    expect(await refusal(undo(id))).toBe("CONFLICT mail_has_left");
    expect(await show(id)).toMatchObject({ status: "SentToCustodian", mails: [{ state: "sent" }] });
  });

  it("undoing gives the letter its status and its age back, withdraws the mail, and says who did it", async () => {
    const id = await submit();
    const before = await show(id);
    world.runtime.advance(60_000);
    const { version } = await advance(id);
    world.runtime.advance(29_999);
    const undone = await undo(id, { version, note: "wrong desk" });
    expect(undone).toMatchObject({
      status: "Signed",
      status_since: before.status_since,
      undo: null,
      documents: before.documents,
      contact_info,
      mails: [{ state: "withdrawn", recipient: null }],
    });
    expect(undone.history.at(-1)).toMatchObject({
      event: "undo",
      from: "SentToCustodian",
      to: "Signed",
      actor: "operator",
      note: "wrong desk",
    });
    expect(world.undone).toMatchObject([{ letter_id: id, kind: "authorization_letter" }]);
    world.runtime.advance(60_000);
    await send();
    expect(world.mailServer.accepted).toEqual([]);
    // The move can be made again, with a mail of its own.
    await advance(id);
    world.runtime.advance(30_000);
    await send();
    expect(world.mailServer.accepted).toHaveLength(1);
  });

  it("a second undo, whose first answer was lost, is answered as it is; another version is refused", async () => {
    const id = await submit();
    const { version } = await advance(id);
    const first = await undo(id, { version });
    expect(await undo(id, { version })).toEqual(first);
    expect(await undo(id)).toEqual(first);
    expect(await refusal(undo(id, { version: version + 7 }))).toBe("CONFLICT changed_meanwhile");
    expect(world.undone).toHaveLength(1);
  });

  it.each([
    ["observations", (id: Uuid) => operations().observe(world.operator, id, "a remark")],
    [
      "contacts",
      (id: Uuid) => operations().correctContacts(world.operator, id, { contact_info: { phone: "+33 2" }, mail: false }),
    ],
  ])("a letter that was changed since (%s) is not undone, and its mail leaves", async (_what, change) => {
    const id = await submit();
    await advance(id);
    await change(id);
    expect((await show(id)).undo).toBeNull();
    expect(await refusal(undo(id))).toBe("CONFLICT nothing_to_undo");
    world.runtime.advance(30_000);
    await send();
    expect(world.mailServer.accepted).toHaveLength(1);
  });

  it("a move that mails nothing, and the end of a letter, cannot be undone", async () => {
    const quiet = await submitTo(world);
    await advance(quiet);
    expect(await refusal(undo(quiet))).toBe("CONFLICT mail_has_left");
    const ended = await submit();
    await operations().cancel(world.operator, ended);
    expect(await refusal(undo(ended))).toBe("CONFLICT nothing_to_undo");
    expect(await refusal(undo(await submit()))).toBe("CONFLICT nothing_to_undo");
  });

  it("a corrected address does not make a waiting mail leave sooner; sending it now does", async () => {
    const id = await submit();
    const moved = await advance(id);
    await operations().correctContacts(world.operator, id, {
      contact_info: { banker_email: "other@custody.example" },
      mail: false,
    });
    await send();
    expect(world.mailServer.accepted).toEqual([]);
    await world.mails.retry(world.operator, moved.mails[0]?.mail_id as Uuid, undefined);
    await send();
    expect(world.mailServer.accepted).toMatchObject([{ to: "other@custody.example" }]);
  });

  it("[C-14.821] many moves are undone one by one: each that still can, with a result for each", async () => {
    const ids = [await submit(), await submit(), await submit()];
    const moved = await operations().moveMany(world.operator, { letter_ids: ids, move: "advance" });
    expect(moved.every(({ undo_until }) => undo_until !== null)).toBe(true);
    const versions = Object.fromEntries(moved.map(({ letter_id, version }) => [letter_id, version ?? 0]));
    await operations().observe(world.operator, ids[1] as Uuid, "changed since");
    const undone = await operations().moveMany(world.operator, { letter_ids: ids, move: "undo", versions });
    expect(undone).toMatchObject([
      { outcome: "moved", from: "SentToCustodian", to: "Signed", error: null },
      { outcome: "refused", error: { code: "CONFLICT" } },
      { outcome: "moved", from: "SentToCustodian", to: "Signed", error: null },
    ]);
  });
});

describe("[C-14.822] no letter moves past a mail in doubt before somebody decides", () => {
  const doubted = async () => {
    const id = await submit();
    const { mails } = await world.letterOperations.advance(world.operator, id, {});
    world.mailServer.next.push({ kind: "unknown", reason: "the line broke" });
    await send();
    return { id, mail_id: mails[0]?.mail_id as Uuid };
  };

  it("every move is refused with the reason, alone, of many, and in a preview", async () => {
    const { id } = await doubted();
    const { moves } = await show(id);
    expect(moves.map(({ move, waits_for }) => [move, waits_for])).toEqual([
      ["advance", "mail_in_doubt"],
      ["cancel", "mail_in_doubt"],
    ]);
    expect(await refusal(advance(id))).toBe("CONFLICT mail_in_doubt");
    expect(await refusal(operations().cancel(world.operator, id))).toBe("CONFLICT mail_in_doubt");
    const refused = { outcome: "refused", error: { code: "CONFLICT", reason: "mail_in_doubt" } };
    expect(await operations().moveMany(world.operator, { letter_ids: [id], move: "advance" })).toMatchObject([refused]);
    expect(await operations().previewMoves({ letter_ids: [id], move: "cancel" })).toMatchObject([refused]);
    expect(await show(id)).toMatchObject({ status: "SentToCustodian", mails: [{ state: "in_doubt" }] });
  });

  it.each([
    ["it arrived", (mail: Uuid) => world.mails.confirm(world.operator, mail), "sent"],
    ["send it again", (mail: Uuid) => world.mails.retry(world.operator, mail, undefined), "queued"],
    ["do not send it", (mail: Uuid) => world.mails.withdraw(world.operator, mail), "withdrawn"],
  ] as const)("once decided (%s), the letter moves", async (_decision, decide, state) => {
    const { id, mail_id } = await doubted();
    expect(await decide(mail_id)).toMatchObject({ state });
    expect(await refusal(advance(id))).toBeNull();
  });

  it("a mail that is decided is not withdrawn again, nor one that was sent", async () => {
    const { mail_id } = await doubted();
    await world.mails.withdraw(world.operator, mail_id);
    expect(await refusal(world.mails.withdraw(world.operator, mail_id))).toBe("CONFLICT mail_settled");
  });

  it("the custodian's address is corrected and the mail sent again in one step, which decides too", async () => {
    const { id } = await doubted();
    await operations().correctContacts(world.operator, id, {
      contact_info: { banker_email: "other@custody.example" },
      mail: true,
    });
    expect((await show(id)).mails).toMatchObject([{ state: "withdrawn" }, { state: "queued" }]);
    expect(await refusal(advance(id))).toBeNull();
  });

  it("its tenant ends it all the same: the specification has no such refusal, and tenants cannot see mails", async () => {
    const { id } = await doubted();
    await world.letters.discontinue(world.alice, { letter_id: id });
    expect(await show(id)).toMatchObject({ status: "Cancelled", mails: [{ state: "withdrawn", recipient: null }] });
  });
});

describe("[C-14.900] what is told of an end waits, though the end itself is final", () => {
  const connected = async () => (await advanceIn(world, await submit(), "Connected")).id as Uuid;
  const ends = [
    ["its tenant", (id: Uuid) => world.patient.letters.discontinue(world.alice, { letter_id: id })],
    [
      "the deletion of its connection",
      async (id: Uuid) => world.patient.credentials.remove(world.alice, String((await show(id)).connection_id), true),
    ],
  ] as const;

  it.each(ends)(
    "ended by %s: data and documents are gone at once, and the notice leaves when it is due",
    async (_who, end) => {
      const id = await connected();
      world.mailServer.accepted.length = 0;
      await end(id);
      const until = new Date(world.runtime.clock().getTime() + 30_000).toISOString();
      expect(await show(id)).toMatchObject({ status: "Discontinued", connection_id: null, documents: [], undo: null });
      expect((await show(id)).mails.at(-1)).toMatchObject({ state: "queued", next_attempt_at: until });
      await send();
      expect(world.mailServer.accepted).toEqual([]);
      world.runtime.advance(30_000);
      await send();
      expect(world.mailServer.accepted).toMatchObject([{ to: "desk@custody.example" }]);
      expect(await show(id)).toMatchObject({ status: "Revoked" });
    },
  );

  it("a notice that is withdrawn meanwhile never leaves, and its letter says that the custodian is to be told", async () => {
    const id = await connected();
    world.mailServer.accepted.length = 0;
    await world.patient.letters.discontinue(world.alice, { letter_id: id });
    const notice = (await show(id)).mails.at(-1)?.mail_id as Uuid;
    expect(await world.mails.withdraw(world.operator, notice)).toMatchObject({ state: "withdrawn", recipient: null });
    world.runtime.advance(60_000);
    await send();
    expect(world.mailServer.accepted).toEqual([]);
    expect(await show(id)).toMatchObject({ status: "Discontinued", to_do: { code: "unmailed_revocation_notice" } });
    // It can be sent after all.
    await operations().correctContacts(world.operator, id, { contact_info: {}, mail: true });
    world.runtime.advance(30_000);
    await send();
    expect(await show(id)).toMatchObject({ status: "Revoked" });
  });

  it("a notice that has left, or is leaving, is not withdrawn", async () => {
    const id = await connected();
    await world.patient.letters.discontinue(world.alice, { letter_id: id });
    const notice = (await show(id)).mails.at(-1)?.mail_id as Uuid;
    world.runtime.advance(30_000);
    const [lease] = await world.delivery.claim(10);
    expect((await show(id)).mails.at(-1)).toMatchObject({ state: "queued", next_attempt_at: null });
    expect(await refusal(world.mails.withdraw(world.operator, notice))).toBe("CONFLICT mail_has_left");
    if (lease) await world.delivery.send(lease);
    expect(await refusal(world.mails.withdraw(world.operator, notice))).toBe("CONFLICT mail_has_left");
  });
});

describe("[C-14.901] a mail that is sent again waits, and can be withdrawn meanwhile", () => {
  const failed = async (outcome: "refused" | "unknown") => {
    const id = await submit();
    const { mails } = await world.letterOperations.advance(world.operator, id, {});
    world.mailServer.next.push(
      outcome === "unknown"
        ? { kind: "unknown", reason: "the line broke" }
        : { kind: "refused", permanent: true, reason: "no such box" },
    );
    await send();
    world.mailServer.accepted.length = 0;
    return { id, mail_id: mails[0]?.mail_id as Uuid };
  };

  it.each(["refused", "unknown"] as const)("%s: it leaves once it is due, and once", async (outcome) => {
    const { mail_id } = await failed(outcome);
    const until = new Date(world.runtime.clock().getTime() + 30_000).toISOString();
    const again = await world.patient.mails.retry(world.operator, mail_id, undefined);
    expect(again).toMatchObject({ state: "queued", next_attempt_at: until });
    await send();
    expect(world.mailServer.accepted).toEqual([]);
    world.runtime.advance(30_000);
    await send();
    await send();
    expect(world.mailServer.accepted).toHaveLength(1);
  });

  it("withdrawn meanwhile, it never leaves; the letter says that nothing was mailed, and can move", async () => {
    const { id, mail_id } = await failed("unknown");
    await world.patient.mails.retry(world.operator, mail_id, undefined);
    await world.patient.mails.withdraw(world.operator, mail_id);
    world.runtime.advance(60_000);
    await send();
    expect(world.mailServer.accepted).toEqual([]);
    expect((await show(id)).to_do).toMatchObject({ code: "unmailed_authorization_letter" });
    expect(await refusal(advance(id))).toBeNull();
  });

  it("with corrected contacts it waits too; a mail that waits already leaves at once when it is sent again", async () => {
    const { id } = await failed("refused");
    const contacts = { contact_info: { banker_email: "other@custody.example" }, mail: true };
    const { mails } = await operations().correctContacts(world.operator, id, contacts);
    await send();
    expect(world.mailServer.accepted).toEqual([]);
    await world.patient.mails.retry(world.operator, mails.at(-1)?.mail_id as Uuid, undefined);
    await send();
    expect(world.mailServer.accepted).toMatchObject([{ to: "other@custody.example" }]);
  });
});
