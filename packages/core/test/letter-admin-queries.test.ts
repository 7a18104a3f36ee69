import { CoreError, letterFacts, letterToDo, type Uuid } from "@org/core";
import { letterStatuses } from "@org/letter-lifecycle";
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld, type World } from "./world.js";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const data = Buffer.from("%PDF-1.7\n%%EOF\n").toString("base64");
const BANKER = "banker@custody.example";
const submit = async (contact_info: object = { banker_email: BANKER }, more: object = {}) =>
  (await world.letters.createSigned(world.alice, { connector_id: "fra:custody", data, contact_info, ...more }, null))
    .letter_id;
const advance = (id: Uuid) => world.letterOperations.advance(world.operator, id, {});
const show = (id: Uuid) => world.letterOperations.show(id);
const correct = (id: Uuid, contact_info: Record<string, string | null>, mail = false) =>
  world.letterOperations.correctContacts(world.operator, id, { contact_info, mail });
const deliver = async () => {
  for (const lease of await world.delivery.claim(10)) await world.delivery.send(lease);
  return world.mailServer.accepted.splice(0).map(({ to }) => to);
};
const search = async (over: object = {}) => {
  const asked = { query: {}, page: 1, page_size: 20, order: "newest" as const, ...over };
  return (await world.letterAdmin.search(asked)).items;
};
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof CoreError ? [error.code, error.details?.map(({ field }) => field)] : error),
  );
const refused = { kind: "refused", permanent: true, reason: "550 no such user" } as const;

it("[C-7.31] a page by its number goes on by token, whatever the size of the pages", async () => {
  for (let made = 0; made < 7; made += 1) await submit();
  const asked = { query: {}, order: "newest" as const };
  const search = async (page: object) => {
    const { items, next_page_token } = await world.letterAdmin.search({ ...asked, page: 1, page_size: 3, ...page });
    return { ids: items.map(({ id }) => id), page_token: next_page_token };
  };
  const all = (await search({ page_size: 20 })).ids;
  const third = await search({ page: 3, page_size: 1 });
  expect(third.ids).toEqual(all.slice(2, 3));
  const behind = await search({ page_token: third.page_token });
  expect(behind.ids).toEqual(all.slice(3, 6));
  await submit();
  expect((await search({ page_token: third.page_token })).ids).toEqual(behind.ids);
  const last = await search({ page_token: behind.page_token });
  expect(last).toEqual({ ids: all.slice(6), page_token: null });
  expect(await search({ page: 9 })).toEqual({ ids: [], page_token: null });
});

describe("[C-7.33] contacts of a letter", () => {
  it("are corrected entry by entry; a mail that waits follows, and history and audit say who did it", async () => {
    const id = await submit({ banker_email: BANKER, phone: "+33 1", desk: "north" });
    await advance(id);
    const { contact_info, mails, history } = await correct(id, {
      banker_email: "right@custody.example",
      phone: null,
      fax: "+33 2",
    });
    expect(contact_info).toEqual({ banker_email: "right@custody.example", desk: "north", fax: "+33 2" });
    expect(mails).toMatchObject([{ state: "queued", recipient: "right@custody.example" }]);
    expect(history.at(-1)).toMatchObject({ event: "correct_contacts", actor: "operator" });
    expect(await deliver()).toEqual(["right@custody.example"]);
    const [line] = await world.storage.auditTrail.list({
      tenant_id: undefined,
      from: null,
      before: null,
      actor: null,
      trace_id: null,
      after: null,
      action: "letter.correct_contacts",
      object_id: id,
      order: "newest",
      limit: 1,
    });
    expect(line).toMatchObject({ actor: "operator", facts: {} });
  });

  it("do not mail what was sent again, unless that is asked for", async () => {
    const id = await submit();
    await advance(id);
    expect(await deliver()).toEqual([BANKER]);
    await correct(id, { banker_email: "right@custody.example" });
    expect(await deliver()).toEqual([]);
    const { mails, history } = await correct(id, {}, true);
    expect(mails.map(({ state, recipient }) => [state, recipient])).toEqual([
      ["sent", BANKER],
      ["queued", "right@custody.example"],
    ]);
    expect(history.at(-1)).toMatchObject({ event: "mail_again" });
    expect(await deliver()).toEqual(["right@custody.example"]);
  });

  it.each([
    ["failed", refused],
    ["is in doubt", { kind: "unknown", reason: "the line broke" } as const],
  ])("a mail that %s gives way to the new one", async (_how, outcome) => {
    const id = await submit();
    await advance(id);
    world.mailServer.next.push(outcome);
    expect(await deliver()).toEqual([]);
    const { mails, to_do } = await correct(id, { banker_email: "right@custody.example" }, true);
    expect(mails.map(({ state }) => state)).toEqual(["withdrawn", "queued"]);
    expect(to_do).toEqual(letterToDo.SentToCustodian);
    expect(await deliver()).toEqual(["right@custody.example"]);
  });

  it("taking the address away withdraws the mail that waits", async () => {
    const id = await submit();
    await advance(id);
    expect((await correct(id, { banker_email: null })).mails).toMatchObject([{ state: "withdrawn", recipient: null }]);
    expect(await refusal(correct(id, {}, true))).toEqual(["VALIDATION_ERROR", ["contact_info.banker_email"]]);
  });

  it("refuse what makes no sense, and change nothing", async () => {
    const id = await submit();
    expect(await refusal(correct(id, {}))).toEqual(["VALIDATION_ERROR", ["contact_info"]]);
    expect(await refusal(correct(id, { banker_email: "nobody" }))).toEqual([
      "VALIDATION_ERROR",
      ["contact_info.banker_email"],
    ]);
    expect(await refusal(correct(id, {}, true))).toEqual(["CONFLICT", undefined]);
    expect(await refusal(correct("01900000-0000-7000-8000-000000000000" as Uuid, { a: "b" }))).toEqual([
      "NOT_FOUND",
      undefined,
    ]);
    await world.letterOperations.cancel(world.operator, id, undefined);
    expect(await refusal(correct(id, { banker_email: BANKER }))).toEqual(["CONFLICT", undefined]);
    expect((await show(id)).history).toHaveLength(2);
  });

  it("of a discontinued letter only the address of its notice; mailed there, the letter is Revoked and the address forgotten", async () => {
    const id = await submit({});
    for (let step = 0; step < 5; step += 1) await advance(id);
    await world.letters.discontinue(world.alice, { letter_id: id });
    expect((await show(id)).to_do.by).toBe("operator");
    expect(await refusal(correct(id, { phone: "1" }))).toEqual(["CONFLICT", ["contact_info.phone"]]);
    await correct(id, { banker_email: BANKER }, true);
    expect(await deliver()).toEqual([BANKER]);
    expect(await show(id)).toMatchObject({ status: "Revoked", contact_info: {}, mails: [{ recipient: null }] });
  });
});

describe("[C-7.35] the address of a mail that was sent", () => {
  it("is shown until the letter ends, also of one that was confirmed", async () => {
    const [id, doubtful] = [await submit(), await submit()];
    await advance(id);
    expect(await deliver()).toEqual([BANKER]);
    await advance(doubtful);
    world.mailServer.next.push({ kind: "unknown", reason: "the line broke" });
    await deliver();
    const [mail] = (await show(doubtful)).mails;
    await world.mails.confirm(world.operator, mail?.mail_id as Uuid);
    for (const letter of [id, doubtful]) {
      expect((await show(letter)).mails).toMatchObject([{ state: "sent", recipient: BANKER }]);
      await world.letterOperations.cancel(world.operator, letter, undefined);
      expect((await show(letter)).mails).toMatchObject([{ state: "sent", recipient: null }]);
    }
  });
});

describe("[C-7.32] an operator's list", () => {
  it("says of every letter whose it is, what has to happen next and what became of its mails", async () => {
    const id = await submit();
    await advance(id);
    await deliver();
    world.runtime.advance(3 * 24 * 60 * 60_000);
    expect(await search()).toMatchObject([
      {
        id,
        tenant: "Alice & Co",
        custodian: "Banque de dépôt",
        days_in_status: 3,
        to_do: letterToDo.SentToCustodian,
        remarks: [],
        mails: [{ kind: "authorization_letter", state: "sent", recipient: BANKER }],
      },
    ]);
  });

  it("finds what is stuck: interrupted, or without the mail that its status calls for", async () => {
    const [fine, failed, unmailed, blocked] = [await submit(), await submit(), await submit({}), await submit()];
    for (const id of [fine, unmailed]) await advance(id);
    await deliver();
    await advance(failed);
    world.mailServer.next.push(refused);
    await deliver();
    for (let step = 0; step < 4; step += 1) await advance(blocked);
    await world.letterOperations.block(world.operator, blocked, undefined);
    const found = await search({ stuck: true, order: "oldest" });
    expect(found.map(({ id }) => id).sort()).toEqual([failed, unmailed, blocked].sort());
    for (const { to_do } of found) expect(to_do.by).toBe("operator");
    expect(found.find(({ id }) => id === failed)?.to_do.what).toContain("letters contacts");
  });

  it("[C-14.963] signs alone find nothing, and blanks are no text", async () => {
    await submit();
    expect(await search({ text: "!!!" })).toEqual([]);
    expect(await search({ text: "  " })).toHaveLength(1);
  });

  it("finds by the custodian's name and by words, without case and accents", async () => {
    const id = await submit({}, { labels: { client: "Müller & Söhne" } });
    await submit();
    const found = async (over: object) => (await search(over)).map((letter) => letter.id);
    expect(await found({ text: "  muller SÖH" })).toEqual([id]);
    expect(await found({ text: id.slice(0, 20) })).toContain(id);
    expect(await found({ custodian: "dépôt" })).toHaveLength(2);
    expect(await found({ custodian: "norte" })).toEqual([]);
    expect(await found({ custodian: "dépôt", query: { connector_id_in: ["esp:norte"] } })).toEqual([]);
    expect(await found({ tenant_id: world.bob.tenant_id })).toEqual([]);
  });

  it("has something to do for every status, in one table", () => {
    expect(Object.keys(letterToDo).sort()).toEqual([...letterStatuses].sort());
  });

  it("is overdue at some time wherever it waits for somebody, unless it is blocked already", () => {
    for (const status of letterStatuses)
      expect([status, letterFacts[status].overdue !== null]).toEqual([
        status,
        letterToDo[status].by !== "nobody" && status !== "Blocked",
      ]);
  });
});

describe("[C-7.34] many letters", () => {
  it("are moved each for itself: a refused one leaves the others alone, and stays as it is", async () => {
    const [one, two, ended] = [await submit(), await submit(), await submit()];
    await world.letterOperations.cancel(world.operator, ended, undefined);
    const unknown = "01900000-0000-7000-8000-000000000000";
    const letter_ids = [one, ended, unknown, two, one] as Parameters<
      typeof world.letterOperations.moveMany
    >[1]["letter_ids"][number][];
    const move = (over: object) =>
      world.letterOperations.moveMany(world.operator, { letter_ids, move: "advance", ...over });
    const moved = {
      outcome: "moved",
      from: "Signed",
      to: "SentToCustodian",
      version: 1,
      undo_until: null,
      error: null,
    };
    const nothing = { from: null, to: null, version: null, undo_until: null };
    expect(await move({ to: "SentToCustodian", note: "by courier" })).toEqual([
      { letter_id: one, ...moved },
      {
        letter_id: ended,
        outcome: "refused",
        ...nothing,
        error: expect.objectContaining({ code: "CONFLICT" }),
      },
      {
        letter_id: unknown,
        outcome: "refused",
        ...nothing,
        error: { code: "NOT_FOUND", message: "LetterNotFound" },
      },
      { letter_id: two, ...moved },
    ]);
    expect((await show(one)).history.at(-1)).toMatchObject({ note: "by courier" });
    // Sent again, no letter moves a second step.
    const again = await move({ to: "SentToCustodian" });
    expect(again.map(({ to }) => to)).toEqual(["SentToCustodian", null, null, "SentToCustodian"]);
    expect((await show(one)).history).toHaveLength(2);
    expect((await move({ move: "cancel" })).map(({ to }) => to)).toEqual(["Cancelled", "Cancelled", null, "Cancelled"]);
  });
});

describe("[C-7.36] [C-7.38] a letter that an operator submits for a tenant", () => {
  it("names the operator in its history, by name too", async () => {
    const actor = { ...world.operator, tenant_id: world.bob.tenant_id };
    const { letter_id } = await world.letters.createSigned(actor, { connector_id: "fra:custody", data }, null);
    const { tenant, history } = await show(letter_id);
    expect(tenant).toBe("Bob GmbH");
    expect(history).toMatchObject([{ event: "sign", actor: "operator", actor_name: "the name of operator" }]);
  });
});

describe("[C-7.30] a letter that the service writes", () => {
  it("names who is authorized, by the tenant's legal name and address; without them the operator is told", async () => {
    const request = { connector_id: "fra:custody", labels: {}, contact_info: {} };
    const details = { full_name: "Ana", address: ["Calle Mayor 1"], accounts: [], language: "en" as const };
    const written = async () => {
      const { id, remarks } = await world.letterOperations.request(world.alice, request);
      await world.letterOperations.collectDetails(world.operator, id, details);
      await advance(id);
      const { bytes } = await world.letterOperations.document(world.operator, id, "generated");
      return { remarks: [remarks, (await show(id)).remarks], text: Buffer.from(bytes).toString() };
    };
    const unnamed = await written();
    expect(unnamed.text).toContain('{"name":"Alice & Co","address":[]}');
    for (const remarks of unnamed.remarks)
      expect(remarks).toMatchObject([
        {
          code: "no_name_nor_address",
          what: expect.stringMatching(/legal name.*postal address/),
          detail: "Alice & Co",
        },
      ]);
    const profile = { legal_name: "Alice & Company Ltd", postal_address: ["1 High Street", "London"] };
    await world.storage.inTenant(world.alice.tenant_id, (stores) => stores.profile.change(profile));
    const named = await written();
    expect(named.text).toContain('{"name":"Alice & Company Ltd","address":["1 High Street","London"]}');
    expect(named.remarks).toEqual([[], []]);
  });
});
