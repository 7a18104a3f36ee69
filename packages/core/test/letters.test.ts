import {
  createConnectors,
  createCredentials,
  createLetters,
  letterDetailsSchema,
  type Uuid,
  uuidField,
} from "@org/core";
import { beforeEach, describe, expect, it } from "vitest";
import { advanceIn, failure, pdf, submission, submitTo } from "./letter-steps.js";
import { createWorld, type World } from "./world.js";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const submit = (more: object = {}) => submitTo(world, more);
const advanceTo = (letterId: Uuid, status: string) => advanceIn(world, letterId, status);

describe("submitting a signed letter", () => {
  it("[S2-3.15] [S2-4.13] [S2-3.5] [S2-1.3] [S2-2.8] each call makes a new letter in Signed, with its labels and no connection", async () => {
    const [first, second] = [await submit({ labels: { client: "42" } }), await submit({ labels: { client: "42" } })];
    expect(first).not.toBe(second);
    const { items } = await world.letters.search(world.alice, { query: { id_in: [first] } });
    expect(items).toEqual([
      {
        id: first,
        connector_id: "fra:custody",
        status: "Signed",
        labels: { client: "42" },
        client_ref: "42",
        client_name: null,
        connection_id: null,
        observations: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
  });

  it("[C-7.6] documents stay what they are when their transaction is begun again", async () => {
    const again = await createWorld({
      storageOf: (storage) => ({
        ...storage,
        // As if the connection were lost before the commit.
        async inTenant(tenantId, work) {
          const lost = new Error("lost");
          const first = storage.inTenant(tenantId, async (stores) => {
            await work(stores);
            throw lost;
          });
          await first.catch((error: unknown) => {
            if (error !== lost) throw error;
          });
          return storage.inTenant(tenantId, work);
        },
      }),
    });
    const textOf = async (id: Uuid, kind: "letter" | "annex" | "generated") =>
      Buffer.from((await again.letterOperations.document(again.operator, id, kind)).bytes).toString();
    const body = submission({ data: pdf("first"), annex: pdf("second") });
    const submitted = (await again.letters.createSigned(again.alice, body, null)).letter_id;
    expect([await textOf(submitted, "letter"), await textOf(submitted, "annex")]).toEqual([
      expect.stringContaining("first"),
      expect.stringContaining("second"),
    ]);
    const { id } = await again.letterOperations.request(again.alice, {
      connector_id: "fra:custody",
      labels: {},
      contact_info: {},
    });
    const details = { full_name: "Zoë", address: ["1 rue"], email: "zoe@client.example", language: "fr" } as const;
    await again.letterOperations.collectDetails(again.operator, id, letterDetailsSchema.parse(details));
    for (const status of ["Generated", "SentToUser"])
      expect(await again.letterOperations.advance(again.operator, id, {})).toMatchObject({ status });
    expect(await textOf(id, "generated")).toContain("Zoë");
    await again.letterOperations.attachSigned(again.operator, { letter_id: id, data: pdf("by hand"), annex: null });
    expect(await textOf(id, "letter")).toContain("by hand");
  });

  it("[C-7.6] keeps both documents encrypted, with the SHA-256 of the plain bytes", async () => {
    const letterId = (await submit({ data: pdf("very private"), annex: pdf("annex") })) as Uuid;
    const [letter, annex] = await world.storage.inTenant(world.alice.tenant_id, async ({ letterDocuments }) => [
      await letterDocuments.document(letterId, "letter"),
      await letterDocuments.document(letterId, "annex"),
    ]);
    expect(Buffer.from(letter?.ciphertext ?? []).toString()).not.toContain("private");
    expect(letter?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(annex?.size).toBe(Buffer.from(pdf("annex"), "base64").length);
  });

  it("[C-7.24] nor one for a connector that is not available, or of which the catalogue says that it takes none", async () => {
    const { connectors } = world;
    await connectors.importLines(['{"id":"esp:web","name":"Web","country":"es","type":"psd2","letters":false}']);
    for (const [connector_id, rule] of [
      ["fra:closed", "no letter can be for fra:closed: the catalogue has it with available: false"],
      ["esp:web", "esp:web takes no letters: the catalogue has it with letters: false"],
    ] as const) {
      const refused = { code: "VALIDATION_ERROR", message: `connector_id: ${rule}` };
      expect(await failure(submit({ connector_id }))).toMatchObject(refused);
      const request = { connector_id, labels: {}, contact_info: {} };
      expect(await failure(world.letterOperations.request(world.alice, request))).toMatchObject(refused);
    }
    await submit({ connector_id: "esp:sur" });
  });

  it("[C-7.62] nor one for a connector that is available, but not to the tenant", async () => {
    const { alice, bob, storage, runtime } = world;
    const connectors = createConnectors({
      catalogue: storage.catalogue,
      mac: runtime.mac,
      defaultProvider: null,
      providers: { serves: (_connector, tenantId) => tenantId !== alice.tenant_id, names: [], offering: String },
    });
    const letters = createLetters({
      storage,
      runtime,
      connectors,
      checks: { inspect: async (bytes) => ({ bytes, signature: "none" }), scan: null, maxBytes: 5_000 },
    });
    const body = submission({ connector_id: "esp:sur" });
    expect(await failure(letters.createSigned(alice, body, null))).toMatchObject({ code: "VALIDATION_ERROR" });
    await letters.createSigned(bob, body, null);
  });

  it.each<[string, unknown, [string, string][]]>([
    ["nothing", undefined, [["body", "RequiredField"]]],
    [
      "an empty body",
      {},
      [
        ["connector_id", "RequiredField"],
        ["data", "RequiredField"],
      ],
    ],
    ["a list", [], [["body", "InvalidValue"]]],
    [
      "an unknown connector and broken Base64",
      { connector_id: "fra:none", data: "%%%" },
      [
        ["connector_id", "InvalidValue"],
        ["data", "InvalidValue"],
      ],
    ],
    [
      "no PDF",
      { connector_id: "fra:custody", data: Buffer.from("hello").toString("base64") },
      [["data", "InvalidValue"]],
    ],
    [
      "Base64 with stray bits",
      { connector_id: "fra:custody", data: `${pdf().slice(0, -3)}B==` },
      [["data", "InvalidValue"]],
    ],
    [
      "everything wrong at once",
      {
        connector_id: 1,
        data: 2,
        labels: { "bad key!": "x", ok: 3 },
        annex: "",
        contact_info: { banker_email: "nobody", phone: 5 },
        surplus: 1,
      },
      [
        ["connector_id", "InvalidValue"],
        ["data", "InvalidValue"],
        ["labels.bad key!", "InvalidValue"],
        ["labels.ok", "InvalidValue"],
        ["contact_info.banker_email", "InvalidValue"],
        ["contact_info.phone", "InvalidValue"],
        ["surplus", "UnknownField"],
        ["annex", "InvalidValue"],
      ],
    ],
  ])(
    "[C-7.1] [C-7.2] [C-7.4] [C-7.5] [C-7.22] [S2-7.4] [S2-2.15] [S2-4.8] [S2-4.9] refuses %s with every fault",
    async (_name, body, fields) => {
      const refused = (await failure(world.letters.createSigned(world.alice, body, null))) as {
        code: string;
        fields: [string, string][];
      };
      expect(refused.code).toBe("VALIDATION_ERROR");
      expect(refused.fields.toSorted()).toEqual(fields.toSorted());
      expect((await world.letters.search(world.alice, { query: {} })).total).toBe(0);
    },
  );

  it("[C-7.3] says TOO_LARGE with the limit", async () => {
    expect(
      await failure(world.letters.createSigned(world.alice, submission({ annex: pdf("x".repeat(6_000)) }), null)),
    ).toMatchObject({ code: "TOO_LARGE", fields: [["annex", "InvalidValue"]] });
  });

  it("[C-7.7] a retry with the same key answers the first letter, another body is refused, a day later the key is free", async () => {
    const post = (body: object) => world.letters.createSigned(world.alice, body, "retry-1");
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(submission({ labels: { a: "1", b: "2" } }))),
    );
    expect(new Set(answers.map((answer) => answer.letter_id)).size).toBe(1);
    expect(await post(submission({ labels: { b: "2", a: "1" } }))).toEqual(answers[0]);
    expect(await failure(post(submission()))).toMatchObject({ code: "IDEMPOTENCY_MISMATCH" });
    expect((await world.letters.search(world.alice, { query: {} })).total).toBe(1);
    world.runtime.advance(24 * 60 * 60 * 1000);
    expect((await post(submission())).letter_id).not.toBe(answers[0]?.letter_id);
  });
});

describe("searching", () => {
  it("[C-7.8] [C-7.11] [S2-4.16] [C-4.13] newest first, 20 a page, a page beyond the last is empty with the true total", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 25; count += 1) {
      ids.push(await submit());
      world.runtime.advance(1000);
    }
    const first = await world.letters.search(world.alice, { query: {} });
    expect(first).toMatchObject({ page: 1, page_size: 20, pages: 2, total: 25 });
    expect(first.items.map((item) => item.id)).toEqual(ids.toReversed().slice(0, 20));
    expect(await world.letters.search(world.alice, { query: {}, page: 9 })).toMatchObject({
      items: [],
      total: 25,
      pages: 2,
    });
    expect((await world.letters.search(world.bob, { query: {} })).total).toBe(0);
  });

  it("[C-4.13] pages is the total by the page size, rounded up, and 0 when nothing matches", async () => {
    const pages = async (more: object) => (await world.letters.search(world.alice, { query: {}, ...more })).pages;
    expect(await pages({})).toBe(0);
    for (let count = 0; count < 4; count += 1) await submit();
    expect(await Promise.all([1, 2, 3, 4, 5].map((page_size) => pages({ page_size })))).toEqual([4, 2, 2, 1, 1]);
    expect(await pages({ query: { id_in: [] } })).toBe(0);
  });

  it("[S2-1.4] [S2-4.17] [S2-4.18] [S2-4.19] [S2-4.20] [S2-4.21] [C-5.5] fields are ANDed, lists ORed, an empty list matches nothing", async () => {
    const a = await submit({ labels: { client: "1", desk: "x" } });
    const b = await submit({ labels: { client: "2", desk: "x" } });
    const found = async (query: object) =>
      (await world.letters.search(world.alice, { query })).items.map((item) => item.id).toSorted();
    expect(await found({ labels: { desk: "x" } })).toEqual([a, b].toSorted());
    expect(await found({ labels: { desk: "x", client: "1" } })).toEqual([a]);
    expect(await found({ id_in: [a.toUpperCase(), b], labels: { client: "2" } })).toEqual([b]);
    expect(await found({ status_in: ["Cancelled"] })).toEqual([]);
    expect(await found({ status_in: ["Cancelled", "Signed"], connector_id_in: ["fra:custody"] })).toHaveLength(2);
    expect(await found({ id_in: [] })).toEqual([]);
  });

  it("[C-7.9] [S2-4.22] [S2-4.23] a date-only end includes that day", async () => {
    const id = await submit(); // 2026-03-02T09:00:00Z
    const found = async (period: object) =>
      (await world.letters.search(world.alice, { query: { creation_date: period } })).items.map((item) => item.id);
    expect(await found({ end: "2026-03-02" })).toEqual([id]);
    expect(await found({ end: "2026-03-01" })).toEqual([]);
    expect(await found({ start: "2026-03-02T09:00:00Z", end: "2026-03-02T09:00:00.000Z" })).toEqual([id]);
    expect(await found({ start: "2026-03-02T10:00:01+01:00" })).toEqual([]);
    expect((await world.letters.search(world.alice, { query: { last_update: { start: "2026-03-03" } } })).total).toBe(
      0,
    );
  });

  it.each<[object, string]>([
    [{}, "query"],
    [{ query: { creation_date: { start: "2026-02-30" } } }, "query.creation_date.start"],
    [{ query: { creation_date: { start: "2026-03-02", end: "2026-03-01" } } }, "query.creation_date.start"],
    [{ query: { last_update: { end: "yesterday" } } }, "query.last_update.end"],
    [{ query: { status_in: ["Nope"] } }, "query.status_in[0]"],
    [{ query: { id_in: ["x"] } }, "query.id_in[0]"],
    [{ query: { colour: 1 } }, "query.colour"],
    [{ query: {}, page_size: 101 }, "page_size"],
    [{ query: {}, page: 0 }, "page"],
    [{ query: {}, page: 1.5 }, "page"],
  ])("[C-7.9] [C-7.10] refuses %j at %s", async (body, field) => {
    expect(await failure(world.letters.search(world.alice, body))).toMatchObject({
      code: "VALIDATION_ERROR",
      fields: [[field, expect.any(String)]],
    });
  });
});

describe("discontinuing", () => {
  it("[S2-3.16] [S2-3.20] before Connected: Cancelled, and only once", async () => {
    const id = await submit();
    await world.letters.discontinue(world.alice, { letter_id: id });
    expect((await world.letterOperations.show(id)).status).toBe("Cancelled");
    expect(await failure(world.letters.discontinue(world.alice, { letter_id: id }))).toMatchObject({
      code: "VALIDATION_ERROR",
      fields: [["letter_id", "InvalidValue"]],
    });
  });

  it("[S2-3.17] after Connected: Discontinued, connection and data gone", async () => {
    const id = await submit({ labels: { client: "7" } });
    const { connection_id } = await advanceTo(id, "Connected");
    expect(await world.credentials.status(world.alice, connection_id as string)).toMatchObject({ pending: true });
    await world.letters.discontinue(world.alice, { letter_id: id });
    expect(await world.letterOperations.show(id)).toMatchObject({ status: "Discontinued", connection_id: null });
    expect(await failure(world.credentials.status(world.alice, connection_id as string))).toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("[C-7.23] a discontinued letter's former connection stays in its history and in the audit trail", async () => {
    const never = await submit();
    await world.letters.discontinue(world.alice, { letter_id: never });
    const ended = [await submit(), await submit()];
    for (const [index, id] of ended.entries()) {
      const { connection_id } = await advanceTo(id, "Connected");
      if (index === 0) await world.letters.discontinue(world.alice, { letter_id: id });
      else await world.credentials.remove(world.alice, connection_id as string, true);
      const { history, connection_id: now } = await world.letterOperations.show(id);
      expect(now).toBeNull();
      expect(history.slice(-2)).toMatchObject([
        { event: "connect", connection_id },
        { event: "discontinue", connection_id },
      ]);
      const lines = await world.storage.inTenant(world.alice.tenant_id, ({ audit }) => audit.list({ limit: 50 }));
      const line = lines.find(({ action, object_id }) => action === "letter.discontinue" && object_id === id);
      expect(line?.facts).toEqual({ from: "Connected", to: "Discontinued", connection_id });
    }
    expect((await world.letterOperations.show(never)).history.at(-1)).toMatchObject({ connection_id: null });
  });

  it("[C-7.14] [S2-3.21] a blocked letter: Discontinued if it ever was Connected, else Cancelled", async () => {
    const never = await submit();
    await advanceTo(never, "WaitingForData");
    await world.letterOperations.block(world.operator, never, { note: "no answer" });
    await world.letters.discontinue(world.alice, { letter_id: never });
    expect((await world.letterOperations.show(never)).status).toBe("Cancelled");
    const once = await submit();
    await advanceTo(once, "Connected");
    await world.letterOperations.block(world.operator, once, undefined);
    await world.letters.discontinue(world.alice, { letter_id: once });
    expect((await world.letterOperations.show(once)).status).toBe("Discontinued");
  });

  it("[C-4.31] the letter and its connection go in one transaction: when that fails, both are as they were", async () => {
    const id = await submit();
    const { connection_id } = await advanceTo(id, "Connected");
    const failing: typeof world.storage = {
      ...world.storage,
      inTenant: (tenant, work) =>
        world.storage.inTenant(tenant, (stores) => {
          const append = () => Promise.reject(new Error("the disk is full"));
          return work({ ...stores, audit: { ...stores.audit, append } });
        }),
    };
    const { runtime } = world;
    const credentials = createCredentials({ storage: failing, runtime });
    await expect(credentials.remove(world.alice, String(connection_id), true)).rejects.toThrow("the disk is full");
    expect(await world.letterOperations.show(id)).toMatchObject({ status: "Connected", connection_id });
    expect(await world.credentials.status(world.alice, String(connection_id))).toBeDefined();
    const transactions: string[] = [];
    const counted: typeof world.storage = {
      ...world.storage,
      inTenant: (tenant, work) => {
        transactions.push(tenant);
        return world.storage.inTenant(tenant, work);
      },
    };
    await createCredentials({ storage: counted, runtime }).remove(world.alice, String(connection_id), true);
    expect(transactions).toEqual([world.alice.tenant_id]);
    expect((await world.letterOperations.show(id)).status).toBe("Discontinued");
  });

  it("[C-4.31] deleting the credential that a letter made discontinues the letter", async () => {
    const id = await submit();
    const { connection_id } = await advanceTo(id, "Connected");
    expect(await failure(world.credentials.remove(world.alice, connection_id as string, false))).toMatchObject({
      code: "CONFIRMATION_REQUIRED",
    });
    await world.credentials.remove(world.alice, connection_id as string, true);
    expect(await world.letterOperations.show(id)).toMatchObject({ status: "Discontinued", connection_id: null });
  });

  it.each([
    [{ letter_id: "01900000-0000-7000-8000-00000000ffff" }, "NOT_FOUND"],
    [{ letter_id: "nonsense" }, "VALIDATION_ERROR"],
    [{}, "VALIDATION_ERROR"],
  ])("[S2-7.6] [C-9.8] %j is %s", async (body, code) => {
    expect(await failure(world.letters.discontinue(world.alice, body))).toMatchObject({ code });
  });

  it("another tenant's letter is LetterNotFound", async () => {
    expect(await failure(world.letters.discontinue(world.bob, { letter_id: await submit() }))).toMatchObject({
      code: "NOT_FOUND",
      message: "LetterNotFound",
    });
  });
});

describe("the operator's moves", () => {
  it("[S2-1.1] [C-7.13] [S2-3.19] walks the main line, blocks and resumes, and keeps who did what", async () => {
    const id = await submit();
    await advanceTo(id, "WaitingForData");
    expect(await failure(world.letterOperations.advance(world.operator, id, { to: "Blocked" }))).toMatchObject({
      code: "CONFLICT",
    });
    await world.letterOperations.block(world.operator, id, { note: "silence" });
    expect((await world.letterOperations.resolve(world.operator, id, { note: "answered" })).status).toBe(
      "WaitingForData",
    );
    const observed = await world.letterOperations.observe(world.operator, id, "call on Monday");
    expect(observed.observations).toBe("call on Monday");
    expect(observed.history.map((move) => [move.event, move.from, move.to])).toEqual([
      ["sign", null, "Signed"],
      ["send_to_custodian", "Signed", "SentToCustodian"],
      ["accept", "SentToCustodian", "AcceptedByCustodian"],
      ["start_setup", "AcceptedByCustodian", "ConnectionSetup"],
      ["await_data", "ConnectionSetup", "WaitingForData"],
      ["block", "WaitingForData", "Blocked"],
      ["resolve", "Blocked", "WaitingForData"],
      ["observe", "WaitingForData", "WaitingForData"],
    ]);
  });

  it("[C-7.64] two operators moving one letter to the same status at once: it is moved once, and both see it there", async () => {
    const id = await submit();
    const moved = await Promise.all(
      [1, 2].map(() => world.letterOperations.advance(world.operator, id, { to: "SentToCustodian" })),
    );
    for (const { status, history } of moved)
      expect([status, history.map(({ event }) => event)]).toEqual(["SentToCustodian", ["sign", "send_to_custodian"]]);
  });

  it("[C-7.64] a move to the status that a letter has changes nothing, whatever version was seen; another is refused", async () => {
    const { letterOperations: operations, operator } = world;
    const id = await submit();
    const { version } = await operations.show(id);
    const made = async (move: () => Promise<{ version: number }>) => {
      const first = await move();
      const again = await move();
      expect(again).toEqual(first);
    };
    await made(() => operations.advance(operator, id, { to: "SentToCustodian", version }));
    expect(
      (await operations.moveMany(operator, { letter_ids: [id], move: "advance", to: "SentToCustodian" }))[0],
    ).toMatchObject({ outcome: "moved", to: "SentToCustodian" });
    expect(
      (await operations.previewMoves({ letter_ids: [id], move: "advance", to: "SentToCustodian" }))[0],
    ).toMatchObject({ outcome: "moves", from: "SentToCustodian", to: "SentToCustodian" });
    expect(await failure(operations.advance(operator, id, { to: "Signed" }))).toMatchObject({ code: "CONFLICT" });
    await advanceTo(id, "WaitingForData");
    expect(await failure(operations.resolve(operator, id, {}))).toMatchObject({ code: "CONFLICT" });
    await made(() => operations.block(operator, id, { note: "silent" }));
    await made(() => operations.resolve(operator, id, {}));
    await made(() => operations.cancel(operator, id, {}));
    expect((await operations.show(id)).moves).toEqual([]);
  });

  it("[C-14.60] who has seen a letter as it was before another's change is told so by every change, and nothing is lost", async () => {
    const { letterOperations: operations, operator } = world;
    const id = await submit();
    const { version } = await operations.show(id);
    const { version: now } = await operations.observe(operator, id, "they call back", version);
    const contacts = { contact_info: { phone: "1" }, mail: false };
    const late = [
      operations.advance(operator, id, { to: "SentToCustodian", version }),
      operations.observe(operator, id, "mine", version),
      operations.cancel(operator, id, { version }),
      operations.block(operator, id, { version }),
      operations.resolve(operator, id, { version }),
      operations.correctContacts(operator, id, { ...contacts, version }),
    ];
    for (const change of late)
      expect(await failure(change)).toMatchObject({ code: "CONFLICT", fields: [["version", "InvalidValue"]] });
    expect(await operations.show(id)).toMatchObject({ status: "Signed", observations: "they call back", version: now });
    expect((await operations.advance(operator, id, { version: now })).version).toBeGreaterThan(now);
  });

  it("[C-14.61] a preview says of each letter what its move does then; one that was changed in between is refused", async () => {
    const { letterOperations: operations, operator } = world;
    const request = (
      await operations.request(world.alice, { connector_id: "fra:custody", labels: {}, contact_info: {} })
    ).id;
    const blocked = await submit();
    await advanceTo(blocked, "Connected");
    await operations.block(operator, blocked, {});
    const gone = "01990000-0000-7000-8000-00000000ffff" as Uuid;
    const ids = [request, await submit(), blocked, uuidField.parse((await submit()).toUpperCase()), gone];
    for (const move of ["resolve", "block", "cancel", "advance"] as const) {
      const previews = await operations.previewMoves({ letter_ids: ids, move });
      const versions = Object.fromEntries(
        previews.flatMap(({ letter_id, version }) => (version === null ? [] : [[letter_id, version]])),
      );
      for (const { letter_id, from } of previews)
        if (letter_id !== gone) {
          const { status, moves } = await operations.show(letter_id as Uuid);
          expect(from).toBe(status);
          expect(moves.some((possible) => possible.move === move)).toBe(
            previews.some((preview) => preview.letter_id === letter_id && preview.outcome === "moves"),
          );
        }
      const outcomes = await operations.moveMany(operator, { letter_ids: ids, move, versions });
      expect(outcomes.map(({ letter_id, outcome, to, error }) => [letter_id, outcome === "moved", to, error])).toEqual(
        previews.map(({ letter_id, outcome, to, error }) => [letter_id, outcome === "moves", to, error]),
      );
    }
    const one = (await submit()) as Uuid;
    const [preview] = await operations.previewMoves({ letter_ids: [one], move: "advance" });
    await operations.observe(operator, one, "look first");
    const versions = { [one]: preview?.version as number };
    const [late] = await operations.moveMany(operator, { letter_ids: [one], move: "advance", versions });
    expect(late).toMatchObject({ outcome: "refused", error: { code: "CONFLICT" } });
    expect((await operations.show(one)).status).toBe("Signed");
  });
});
