import { CoreError, letterDetailsSchema, type MailOutcome, type Uuid } from "@org/core";
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld, type World } from "./world.js";

const MINUTE = 60_000;
let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const pdf = (text: string) => Buffer.from(`%PDF-1.7\n${text}\n%%EOF\n`);
const submit = async (more: object = {}) => {
  const body = {
    connector_id: "fra:custody",
    data: pdf("signed").toString("base64"),
    annex: pdf("annex").toString("base64"),
    contact_info: { banker_email: "banker@custody.example", phone: "+33 1" },
    ...more,
  };
  return (await world.letters.createSigned(world.alice, body, null)).letter_id;
};
const advance = (letterId: Uuid) => world.letterOperations.advance(world.operator, letterId, {});
const advanceTo = async (letterId: Uuid, status: string) => {
  for (;;) if ((await advance(letterId)).status === status) return;
};
const show = (letterId: Uuid) => world.letterOperations.show(letterId);
/** Sends everything that is due; returns the outcomes. */
const deliver = async () => {
  world.mailReports.length = 0;
  for (const lease of await world.delivery.claim(10)) await world.delivery.send(lease);
  return world.mailReports.map(({ kind, outcome }) => `${kind}: ${outcome}`);
};
const code = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof CoreError ? error.code : error),
  );

describe("[C-7.16] mail to the custodian", () => {
  it("SentToCustodian mails the signed letter and never the annex, once", async () => {
    const id = await submit();
    expect(await deliver()).toEqual([]);
    const { mails, remarks } = await advance(id);
    expect(mails).toMatchObject([
      { kind: "authorization_letter", state: "queued", recipient: "banker@custody.example", attempts: 0 },
    ]);
    expect(remarks).toEqual([]);
    expect(await deliver()).toEqual(["authorization_letter: sent"]);
    const [mail] = world.mailServer.accepted;
    expect(mail).toMatchObject({ to: "banker@custody.example", message_id: mails[0]?.mail_id });
    expect(mail?.subject).toContain(id);
    expect(mail?.text).toContain("Banque de dépôt");
    expect(mail?.attachments.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([pdf("signed").toString()]);
    world.runtime.advance(24 * 60 * MINUTE);
    expect(await deliver()).toEqual([]);
    expect((await show(id)).mails).toMatchObject([{ state: "sent", recipient: "banker@custody.example", attempts: 1 }]);
  });

  it("a custodian's name that stands over two lines is one line of the mail", async () => {
    const connector = {
      id: "fra:lines",
      name: "Banque\n\nBcc: everybody@example.com",
      country: "fra",
      type: "datafeed",
    };
    await world.connectors.importLines([JSON.stringify(connector)]);
    await advance(await submit({ connector_id: "fra:lines" }));
    expect(await deliver()).toEqual(["authorization_letter: sent"]);
    expect(world.mailServer.accepted[0]?.text).toContain("To Banque Bcc: everybody@example.com:");
  });

  it("without banker_email nothing is mailed, and the operator is told so", async () => {
    const id = await submit({ contact_info: {} });
    const { mails, remarks } = await advance(id);
    expect(mails).toEqual([]);
    expect(remarks).toMatchObject([{ code: "unmailed_authorization_letter", detail: null }]);
    expect(await deliver()).toEqual([]);
  });

  it("a letter that moves on before its mail was sent is not mailed any more", async () => {
    const id = await submit();
    await advance(id);
    expect((await advance(id)).mails).toMatchObject([{ state: "withdrawn", recipient: null }]);
    expect(await deliver()).toEqual([]);
  });

  it("what a server refuses for the moment is tried again later, up to thirteen times; then it has failed", async () => {
    const id = await submit();
    await advance(id);
    const busy: MailOutcome = { kind: "refused", permanent: false, reason: "450 banker@custody.example is busy" };
    const waits: number[] = [];
    for (let attempt = 1; attempt < 13; attempt += 1) {
      world.mailServer.next.push(busy);
      expect(await deliver()).toEqual(["authorization_letter: postponed"]);
      expect(await deliver()).toEqual([]);
      const [mail] = (await show(id)).mails;
      waits.push((Date.parse(mail?.next_attempt_at ?? "") - world.runtime.clock().getTime()) / MINUTE);
      world.runtime.advance((waits.at(-1) ?? 0) * MINUTE);
    }
    expect(waits).toEqual([1, 4, 16, 64, 256, 360, 360, 360, 360, 360, 360, 360]);
    world.mailServer.next.push(busy);
    expect(await deliver()).toEqual(["authorization_letter: failed"]);
    const { mails, remarks } = await show(id);
    expect(mails).toMatchObject([{ state: "failed", attempts: 13, last_error: "450 the recipient is busy" }]);
    expect(remarks).toEqual([
      {
        code: "authorization_letter_failed",
        what: "the mail to the custodian could not be sent: 450 the recipient is busy",
        detail: "450 the recipient is busy",
      },
    ]);
    world.runtime.advance(1_000 * MINUTE);
    expect(await deliver()).toEqual([]);
    const mailId = mails[0]?.mail_id as Uuid;
    expect(await world.mails.retry(world.operator, mailId, "other@custody.example")).toMatchObject({ state: "queued" });
    expect(await deliver()).toEqual(["authorization_letter: sent"]);
    expect(world.mailServer.accepted.map(({ to }) => to)).toEqual(["other@custody.example"]);
    expect(await code(world.mails.retry(world.operator, mailId, undefined))).toBe("CONFLICT");
    expect(await code(world.mails.confirm(world.operator, mailId))).toBe("CONFLICT");
  });

  it("what a server refuses for good has failed at once", async () => {
    const id = await submit();
    await advance(id);
    world.mailServer.next.push({ kind: "refused", permanent: true, reason: "550 no such user" });
    expect(await deliver()).toEqual(["authorization_letter: failed"]);
    expect((await world.mails.list({ state_in: ["failed"], page_size: 10 })).items).toMatchObject([{ letter_id: id }]);
  });

  it("a message that left without an answer is in doubt: nobody sends it again but an operator", async () => {
    const id = await submit();
    await advance(id);
    world.mailServer.next.push({ kind: "unknown", reason: "the line broke" });
    expect(await deliver()).toEqual(["authorization_letter: in_doubt"]);
    world.runtime.advance(1_000 * MINUTE);
    expect(await deliver()).toEqual([]);
    const [mail] = (await show(id)).mails;
    expect((await show(id)).remarks).toMatchObject([{ code: "authorization_letter_in_doubt", detail: null }]);
    expect(await world.mails.confirm(world.operator, mail?.mail_id as Uuid)).toMatchObject({ state: "sent" });
  });

  it("a sender that dies while the message leaves makes it doubtful, one that dies before is followed by another", async () => {
    const [before, during] = [await submit(), await submit()];
    await advance(before);
    world.mailServer.next.push(() => new Promise<MailOutcome>(() => undefined));
    for (const lease of await world.delivery.claim(10)) void world.delivery.send(lease);
    await advance(during);
    world.mailServer.next.push("dies while the message leaves");
    for (const lease of await world.delivery.claim(10)) void world.delivery.send(lease);
    await expect
      .poll(
        async () =>
          (await world.storage.mailQueue.list({ tenant_id: null, state_in: null, after: null, limit: 9 })).filter(
            (mail) => mail.handing_over,
          ).length,
      )
      .toBe(1);
    expect(await deliver()).toEqual([]);
    world.runtime.advance(10 * MINUTE);
    expect((await deliver()).toSorted()).toEqual(["authorization_letter: in_doubt", "authorization_letter: sent"]);
    expect((await show(before)).mails).toMatchObject([{ state: "sent" }]);
    expect((await show(during)).mails).toMatchObject([{ state: "in_doubt", attempts: 1 }]);
    expect(world.mailServer.accepted).toHaveLength(1);
  });

  it("a letter that is cancelled while its message is on the way is not delivered", async () => {
    const id = await submit();
    await advance(id);
    const leases = await world.delivery.claim(10);
    await world.letters.discontinue(world.alice, { letter_id: id });
    for (const lease of leases) await world.delivery.send(lease);
    expect(world.mailServer.accepted).toEqual([]);
    expect(world.mailReports).toMatchObject([{ outcome: "superseded" }]);
  });

  describe("a letter that moves on while its message leaves", () => {
    /** Sends a mail whose letter is moved after the hand-over is recorded and before the server answers. */
    const overtaken = async (move: (id: Uuid) => Promise<unknown>, outcome: MailOutcome) => {
      const id = await submit();
      await advance(id);
      world.mailServer.next.push(async (_message, beforeLast) => {
        expect(await beforeLast()).toBe(true);
        await move(id);
        return outcome;
      });
      const outcomes = await deliver();
      world.runtime.advance(1_000 * MINUTE);
      expect(await deliver()).toEqual([]);
      return { outcomes, mail: (await show(id)).mails[0] };
    };
    const busy: MailOutcome = { kind: "refused", permanent: false, reason: "451 later" };
    const gone: MailOutcome = { kind: "refused", permanent: true, reason: "550 no" };

    it.each([
      ["for the moment", busy],
      ["for good", gone],
    ])("is not mailed when the server refuses %s, and its address is forgotten", async (_how, outcome) => {
      const { outcomes, mail } = await overtaken(advance, outcome);
      expect(outcomes).toEqual(["authorization_letter: superseded"]);
      expect(mail).toMatchObject({ state: "withdrawn", recipient: null, last_error: null });
    });

    it("stays in doubt without an answer, and cannot be sent again", async () => {
      const discontinue = (letter_id: string) => world.letters.discontinue(world.alice, { letter_id });
      const { mail } = await overtaken(discontinue, { kind: "unknown", reason: "the line broke" });
      expect(mail).toMatchObject({ state: "in_doubt", recipient: null });
      const retry = world.mails.retry(world.operator, mail?.mail_id as Uuid, "b@custody.example");
      expect(await code(retry)).toBe("CONFLICT");
      expect(await world.mails.confirm(world.operator, mail?.mail_id as Uuid)).toMatchObject({ state: "sent" });
    });

    it("was mailed when the server accepts", async () => {
      const { mail } = await overtaken(advance, { kind: "accepted" });
      expect(mail).toMatchObject({ state: "sent", recipient: null });
    });
  });

  it("what a server says is told without the address, whatever its case, and without what a terminal obeys", async () => {
    const id = await submit();
    await advance(id);
    world.mailServer.next.push({
      kind: "refused",
      permanent: true,
      reason: "550 <BANKER@Custody.example>\u0000 \u001b[31mno such user",
    });
    expect(await deliver()).toEqual(["authorization_letter: failed"]);
    const said = "550 <the recipient> [31mno such user";
    expect((await show(id)).mails).toMatchObject([{ state: "failed", last_error: said }]);
    expect(world.mailReports).toMatchObject([{ error: said }]);
  });

  it("mail of a tenant that is switched off waits", async () => {
    await advance(await submit());
    await world.tenants.setEnabled(world.operator, world.alice.tenant_id as Uuid, false);
    expect(await deliver()).toEqual([]);
    await world.tenants.setEnabled(world.operator, world.alice.tenant_id as Uuid, true);
    expect(await deliver()).toEqual(["authorization_letter: sent"]);
  });
});

describe("[S2-3.18] [C-7.19] the notice to the custodian", () => {
  it("follows Discontinued, brings no document, and its delivery makes the letter Revoked and forgets whom to contact", async () => {
    const id = await submit();
    await advanceTo(id, "Connected");
    await world.letters.discontinue(world.alice, { letter_id: id });
    expect(await show(id)).toMatchObject({
      status: "Discontinued",
      contact_info: { banker_email: "banker@custody.example" },
      mails: [{ kind: "authorization_letter" }, { kind: "revocation_notice", state: "queued" }],
    });
    expect((await show(id)).contact_info).not.toHaveProperty("phone");
    expect(await deliver()).toEqual(["revocation_notice: sent"]);
    expect(world.mailServer.accepted).toMatchObject([{ attachments: [] }]);
    const { status, contact_info, history } = await show(id);
    expect({ status, contact_info }).toEqual({ status: "Revoked", contact_info: {} });
    expect(history.at(-1)).toMatchObject({ event: "revoke", actor: "system", from: "Discontinued", to: "Revoked" });
  });

  it("an operator who told the custodian otherwise advances the letter, and the notice is withdrawn", async () => {
    const id = await submit();
    await advanceTo(id, "Connected");
    await world.letters.discontinue(world.alice, { letter_id: id });
    expect(await advance(id)).toMatchObject({ status: "Revoked" });
    expect((await show(id)).mails.at(-1)).toMatchObject({ kind: "revocation_notice", state: "withdrawn" });
    expect(await deliver()).toEqual([]);
  });

  it("confirming a notice in doubt makes the letter Revoked", async () => {
    const id = await submit();
    await advanceTo(id, "Connected");
    await world.letters.discontinue(world.alice, { letter_id: id });
    world.mailServer.next.push({ kind: "unknown", reason: "the line broke" });
    expect(await deliver()).toEqual(["revocation_notice: in_doubt"]);
    expect(await show(id)).toMatchObject({ status: "Discontinued" });
    await world.mails.confirm(world.operator, (await show(id)).mails.at(-1)?.mail_id as Uuid);
    expect(await show(id)).toMatchObject({ status: "Revoked", mails: [{}, { state: "sent", recipient: null }] });
  });
});

describe("what an ended letter leaves", () => {
  it.each([
    ["Cancelled", "Signed"],
    ["Discontinued", "Connected"],
  ])("%s: no documents", async (status, from) => {
    const id = await submit();
    if (from !== "Signed") await advanceTo(id, from);
    await world.letters.discontinue(world.alice, { letter_id: id });
    expect((await show(id)).status).toBe(status);
    for (const kind of ["letter", "annex", "generated"] as const)
      expect(await code(world.letterOperations.document(world.operator, id, kind))).toBe("NOT_FOUND");
  });
});

describe("two who move one letter", () => {
  it("advance without a target: one wins, the other is told", async () => {
    const id = await submit();
    const outcomes = await Promise.all([1, 2, 3].map(() => code(advance(id))));
    // The memory storage runs them one after the other, each on the current letter; a database may refuse some.
    expect(outcomes.every((outcome) => outcome === null || outcome === "CONFLICT")).toBe(true);
    const { history } = await show(id);
    expect(history).toHaveLength(1 + outcomes.filter((outcome) => outcome === null).length);
  });
});

describe("[C-14.780] what a move does besides the change of status is shown before it is made", () => {
  const bankerEmail = { banker_email: "banker@custody.example" };
  const requested = async (contact_info: Readonly<Record<string, string>>, email?: string) => {
    const request = { connector_id: "fra:custody", labels: {}, contact_info };
    const id = (await world.letterOperations.request(world.alice, request)).id as Uuid;
    const details = { full_name: "Ada Meier", address: ["Main Street 1"], ...(email && { email }) };
    await world.letterOperations.collectDetails(world.operator, id, letterDetailsSchema.parse(details));
    return id;
  };
  /** Makes a move and returns what was shown before it, and what it did. */
  const shownAndDone = async (id: Uuid, move: "advance" | "cancel") => {
    const before = await show(id);
    const shown = before.moves.find((possible) => possible.move === move)?.effects;
    const [preview] = await world.letterOperations.previewMoves({ letter_ids: [id], move });
    expect(preview?.effects).toEqual(shown);
    const after = await world.letterOperations[move](world.operator, id, {});
    const known = new Map(before.mails.map(({ mail_id, state }) => [mail_id, state]));
    const queued = after.mails.find(({ mail_id }) => !known.has(mail_id));
    const withdrawn = after.mails.filter(({ mail_id, state }) => state === "withdrawn" && known.get(mail_id) !== state);
    const done = {
      mail: queued === undefined ? null : { kind: queued.kind, recipient: queued.recipient },
      withdrawn_mails: withdrawn.length,
      deleted_documents: Math.max(before.documents.length - after.documents.length, 0),
    };
    return { status: after.status, shown, done };
  };

  it("mails with their addressee, mails that are withdrawn, documents that are deleted", async () => {
    const id = await requested(bankerEmail, "ada@meier.example");
    const generated = await shownAndDone(id, "advance");
    expect(generated).toMatchObject({ status: "Generated", shown: { mail: null, withdrawn_mails: 0 } });
    const sent = await shownAndDone(id, "advance");
    expect(sent.shown).toMatchObject({ mail: { kind: "signature_request", recipient: "ada@meier.example" } });
    const ended = await shownAndDone(id, "cancel");
    expect(ended.shown).toEqual({ mail: null, withdrawn_mails: 1, deleted_documents: 1 });
    const custodian = await shownAndDone(await submit(), "advance");
    expect(custodian.shown).toMatchObject({ mail: { recipient: "banker@custody.example" }, deleted_documents: 0 });
    for (const { shown, done } of [generated, sent, ended, custodian]) expect(done).toEqual(shown);
  });

  it("a mail without an address is said not to be sent", async () => {
    const { shown, done } = await shownAndDone(await submit({ contact_info: {} }), "advance");
    expect(shown?.mail).toEqual({ kind: "authorization_letter", recipient: null });
    expect(done.mail).toBeNull();
  });
});
