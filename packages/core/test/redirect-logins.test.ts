import {
  type CallbackOutcome,
  type ConnectionRecord,
  createCustomerSessions,
  releaseCutOffLogins,
  type SessionRecord,
  type Uuid,
} from "@org/core";
import { directoryOf } from "@org/core/testing";
import type {
  BankProvider,
  CredentialField,
  FetchResult,
  LoginRequest,
  LoginStep,
  ResumeRequest,
} from "@org/provider-kit";
import { beforeEach, describe, expect, it } from "vitest";
import { connectionsOf, createWorld, linkOf, snapshotOf, type World } from "./world.js";

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const data: FetchResult = { snapshot: snapshotOf("10.5"), consent_expires_at: null };
const welcome: LoginStep = { kind: "authenticated", user_key: "ada", access: { token: "access of ada" } };

/** A bank with a page of its own. `steps` are its answers: to the login, then each time the customer returns or answers. */
function pageBank(steps: LoginStep[], more: Partial<BankProvider> = {}) {
  const logins: LoginRequest[] = [];
  const resumed: ResumeRequest[] = [];
  const answered: object[] = [];
  const goTo = (state: string): LoginStep => ({
    kind: "redirect",
    url: `https://bank.example/authorize?state=${state}`,
    state: { verifier: "secret of the bank" },
  });
  const next = (callback_state: string) => steps.shift() ?? goTo(callback_state);
  const bank: BankProvider = {
    name: "scripted",
    credentialFields: () => [],
    async login(request) {
      logins.push(request);
      return next(request.callback_state);
    },
    async resume(request) {
      resumed.push(request);
      return steps.shift() ?? welcome;
    },
    async answer({ answer, fields, state }) {
      answered.push({ answer, fields, state });
      return steps.shift() ?? welcome;
    },
    fetch: async () => data,
    ...more,
  };
  return { bank, steps, logins, resumed, answered };
}

function replica(bank: BankProvider, leaseMs = 45_000) {
  const { storage, runtime, connectors } = world;
  return createCustomerSessions({
    publicUrl: "https://wealth.example",
    storage,
    runtime,
    connectors,
    leaseMs,
    providers: directoryOf(bank),
    onProviderFault: ({ error }) => world.faults.push(error),
    sleep: () => new Promise((resolve) => setTimeout(resolve, 20)),
  });
}

/** A customer whose login has begun, in a browser that was given `owner`. */
async function begun(
  steps: LoginStep[] = [],
  options: { more?: Partial<BankProvider>; target?: object; leaseMs?: number } = {},
) {
  const scripted = pageBank(steps, options.more);
  const customer = replica(scripted.bank, options.leaseMs);
  const target = options.target ?? { connector_id: "esp:norte" };
  const { session, widget_url } = await world.sessions.createFor(world.alice, target);
  const link = linkOf(widget_url);
  const owner = (await customer.claim(link, null))?.owner ?? "";
  await customer.autoStart(link, owner, { preferred_language: "fr" });
  await customer.drain();
  const stored = () =>
    world.storage.inTenant(world.alice.tenant_id, ({ sessions }) =>
      sessions.find(session.session_id as Uuid),
    ) as Promise<SessionRecord>;
  const { link_hash } = await stored();
  /** Returns from the bank in a browser that has this secret for the session. */
  const resumeCallback = async (
    state: string,
    params: Record<string, string> = { code: "a code" },
    secret: string | null = owner,
    at = customer,
  ): Promise<CallbackOutcome> =>
    at.resumeCallback({
      state,
      params,
      keptFor: (hash) => ({ owner: hash === link_hash ? secret : null, language: null }),
    });
  return {
    ...scripted,
    customer,
    link,
    owner,
    stored,
    resumeCallback,
    state: () => scripted.logins.at(-1)?.callback_state ?? "",
    view: () => customer.view(link, owner),
    status: () => world.sessions.status(world.alice, session.session_id),
  };
}

const away = { status: "Waiting:Challenge", challenge_kind: "redirect", error_code: null };

describe("[C-5.51] a bank that works by redirect", () => {
  it("that asks for nothing is asked for its first step at once, with the way back and the language", async () => {
    const { logins, status, view, customer, link, owner, stored } = await begun();
    expect(logins).toMatchObject([
      {
        fields: {},
        existing_access: null,
        language: "fr",
        callback_url: "https://wealth.example/connect/callback",
        connector_id: "esp:norte",
      },
    ]);
    expect(Buffer.from(logins[0]?.callback_state ?? "", "base64url")).toHaveLength(32);
    expect(await status()).toMatchObject(away);
    expect(await view()).toMatchObject({ challenge: { kind: "redirect", host: "bank.example" }, follows_bank: false });
    expect(await customer.leave(link, owner)).toBe(`https://bank.example/authorize?state=${logins[0]?.callback_state}`);
    await expect(customer.leave(link, "other")).rejects.toMatchObject({ code: "NOT_FOUND" });
    const row = { ...(await stored()), sealed_state: null, sealed_link: null };
    for (const secret of [logins[0]?.callback_state ?? "", "secret of the bank", "authorize"])
      expect(JSON.stringify(row)).not.toContain(secret);
  });

  it.each([
    ["http://bank.example/authorize", "Finished:Error"],
    ["javascript:alert(1)", "Finished:Error"],
    ["//bank.example/authorize", "Finished:Error"],
    ["http://127.0.0.1.bank.example/", "Finished:Error"],
    ["http://127.0.0.1:3000/sandbox", "Waiting:Challenge"],
    ["http://localhost:3000/sandbox", "Waiting:Challenge"],
    ["https://bank.example/", "Waiting:Challenge"],
  ])("with its page at %s: %s", async (url, expected) => {
    const { status } = await begun([{ kind: "redirect", url, state: {} }]);
    expect((await status()).status).toBe(expected);
  });

  it("hands on what the customer brings back, once, and connects them", async () => {
    const { resumeCallback, state, resumed, customer, status, link, logins } = await begun();
    expect(await resumeCallback(state(), { code: "a code", iss: "bank" })).toEqual({ kind: "onward", link });
    await customer.drain();
    expect(resumed).toMatchObject([
      { params: { code: "a code", iss: "bank" }, state: { verifier: "secret of the bank" }, connector_id: "esp:norte" },
    ]);
    expect(resumed[0]?.callback_state).not.toBe(logins[0]?.callback_state);
    expect(await status()).toMatchObject({ status: "Finished:OK", error_code: null });
    expect(await connectionsOf(world, world.alice)).toBe(1);
  });

  it("may send its customer on to another page, and ask for fields of its own", async () => {
    const fields: CredentialField[] = [
      { name: "account", kind: "choice", options: [{ value: "1", label: "One" }] },
      { name: "note", required: false },
    ];
    const { steps, resumeCallback, state, resumed, answered, customer, link, owner, view, status } = await begun();
    steps.push({ kind: "redirect", url: "https://other.example/", state: 2 }, { kind: "ask", fields, state: 3 });
    await resumeCallback(state());
    await customer.drain();
    expect(await view()).toMatchObject({ challenge: { host: "other.example" } });
    expect(await resumeCallback(state())).toMatchObject({ kind: "unknown" });
    await resumeCallback(resumed[0]?.callback_state ?? "");
    await customer.drain();
    expect(resumed.map(({ state }) => state)).toEqual([{ verifier: "secret of the bank" }, 2]);
    expect(await status()).toMatchObject({ ...away, challenge_kind: "ask" });
    expect(await view()).toMatchObject({ challenge: { kind: "ask", fields, message: null } });
    await expect(customer.submitAnswer(link, owner, "a text")).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(customer.submitAnswer(link, owner, { account: "2" })).rejects.toMatchObject({
      details: [{ field: "account", error_type: "InvalidValue" }],
    });
    await customer.submitAnswer(link, owner, { account: "1", note: "", other: "x" });
    await customer.drain();
    expect(answered).toEqual([{ answer: "", fields: { account: "1" }, state: 3 }]);
    expect(await status()).toMatchObject({ status: "Finished:OK" });
  });
});

describe("[C-5.134] what a bank asks in the middle of a login", () => {
  const ask = {
    kind: "ask",
    fields: [{ name: "account", kind: "choice", options: [{ value: "CH93 0076", label: "Account of Ada" }] }],
    message: "Which of Ada's accounts?",
    state: 1,
  } satisfies LoginStep;
  const challenge = {
    kind: "challenge",
    challenge: { kind: "qr", message: "A code to +41 79 of Ada", qr: "otpauth of Ada" },
    state: 1,
  } satisfies LoginStep;

  it.each([
    ["fields and options", ask, { kind: "ask", fields: ask.fields, message: ask.message }],
    ["a challenge", challenge, challenge.challenge],
  ])("is stored sealed: %s", async (_, step, shown) => {
    const { view, stored } = await begun([step]);
    expect(await view()).toMatchObject({ challenge: shown });
    const { sealed_challenge, sealed_state, sealed_link, ...row } = await stored();
    expect(sealed_challenge).not.toBeNull();
    for (const word of ["Ada", "CH93"]) expect(JSON.stringify(row)).not.toContain(word);
  });
});

describe("[C-5.53] whoever comes back wrongly", () => {
  type Stage = Awaited<ReturnType<typeof begun>>;
  const cases: [string, (stage: Stage) => Promise<CallbackOutcome>, string][] = [
    ["with a state that nobody was given", ({ resumeCallback }) => resumeCallback("A".repeat(43)), "unknown"],
    ["with nothing", ({ resumeCallback }) => resumeCallback(""), "unknown"],
    ["with the secret of the link", ({ resumeCallback, link }) => resumeCallback(link), "unknown"],
    ["in a browser without a cookie", ({ resumeCallback, state }) => resumeCallback(state(), {}, null), "elsewhere"],
    [
      "in the browser of somebody else",
      ({ resumeCallback, state }) => resumeCallback(state(), {}, "B".repeat(43)),
      "elsewhere",
    ],
    [
      "with the state of another session",
      async ({ resumeCallback }) => resumeCallback((await begun()).state(), {}, null),
      "elsewhere",
    ],
    [
      "having declined, in another browser",
      ({ resumeCallback, state }) => resumeCallback(state(), { error: "access_denied" }, null),
      "elsewhere",
    ],
    [
      "after the session's time",
      ({ resumeCallback, state }) => {
        world.runtime.advance(1_800_000);
        return resumeCallback(state());
      },
      "over",
    ],
  ];
  it.each(cases)("%s is refused; the bank is not asked, and nothing is spent", async (_, come, kind) => {
    const stage = await begun();
    const before = await stage.stored();
    expect((await come(stage)).kind).toBe(kind);
    await stage.customer.drain();
    expect(stage.resumed).toEqual([]);
    expect(await stage.stored()).toEqual(before);
    expect(world.faults).toEqual([]);
    if (kind === "over") return;
    await stage.resumeCallback(stage.state());
    await stage.customer.drain();
    expect(await stage.status()).toMatchObject({ status: "Finished:OK" });
  });

  it("tells a browser elsewhere who asks and which bank it was, and not where the session is", async () => {
    const { resumeCallback, state, link } = await begun();
    const outcome = await resumeCallback(state(), {}, null);
    expect(outcome).toMatchObject({ kind: "elsewhere", bank: "Banco del Norte", requester: { name: "Alice & Co" } });
    expect(JSON.stringify(outcome)).not.toContain(link);
  });

  it("again is led on to where the session stands, and the bank is asked once", async () => {
    let answer: (step: LoginStep) => void = () => {};
    const resume = () => new Promise<LoginStep>((resolve) => (answer = resolve));
    const asked: object[] = [];
    const { resumeCallback, state, customer, link, status } = await begun([], {
      more: {
        resume: (request) => {
          asked.push(request);
          return resume();
        },
      },
    });
    expect(await resumeCallback(state())).toEqual({ kind: "onward", link });
    expect(await resumeCallback(state())).toEqual({ kind: "onward", link });
    expect(await status()).toMatchObject({ status: "Processing:Challenge" });
    answer(welcome);
    await customer.drain();
    expect(await resumeCallback(state())).toMatchObject({ kind: "over", view: { status: "Finished:OK" } });
    expect(await resumeCallback(state(), { error: "access_denied" })).toMatchObject({ kind: "over" });
    expect(asked).toHaveLength(1);
    expect(await status()).toMatchObject({ status: "Finished:OK" });
  });

  it("[C-5.52] ten times at once on two replicas: one goes on", async () => {
    const { resumeCallback, state, customer, bank, resumed, owner } = await begun();
    const other = replica(bank);
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => resumeCallback(state(), {}, owner, index % 2 === 0 ? customer : other)),
    );
    await Promise.all([customer.drain(), other.drain()]);
    expect(resumed).toHaveLength(1);
    expect(await connectionsOf(world, world.alice)).toBe(1);
  });
});

describe("[C-5.54] a customer who declines at the bank's page", () => {
  const declined = { error: "access_denied", error_description: "no" };

  it("may go again, with a new step of the bank; doing nothing but reload counts once", async () => {
    const { resumeCallback, state, status, view, customer, link, owner, resumed, logins } = await begun();
    const first = state();
    const page = await customer.leave(link, owner);
    for (let time = 0; time < 3; time += 1)
      expect(await resumeCallback(state(), declined)).toEqual({ kind: "onward", link });
    expect(await status()).toMatchObject({ ...away, error_code: "AbortedByUser" });
    expect(await view()).toMatchObject({ attempts_left: 2 });
    const again = await customer.leave(link, owner);
    expect(again).not.toBe(page);
    expect(again).toContain(state());
    expect(state()).not.toBe(first);
    expect(logins).toHaveLength(2);
    expect(await status()).toMatchObject({ ...away, error_code: null });
    expect(await customer.leave(link, owner)).toBe(again);
    expect(await resumeCallback(first)).toEqual({ kind: "unknown" });
    expect(resumed).toEqual([]);
    await resumeCallback(state());
    await customer.drain();
    expect(await status()).toMatchObject({ status: "Finished:OK", error_code: null });
  });

  it("types the fields of the login again, where it has any", async () => {
    const field = { name: "user", kind: "text", label: { en: "User" } } as unknown as CredentialField;
    let fields: CredentialField[] = [];
    const { resumeCallback, state, status, customer, link, owner } = await begun([], {
      more: { credentialFields: () => fields },
    });
    fields = [field];
    await resumeCallback(state(), declined);
    await expect(customer.leave(link, owner)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await status()).toMatchObject({ status: "Waiting:ProvideCredentials", error_code: null });
  });

  it("three times ends the session", async () => {
    const { resumeCallback, state, status, customer, link, owner, stored } = await begun();
    for (let time = 0; time < 2; time += 1) {
      await resumeCallback(state(), declined);
      await customer.leave(link, owner);
    }
    expect(await resumeCallback(state(), declined)).toMatchObject({ kind: "over" });
    expect(await status()).toMatchObject({ status: "Finished:Error", error_code: "AbortedByUser", widget_url: null });
    expect(await stored()).toMatchObject({ sealed_state: null, sealed_link: null, challenge: null });
  });
});

describe("[C-5.55] a login that begins anew", () => {
  it("after the bank has refused what came back, which was good once", async () => {
    const { steps, resumeCallback, state, status, view, customer, link, owner, resumed } = await begun();
    const first = state();
    steps.push({ kind: "rejected" });
    await resumeCallback(first);
    await customer.drain();
    expect(await status()).toMatchObject({ status: "Waiting:ProvideCredentials", error_code: "InvalidCredentials" });
    expect(await view()).toMatchObject({ credential_fields: [], attempts_left: 2 });
    expect(await resumeCallback(first)).toEqual({ kind: "onward", link });
    await customer.submitCredentials(link, owner, {});
    await customer.drain();
    expect(await resumeCallback(first)).toMatchObject({ kind: "unknown" });
    await resumeCallback(state());
    await customer.drain();
    expect(resumed).toHaveLength(2);
    expect(await status()).toMatchObject({ status: "Finished:OK" });
  });

  it("because the customer wants it to, ten times; what led back before does not any more", async () => {
    const { resumeCallback, state, status, customer, link, owner, logins } = await begun();
    const first = state();
    for (let time = 0; time < 10; time += 1) {
      await customer.restart(link, owner);
      await customer.drain();
    }
    expect(logins).toHaveLength(11);
    await expect(customer.restart(link, owner)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await resumeCallback(first)).toMatchObject({ kind: "unknown" });
    expect(await status()).toMatchObject(away);
    await resumeCallback(state());
    await customer.drain();
    expect(await status()).toMatchObject({ status: "Finished:OK" });
  });

  it("not from a challenge, nor while the bank is asked", async () => {
    const sms: LoginStep = { kind: "challenge", challenge: { kind: "sms", message: "Code?" }, state: {} };
    const challenged = await begun([sms]);
    await expect(challenged.customer.restart(challenged.link, challenged.owner)).rejects.toMatchObject({
      code: "CONFLICT",
    });
    const asked = await begun([], { more: { resume: () => new Promise(() => {}) } });
    await asked.resumeCallback(asked.state());
    await expect(asked.customer.restart(asked.link, asked.owner)).rejects.toMatchObject({ code: "CONFLICT" });
  });

  it("[C-9.35] after the server was killed while the bank was asked; the code is not used twice", async () => {
    const { resumeCallback, state, status, link, owner, resumed, bank } = await begun([], {
      more: { resume: () => new Promise(() => {}) },
    });
    const first = state();
    await resumeCallback(first);
    world.runtime.advance(45_000);
    expect(await releaseCutOffLogins(world, 10)).toHaveLength(1);
    expect(await status()).toMatchObject({ status: "Waiting:ProvideCredentials", error_code: "InternalError" });
    expect(await resumeCallback(first)).toEqual({ kind: "onward", link });
    const next = replica({ ...bank, resume: async () => welcome });
    await next.submitCredentials(link, owner, {});
    await next.drain();
    expect(resumed).toEqual([]);
    await resumeCallback(state(), {}, owner, next);
    await next.drain();
    expect(await status()).toMatchObject({ status: "Finished:OK", error_code: null });
    expect(await connectionsOf(world, world.alice)).toBe(1);
  });
});

describe("[C-5.56] an approval in the bank's app, with the page closed", () => {
  const app: LoginStep = { kind: "challenge", challenge: { kind: "app", message: "Approve" }, state: { asked: 1 } };

  it("connects the customer; one replica looks at a time, and only where no page does", async () => {
    let looks = 0;
    let approved = false;
    const look = async () => {
      looks += 1;
      return approved ? welcome : ({ kind: "waiting" } as const);
    };
    const { customer, bank, status, link, owner } = await begun([app], { more: { look } });
    const other = replica(bank);
    const follow = async () => {
      await Promise.all([customer.followChallenges(10), other.followChallenges(10)]);
      await Promise.all([customer.drain(), other.drain()]);
    };
    await follow();
    expect(looks).toBe(0);
    world.runtime.advance(5_000);
    await follow();
    expect(looks).toBe(1);
    world.runtime.advance(3_000);
    await customer.poll(link, owner);
    await customer.drain();
    expect(looks).toBe(2);
    world.runtime.advance(3_000);
    await follow();
    expect(looks).toBe(2);
    approved = true;
    world.runtime.advance(5_000);
    await follow();
    expect(await status()).toMatchObject({ status: "Finished:OK", error_code: null });
    expect(await connectionsOf(world, world.alice)).toBe(1);
  });

  it("is not looked for at a redirect, at a bank that cannot be asked, or after the session's time", async () => {
    let looks = 0;
    const look = async () => {
      looks += 1;
      return { kind: "waiting" } as const;
    };
    const stages = [await begun([], { more: { look } }), await begun([app]), await begun([app], { more: { look } })];
    world.runtime.advance(1_800_000);
    for (const { customer } of stages) {
      await customer.followChallenges(10);
      await customer.drain();
    }
    expect(looks).toBe(0);
  });
});

describe("[C-5.57] a first fetch that has no data yet", () => {
  const waits: [string, FetchResult, number][] = [
    ["because the institution prepares them", { pending: { retry_after: 90, state: { report: 1 } } }, 90],
    ["because it is asked too often", { throttled: { retry_after: 60 } }, 60],
  ];
  it.each(waits)(
    "%s: the session is Finished:OK, the connection pending, the next fetch planned",
    async (_, result, seconds) => {
      const { resumeCallback, state, customer, status, view } = await begun([], {
        more: { fetch: async () => result },
      });
      await resumeCallback(state());
      await customer.drain();
      expect(await status()).toMatchObject({ status: "Finished:OK", connection_id: expect.any(String) });
      expect(await view()).toMatchObject({ remark: "data_pending" });
      const connectionId = (await status()).connection_id as Uuid;
      const now = world.runtime.clock().getTime();
      await world.storage.inTenant(world.alice.tenant_id, async ({ connections, refreshes }) => {
        expect(await connections.find(connectionId)).toMatchObject({ status: { pending: true, blocked: false } });
        expect((await refreshes.find(connectionId))?.due_at).toEqual(new Date(now + seconds * 1_000));
      });
    },
  );

  it("and one that failed connects nobody", async () => {
    const { resumeCallback, state, customer, status } = await begun([], {
      more: { fetch: async () => ({ failed: { message: "no report" } }) },
    });
    await resumeCallback(state());
    await customer.drain();
    expect(await status()).toMatchObject({ status: "Finished:Error", error_code: "InternalError" });
    expect(await connectionsOf(world, world.alice)).toBe(0);
  });
});

describe("[C-5.58] a repair", () => {
  it("hands the provider the access that there is, keeps the connection's id, and clears what asked for it", async () => {
    const first = await begun();
    await first.resumeCallback(first.state());
    await first.customer.drain();
    const connection_id = (await first.status()).connection_id as Uuid;
    await world.storage.inTenant(world.alice.tenant_id, async ({ connections }) => {
      const { status } = (await connections.find(connection_id)) as ConnectionRecord;
      await connections.save(connection_id, { status: { ...status, sca_token: "sca", blocked: true } });
    });
    const pending: FetchResult = { pending: { retry_after: 30, state: {} } };
    const repair = await begun([], { target: { connection_id }, more: { fetch: async () => pending } });
    expect(repair.logins).toMatchObject([{ existing_access: { token: "access of ada" } }]);
    await repair.resumeCallback(repair.state());
    await repair.customer.drain();
    expect(await repair.status()).toMatchObject({ status: "Finished:OK", connection_id });
    expect(await connectionsOf(world, world.alice)).toBe(1);
    const kept = await world.storage.inTenant(world.alice.tenant_id, (stores) =>
      stores.connections.find(connection_id),
    );
    expect(kept?.status).toMatchObject({ pending: false, blocked: false, sca_token: null });
    expect(kept?.status.last_update).not.toBeNull();
  });
});

describe("[C-5.50] fields of a bank's own", () => {
  const fields: CredentialField[] = [
    { name: "token", kind: "secret" },
    { name: "query_id", pattern: "\\d{3,8}" },
    { name: "branch", kind: "choice", options: [{ value: "zh", label: { en: "Zurich" } }] },
    { name: "amount", kind: "number", required: false },
  ];
  const good = { token: " ", query_id: "1234", branch: "zh" };
  const bad: [object, object[]][] = [
    [{}, ["token", "query_id", "branch"].map((field) => ({ field, error_type: "RequiredField" }))],
    [{ ...good, query_id: "   " }, [{ field: "query_id", error_type: "RequiredField" }]],
    [{ ...good, query_id: "12" }, [{ field: "query_id", error_type: "InvalidValue" }]],
    [{ ...good, query_id: "1234 or 1=1" }, [{ field: "query_id", error_type: "InvalidValue" }]],
    [{ ...good, branch: "constructor" }, [{ field: "branch", error_type: "InvalidValue" }]],
    [{ ...good, amount: "1e5" }, [{ field: "amount", error_type: "InvalidValue" }]],
    [{ ...good, token: "x".repeat(501) }, [{ field: "token", error_type: "InvalidValue" }]],
    [{ ...good, token: "a\0b" }, [{ field: "token", error_type: "InvalidValue" }]],
  ];

  it("are checked by name, and handed on as they were typed", async () => {
    const { customer, link, owner, logins, view } = await begun([], { more: { credentialFields: () => fields } });
    expect(await view()).toMatchObject({ status: "Waiting:ProvideCredentials", credential_fields: fields });
    expect(logins).toEqual([]);
    for (const [typed, details] of bad)
      await expect(customer.submitCredentials(link, owner, typed as typeof good)).rejects.toMatchObject({ details });
    expect(logins).toEqual([]);
    await customer.submitCredentials(link, owner, { ...good, amount: "", other: "x" });
    await customer.drain();
    expect(logins).toMatchObject([{ fields: good }]);
    expect(Object.keys(logins[0]?.fields ?? {})).toEqual(["token", "query_id", "branch"]);
  });
});
