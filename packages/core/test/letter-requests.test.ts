import { CoreError, letterDetailsSchema, type Uuid } from "@org/core";
import { beforeEach, describe, expect, it } from "vitest";
import { createWorld, type World } from "./world.js";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const base64 = (text: string) => Buffer.from(`%PDF-1.7\n${text}\n%%EOF\n`).toString("base64");
const details = (over: object = {}) =>
  letterDetailsSchema.parse({
    full_name: "Zoë Müller",
    address: ["1 rue de la Paix", "75002 Paris"],
    email: "zoe@client.example",
    language: "fr",
    ...over,
  });
const request = () =>
  world.letterOperations.request(world.alice, {
    connector_id: "fra:custody",
    labels: { client: "7" },
    contact_info: { banker_email: "banker@custody.example" },
  });
const advance = (id: Uuid) => world.letterOperations.advance(world.operator, id, {});
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof CoreError ? [error.code, error.details?.map(({ field }) => field)] : error),
  );

describe("[S2-3.1] a letter that the service generates", () => {
  it("[S2-3.2] [S2-3.3] [S2-3.4] goes from the request over details, generation, mail and signature to Signed", async () => {
    const { id, status } = await request();
    expect(status).toBe("NewRequest");
    expect(await refusal(advance(id))).toEqual(["CONFLICT", undefined]);

    expect(await world.letterOperations.collectDetails(world.operator, id, details())).toMatchObject({
      status: "UsersDetail",
      details: { full_name: "Zoë Müller", language: "fr" },
    });
    const corrected = details({ full_name: "Zoé Müller" });
    expect(await world.letterOperations.collectDetails(world.operator, id, corrected)).toMatchObject({
      status: "UsersDetail",
    });
    expect((await advance(id)).status).toBe("Generated");
    const generated = await world.letterOperations.document(world.operator, id, "generated");
    expect(Buffer.from(generated.bytes).toString()).toContain("Zoé Müller");
    expect(await refusal(world.letterOperations.collectDetails(world.operator, id, details()))).toEqual([
      "CONFLICT",
      undefined,
    ]);

    expect(await advance(id)).toMatchObject({
      status: "SentToUser",
      mails: [{ kind: "signature_request", recipient: "zoe@client.example" }],
    });
    for (const lease of await world.delivery.claim(5)) await world.delivery.send(lease);
    const [mail] = world.mailServer.accepted;
    expect(mail?.subject).toBe("À signer : lettre d’autorisation pour Banque de dépôt");
    expect(Buffer.from(mail?.attachments[0]?.bytes ?? []).toString()).toContain("Zoé Müller");

    expect(await refusal(advance(id))).toEqual(["CONFLICT", undefined]);
    const signed = { data: base64("signed by hand"), annex: null };
    expect((await world.letterOperations.attachSigned(world.operator, { letter_id: id, ...signed })).status).toBe(
      "Signed",
    );
    expect((await advance(id)).status).toBe("SentToCustodian");
    for (const lease of await world.delivery.claim(5)) await world.delivery.send(lease);
    expect(Buffer.from(world.mailServer.accepted[1]?.attachments[0]?.bytes ?? []).toString()).toContain(
      "signed by hand",
    );
    const { history } = await world.letterOperations.show(id);
    expect(history.map(({ event, to }) => `${event} ${to}`)).toEqual([
      "request NewRequest",
      "collect_details UsersDetail",
      "correct_details UsersDetail",
      "generate Generated",
      "send_to_user SentToUser",
      "sign Signed",
      "send_to_custodian SentToCustodian",
    ]);
  });

  it("is refused for a connector that is not there", async () => {
    const nowhere = { connector_id: "fra:none", labels: {}, contact_info: {} };
    expect(await refusal(world.letterOperations.request(world.alice, nowhere))).toEqual([
      "VALIDATION_ERROR",
      ["connector_id"],
    ]);
  });

  it("without an e-mail address the operator is told to hand the letter over", async () => {
    const { id } = await request();
    await world.letterOperations.collectDetails(world.operator, id, details({ email: undefined }));
    await advance(id);
    expect(await advance(id)).toMatchObject({
      status: "SentToUser",
      mails: [],
      remarks: [{ code: "unmailed_signature_request", what: expect.stringContaining("over yourself"), detail: null }],
    });
  });

  it("a signed letter that is no PDF is refused with every fault, and one that nobody waits for is a conflict", async () => {
    const { id } = await request();
    const attach = (data: string, annex: string | null) =>
      refusal(world.letterOperations.attachSigned(world.operator, { letter_id: id, data, annex }));
    expect(await attach("%%%", "hello")).toEqual(["VALIDATION_ERROR", ["data", "annex"]]);
    expect(await attach(base64("x".repeat(6_000)), null)).toEqual(["TOO_LARGE", ["data"]]);
    expect(await attach(base64("signed"), null)).toEqual(["CONFLICT", undefined]);
    expect(await refusal(world.letterOperations.document(world.operator, id, "letter"))).toEqual([
      "NOT_FOUND",
      undefined,
    ]);
  });

  it("can be cancelled until it was Connected, and then keeps neither details nor documents nor contacts", async () => {
    const { id } = await request();
    await world.letterOperations.collectDetails(world.operator, id, details());
    await advance(id);
    const cancelled = await world.letterOperations.cancel(world.operator, id, { note: "changed their mind" });
    expect(cancelled).toMatchObject({ status: "Cancelled", details: null, contact_info: {}, labels: { client: "7" } });
    expect(cancelled.history.at(-1)).toMatchObject({ event: "discontinue", note: "changed their mind" });
    expect(await world.letterOperations.cancel(world.operator, id, undefined)).toEqual(cancelled);
    const signed = await world.letters.createSigned(
      world.alice,
      { connector_id: "fra:custody", data: base64("x") },
      null,
    );
    for (let step = 0; step < 5; step += 1) await advance(signed.letter_id);
    expect(await refusal(world.letterOperations.cancel(world.operator, signed.letter_id, undefined))).toEqual([
      "CONFLICT",
      undefined,
    ]);
  });
});

describe("details", () => {
  it.each<[object, string[]]>([
    [{}, ["full_name", "address"]],
    [{ full_name: " ", address: [] }, ["full_name", "address"]],
    [{ full_name: "A\u0000B", address: ["x".repeat(201)] }, ["full_name", "address.0"]],
    [
      { full_name: "A", address: ["B"], email: "nobody", birth_date: "2020-02-30", language: "it" },
      ["birth_date", "email", "language"],
    ],
    // [C-8.217]
    [{ full_name: "A", address: ["B"], birth_date: "0000-02-29" }, ["birth_date"]],
    [{ full_name: "A", address: ["B"], surplus: 1 }, [""]],
  ])("%j is refused at %j", (value, paths) => {
    const parsed = letterDetailsSchema.safeParse(value);
    expect(parsed.error?.issues.map(({ path }) => path.join(".")).toSorted()).toEqual(paths.toSorted());
  });
});
