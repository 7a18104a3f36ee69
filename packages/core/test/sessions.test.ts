import {
  CoreError,
  nextSessionStatus,
  type SessionEvent,
  sessionStatuses,
  sessionTransitions,
  type Uuid,
} from "@org/core";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { connect, createWorld, linkOf, type World } from "./world.js";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const faultsOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof CoreError ? { code: error.code, fields: error.details?.map((fault) => fault.field) } : error;
};

describe("opening a session", () => {
  it("[C-5.8] [S1-4.17] hands out PUBLIC_URL/connect/<256-bit secret>, kept only as a hash and sealed", async () => {
    const { session, widget_url } = await world.sessions.createFor(world.alice, { connector_id: "esp:norte" });
    const link = linkOf(widget_url);
    expect(Buffer.from(link, "base64url")).toHaveLength(32);
    const stored = await world.storage.inTenant(world.alice.tenant_id, ({ sessions }) =>
      sessions.find(session.session_id as Uuid),
    );
    expect(JSON.stringify(stored)).not.toContain(link);
    expect(session).toMatchObject({
      status: "Waiting:ProvideCredentials",
      connector_id: "esp:norte",
      connection_id: null,
      widget_url,
    });
  });

  it.each([
    [{}, ["connector_id", "connection_id"], "VALIDATION_ERROR"],
    [{ connector_id: "esp:norte", connection_id: "x" }, ["connector_id", "connection_id"], "VALIDATION_ERROR"],
    [{ connector_id: "esp:none" }, undefined, "NOT_FOUND"],
    [{ connection_id: "not-a-uuid" }, undefined, "NOT_FOUND"],
    [{ connector_id: "fra:custody" }, ["connector_id"], "VALIDATION_ERROR"],
    [{ connector_id: "fra:closed" }, ["connector_id"], "VALIDATION_ERROR"],
  ])("[S1-4.15] [S1-7.2] [C-4.28] [C-9.25] a tool's target %j", async (target, fields, code) => {
    expect(await faultsOf(world.sessions.createFor(world.alice, target))).toEqual({ code, fields });
  });

  it("[C-5.23] says of a connector that is not available what the catalogue says", async () => {
    await expect(world.sessions.create(world.alice, { connector_id: "fra:closed" })).rejects.toThrow(
      "connector_id: fra:closed cannot be connected: the catalogue has it with available: false",
    );
  });

  it.each([
    ["de", "de"],
    ["de-CH", "de"],
    ["ES-419", "es"],
    ["fr-Latn-CA", "fr"],
  ])("[C-4.80] a tool's language %s is the widget's %s", async (language, spoken) => {
    const opened = await world.sessions.createFor(world.alice, { connector_id: "esp:norte", language });
    expect(await world.customer.view(linkOf(opened.widget_url), null)).toMatchObject({ language: spoken });
  });

  it.each(["pt-BR", "deu", "gsw"])(
    "[C-4.80] with %s, which the widget does not speak, it is as with none",
    async (language) => {
      const views = [{ language }, {}].map(async (more) => {
        const opened = await world.sessions.createFor(world.alice, { connector_id: "esp:norte", ...more });
        return world.customer.view(linkOf(opened.widget_url), null);
      });
      const [asked, left] = await Promise.all(views);
      expect(asked).toEqual(left);
    },
  );

  it("[S2-4.32] [C-9.25] [C-5.13] lists every fault of a configuration by its path", async () => {
    const configuration = {
      connector_id: "fra:custody",
      connection_id: "01900000-0000-7000-8000-000000000000",
      connector_filter: { rules: [{ action: "exclude", field: "type", value: "*" }] },
      redirect_url: "https://app.example/done",
    };
    expect(await faultsOf(world.sessions.create(world.alice, configuration, "configuration"))).toEqual({
      code: "VALIDATION_ERROR",
      fields: [
        "configuration.connector_id",
        "configuration.connection_id",
        "configuration.connector_filter",
        "configuration.connector_filter.rules[0].value",
        "configuration.connection_id",
        "configuration.connector_id",
        "configuration.redirect_url",
      ],
    });
    expect(
      await faultsOf(world.sessions.create(world.alice, { language: "xx", nonsense: 1 }, "configuration")),
    ).toEqual({
      code: "VALIDATION_ERROR",
      fields: ["configuration.language", "configuration.nonsense"],
    });
  });

  it("[C-6.12] refuses a filter that leaves no connector, and names the rule that removed the last one", async () => {
    const everything = { action: "exclude", field: "connector_id", value: "*" };
    const spain = { action: "include", field: "countries", value: ["spian"] };
    const create = (rules: object[]) =>
      world.sessions.create(world.alice, { connector_filter: { rules } }, "configuration").catch((error) => error);
    expect(await create([{ action: "exclude", field: "type", value: "psd2" }, everything, spain])).toMatchObject({
      code: "VALIDATION_ERROR",
      details: [
        {
          field: "configuration.connector_filter.rules[1]",
          error_type: "InvalidValue",
          rule: "leaves no connector, and no rule after it adds one back (configuration.connector_filter.rules[2].value[0]: spian is no country that is known by this name or code, and no available connector has it)",
        },
      ],
    });
    expect(await create([everything])).toMatchObject({
      details: [{ rule: "leaves no connector, and no rule after it adds one back" }],
    });
    // What is not the filter's doing is no fault of it.
    for (const rules of [[], [everything, { ...spain, value: ["Spain"] }]])
      expect(await create(rules)).toMatchObject({ session: { status: "Waiting:ProvideCredentials" } });
  });

  it("[C-14.964] a limited caller's page looks up its connections at once, and names those of its clients only", async () => {
    const { tenant_id } = world.alice;
    const ids: Uuid[] = [];
    for (const name of ["ada", "bert", "cleo"]) {
      const { connection_id } = await connect(world, world.alice, "good", name);
      await world.storage.inTenant(tenant_id, async ({ clients, connections }) => {
        await clients.note("IN", world.runtime.clock());
        await connections.assign(connection_id as Uuid, "IN");
      });
      await world.sessions.createFor(world.alice, { connection_id: connection_id as Uuid });
      ids.push(connection_id as Uuid);
    }
    await world.storage.inTenant(tenant_id, ({ connections }) => connections.assign(ids[0] as Uuid, null));
    const asked: string[] = [];
    const { inTenant } = world.storage;
    vi.spyOn(world.storage, "inTenant").mockImplementation((tenant, work) =>
      inTenant(tenant, (stores) => {
        const connections = new Proxy(stores.connections, {
          get(store, name) {
            asked.push(String(name));
            return Reflect.get(store, name);
          },
        });
        return work({ ...stores, connections });
      }),
    );
    const { items } = await world.sessions.list({ ...world.alice, client_refs: ["IN"] }, {});
    expect(items.map(({ connection_id }) => connection_id)).toEqual([ids[2], ids[1], null]);
    expect(asked).toEqual(["findMany"]);
  });

  it("shows a session to its tenant only, and lists newest first with a token bound to the query", async () => {
    const made: string[] = [];
    for (let count = 0; count < 103; count += 1)
      made.push((await world.sessions.createFor(world.alice, { connector_id: "esp:norte" })).session.session_id);
    expect(await faultsOf(world.sessions.status(world.bob, made[0] as string))).toMatchObject({ code: "NOT_FOUND" });
    const first = await world.sessions.list(world.alice, {});
    const second = await world.sessions.list(world.alice, { page_token: first.next_page_token });
    expect([...first.items, ...second.items].map((session) => session.session_id)).toEqual(made.toReversed());
    expect(second.next_page_token).toBeNull();
    expect(
      await faultsOf(world.sessions.list(world.alice, { query: { status_in: [] }, page_token: first.next_page_token })),
    ).toMatchObject({ fields: ["page_token"] });
    expect((await world.sessions.list(world.alice, { query: { session_id_in: [] } })).items).toEqual([]);
    expect((await world.sessions.list(world.bob, {})).items).toEqual([]);
  });
});

describe("the customer's side", () => {
  it("[C-5.10] [C-5.11] [S1-8.7] looking claims nothing, Continue makes the browser the owner, another is turned away", async () => {
    const link = linkOf((await world.sessions.createFor(world.alice, { connector_id: "esp:norte" })).widget_url);
    expect(await world.customer.view(link, null)).toMatchObject({ kind: "unclaimed" });
    expect(await world.customer.view(link, null)).toMatchObject({ kind: "unclaimed" });
    const claims = await Promise.all(Array.from({ length: 5 }, () => world.customer.claim(link, null)));
    const owners = claims.flatMap((claim) => claim?.owner ?? []);
    expect(owners).toHaveLength(1);
    expect(await world.customer.view(link, owners[0] as string)).toMatchObject({
      kind: "owned",
      status: "Waiting:ProvideCredentials",
    });
    expect(await world.customer.view(link, "other")).toMatchObject({ kind: "taken" });
    expect(
      await faultsOf(world.customer.submitCredentials(link, "other", { username: "a", password: "b" })),
    ).toMatchObject({ code: "NOT_FOUND" });
    expect(await world.customer.view("nonsense", null)).toEqual({ kind: "unknown" });
  });

  it("[S1-3.1] [S1-3.3] [C-5.9] a good login ends in Finished:OK with a connection, and the link is gone", async () => {
    const session = await connect(world, world.alice);
    expect(session).toMatchObject({
      status: "Finished:OK",
      error_code: null,
      widget_url: null,
      connection_id: expect.any(String),
    });
    const { items } = await world.credentials.list(world.alice, {
      bank: "NORTE",
      ready_only: true,
      include_status: false,
      page: 1,
      page_size: 50,
    });
    expect(items.map((item) => item.credentials_token)).toEqual([session.connection_id]);
  });

  it("[C-9.20] a wrong password returns to Waiting with its code; the third ends the session", async () => {
    const { session, widget_url } = await world.sessions.createFor(world.alice, { connector_id: "esp:norte" });
    const link = linkOf(widget_url);
    const owner = (await world.customer.claim(link, null))?.owner ?? null;
    for (const [status, left] of [
      ["Waiting:ProvideCredentials", 2],
      ["Waiting:ProvideCredentials", 1],
      ["Finished:Error", 0],
    ] as const) {
      await world.customer.submitCredentials(link, owner, { username: "u", password: "wrong" });
      await world.customer.drain();
      expect(await world.customer.view(link, owner)).toMatchObject({
        status,
        error_code: "InvalidCredentials",
        ...(left > 0 && { attempts_left: left }),
      });
    }
    expect(await world.sessions.status(world.alice, session.session_id)).toMatchObject({
      status: "Finished:Error",
      error_code: "InvalidCredentials",
    });
    expect(
      await faultsOf(world.customer.submitCredentials(link, owner, { username: "u", password: "good" })),
    ).toMatchObject({ code: "CONFLICT" });
  });

  it("[C-5.22] three failures end a session, whatever the step: neither another bank nor a challenge gives attempts back", async () => {
    const { session, widget_url } = await world.sessions.create(world.alice, {});
    const link = linkOf(widget_url);
    const owner = (await world.customer.claim(link, null))?.owner ?? null;
    const logIn = async (password: string) => {
      await world.customer.submitCredentials(link, owner, { username: "u", password });
      await world.customer.drain();
      return world.customer.view(link, owner);
    };
    await world.customer.chooseBank(link, owner, "esp:norte");
    expect(await logIn("wrong")).toMatchObject({ status: "Waiting:ProvideCredentials", attempts_left: 2 });
    await world.customer.changeBank(link, owner);
    expect(await world.customer.view(link, owner)).toMatchObject({ connector: null, attempts_left: 2 });
    await world.customer.chooseBank(link, owner, "esp:norte");
    expect(await logIn("wrong")).toMatchObject({ status: "Waiting:ProvideCredentials", attempts_left: 1 });
    expect(await logIn("challenge")).toMatchObject({ status: "Waiting:Challenge", attempts_left: 1 });
    await world.customer.submitAnswer(link, owner, "000000");
    await world.customer.drain();
    expect(await world.sessions.status(world.alice, session.session_id)).toMatchObject({
      status: "Finished:Error",
      error_code: "InvalidChallengeResponse",
    });
  });

  it("[C-5.17] a challenge is answered, a wrong answer may be tried again, and its state is stored sealed", async () => {
    const { session, widget_url } = await world.sessions.createFor(world.alice, { connector_id: "esp:norte" });
    const link = linkOf(widget_url);
    const owner = (await world.customer.claim(link, null))?.owner ?? null;
    await world.customer.submitCredentials(link, owner, { username: "secret-user", password: "challenge" });
    await world.customer.drain();
    expect(await world.customer.view(link, owner)).toMatchObject({
      status: "Waiting:Challenge",
      challenge: { kind: "sms" },
    });
    const stored = await world.storage.inTenant(world.alice.tenant_id, ({ sessions }) =>
      sessions.find(session.session_id as Uuid),
    );
    expect(JSON.stringify({ ...stored, sealed_state: null })).not.toContain("secret-user");
    await world.customer.submitAnswer(link, owner, "000000");
    await world.customer.drain();
    expect(await world.customer.view(link, owner)).toMatchObject({
      status: "Waiting:Challenge",
      error_code: "InvalidChallengeResponse",
    });
    await world.customer.submitAnswer(link, owner, "123456");
    await world.customer.drain();
    expect(await world.customer.view(link, owner)).toMatchObject({ status: "Finished:OK", challenge: null });
  });

  it.each([
    ["broken", "InternalError"],
    ["refused", "UserInteractionNeeded"],
    ["no-data", "InternalError"],
  ])("[S1-7.4] [S1-2.11] the password %s ends with %s and leaves no connection", async (password, code) => {
    expect(await connect(world, world.alice, password)).toMatchObject({
      status: "Finished:Error",
      error_code: code,
      connection_id: null,
    });
    expect(
      (
        await world.credentials.list(world.alice, {
          bank: null,
          ready_only: false,
          include_status: false,
          page: 1,
          page_size: 50,
        })
      ).total,
    ).toBe(0);
  });

  it("[C-5.18] [C-9.24] the same person at the same bank is AlreadyExists with the existing id, per tenant", async () => {
    const first = await connect(world, world.alice);
    expect(await connect(world, world.alice)).toMatchObject({
      status: "Finished:Error",
      error_code: "AlreadyExists",
      connection_id: first.connection_id,
    });
    expect(await connect(world, world.alice, "good", "user-2")).toMatchObject({ status: "Finished:OK" });
    expect(await connect(world, world.bob)).toMatchObject({ status: "Finished:OK" });
  });

  it("[C-5.14] [C-9.24] [S1-4.20] re-login keeps ids and history; another bank user is refused", async () => {
    const first = await connect(world, world.alice);
    const before = JSON.parse((await world.data.holdings(world.alice, { page: 1, page_size: 50 })).items_json);
    const { session, widget_url } = await world.sessions.createFor(world.alice, {
      connection_id: first.connection_id as string,
    });
    const link = linkOf(widget_url);
    const owner = (await world.customer.claim(link, null))?.owner ?? null;
    await world.customer.submitCredentials(link, owner, { username: "somebody-else", password: "good" });
    await world.customer.drain();
    expect(await world.customer.view(link, owner)).toMatchObject({
      status: "Waiting:ProvideCredentials",
      error_code: "InvalidCredentials",
      remark: "other_login",
    });
    await world.customer.submitCredentials(link, owner, { username: "user-1", password: "wrong" });
    await world.customer.drain();
    expect(await world.customer.view(link, owner)).toMatchObject({ error_code: "InvalidCredentials", remark: null });
    await world.customer.submitCredentials(link, owner, { username: "user-1", password: "more" });
    await world.customer.drain();
    expect(await world.customer.view(link, owner)).toMatchObject({ remark: null, relogin: true });
    expect(await world.sessions.status(world.alice, session.session_id)).toMatchObject({
      status: "Finished:OK",
      connection_id: first.connection_id,
    });
    const after = JSON.parse((await world.data.holdings(world.alice, { page: 1, page_size: 50 })).items_json);
    expect(after.map((item: { id: string }) => item.id)).toEqual(before.map((item: { id: string }) => item.id));
    expect(after[0].amount).toBe("20.5");
    expect((await world.data.transactions(world.alice, { page: 1, page_size: 50 })).total).toBe(1);
  });

  it.each([
    ["empty", "no_accounts"],
    ["no-transactions", "data_incomplete"],
    ["secret", null],
  ])(
    "[C-5.33] a bank that shows no account, or not all data, is connected, and the customer's view says so: %s",
    async (password, remark) => {
      const { widget_url } = await world.sessions.createFor(world.alice, { connector_id: "esp:norte" });
      const link = linkOf(widget_url);
      const owner = (await world.customer.claim(link, null))?.owner ?? null;
      await world.customer.submitCredentials(link, owner, { username: "user-1", password });
      await world.customer.drain();
      expect(await world.customer.view(link, owner)).toMatchObject({ status: "Finished:OK", remark });
    },
  );

  it("[C-5.12] [C-5.30] [S2-1.6] offers what the filter allows, and accepts nothing else and never a datafeed", async () => {
    const filter = {
      rules: [
        { action: "exclude", field: "connector_id", value: "*" },
        { action: "include", field: "countries", value: ["esp", "fra"] },
      ],
    };
    const link = linkOf((await world.sessions.create(world.alice, { connector_filter: filter })).widget_url);
    const owner = (await world.customer.claim(link, null))?.owner ?? null;
    const offered = await world.customer.banks(link, owner, { name: null, country: null, near: [], page: 1 });
    expect(offered.items.map(({ ways }) => ways[0]?.connector_id)).toEqual(["esp:norte", "esp:sur", "fra:custody"]);
    for (const hidden of ["deu:rhein", "fra:custody", "fra:closed", "esp:none"])
      expect(await faultsOf(world.customer.chooseBank(link, owner, hidden))).toMatchObject({
        fields: ["connector_id"],
      });
    await world.customer.chooseBank(link, owner, "esp:sur");
    expect(await world.customer.view(link, owner)).toMatchObject({
      connector: { id: "esp:sur" },
      connector_fixed: false,
    });
  });

  it("[C-9.471] a session that has ended offers no bank, whatever its filter allowed", async () => {
    const filter = { rules: [{ action: "exclude", field: "countries", value: "deu" }] };
    const { session, widget_url } = await world.sessions.create(world.alice, { connector_filter: filter });
    const link = linkOf(widget_url);
    const owner = (await world.customer.claim(link, null))?.owner ?? null;
    await world.customer.abort(link, owner);
    const query = { name: null, country: null, near: [], page: 1 };
    expect((await world.customer.banks(link, owner, query)).items).toEqual([]);
    expect(await faultsOf(world.customer.chooseBank(link, owner, "esp:sur"))).toMatchObject({ code: "CONFLICT" });
    expect(await world.customer.view(link, owner)).toMatchObject({
      status: "Finished:Aborted",
      connector_fixed: false,
    });
    const listed = await world.sessions.list(world.alice, { query: { session_id_in: [session.session_id] } });
    expect(listed.items).toMatchObject([{ status: "Finished:Aborted", error_code: "AbortedByUser" }]);
  });

  it("a return address that is too long is refused before it is parsed", async () => {
    const { createSessionSchema } = await import("../src/schemas/session.js");
    const began = process.cpuUsage();
    const redirect_url = `https://a${"\u0301\u0323".repeat(100_000)}.example/`;
    const { error } = createSessionSchema.safeParse({ configuration: { redirect_url } });
    expect(error?.issues).toMatchObject([{ code: "too_big", path: ["configuration", "redirect_url"] }]);
    const { user, system } = process.cpuUsage(began);
    // A host with this many accents would take four seconds.
    expect((user + system) / 1e6).toBeLessThan(1);
  });

  it("[C-14.985] a lost link is replaced by a new one for the same, whose session takes the place of the old", async () => {
    const wanted = { connector_id: "esp:norte", client_ref: "C-1", labels: { desk: "7" }, language: "de" };
    const { session, widget_url } = await world.sessions.create(world.alice, wanted);
    const renewed = await world.sessions.renewLink(world.alice, session.session_id);
    expect(renewed.widget_url).not.toBe(widget_url);
    expect(renewed.session).toMatchObject({
      connector_id: "esp:norte",
      client_ref: "C-1",
      widget_url: renewed.widget_url,
    });
    expect(await world.sessions.status(world.alice, session.session_id)).toMatchObject({
      ...{ status: "Finished:Aborted", error_code: null, widget_url: null },
    });
    await expect(world.sessions.renewLink(world.alice, session.session_id)).rejects.toMatchObject({
      ...{ code: "CONFLICT", reason: "session_ended" },
    });
    await expect(world.sessions.renewLink(world.bob, renewed.session.session_id)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("[C-5.13] returns to the registered redirect_url with session_id appended", async () => {
    const { session, widget_url } = await world.sessions.create(world.alice, {
      connector_id: "esp:norte",
      redirect_url: "https://app.example/done?from=bank",
    });
    const link = linkOf(widget_url);
    const owner = (await world.customer.claim(link, null))?.owner ?? null;
    await world.customer.abort(link, owner);
    expect(await world.customer.view(link, owner)).toMatchObject({
      status: "Finished:Aborted",
      error_code: "AbortedByUser",
      return_url: `https://app.example/done?from=bank&session_id=${session.session_id}`,
    });
  });

  it("[C-5.6] an expired session reads as expired at once and can no longer be used", async () => {
    const { session, widget_url } = await world.sessions.createFor(world.alice, { connector_id: "esp:norte" });
    world.runtime.advance(1_800_000);
    expect(await world.sessions.status(world.alice, session.session_id)).toMatchObject({
      status: "Finished:Expired",
      error_code: "SessionExpired",
      widget_url: null,
    });
    expect(await world.customer.claim(linkOf(widget_url), null)).toBeNull();
  });
});

describe("the session table", () => {
  const events: SessionEvent[] = [
    "submit",
    "challenge",
    "reject",
    "give_up",
    "succeed",
    "fail",
    "cut_off",
    "expire",
    "abort",
  ];
  it.each(sessionStatuses.flatMap((status) => events.map((event) => [status, event] as const)))(
    "[C-5.6] [S1-3.2] %s × %s",
    (status, event) => {
      const next = nextSessionStatus(status, event);
      expect(next).toBe((sessionTransitions[status] as Record<string, string>)[event] ?? null);
      if (status.startsWith("Finished:")) expect(next).toBeNull();
      if (event === "cut_off")
        expect(next).toBe(status.startsWith("Processing:") ? "Waiting:ProvideCredentials" : null);
      if (event === "abort" && !status.startsWith("Finished:")) expect(next).toBe("Finished:Aborted");
    },
  );
});
