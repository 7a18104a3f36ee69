import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { type CommandEnvironment, commandLine } from "./command-line.js";
import { demo, operator, refusal, startStub } from "./stub-server.js";

const TENANT = "01900000-0000-7000-8000-000000000001";
const ENDPOINT = "01900000-0000-7000-8000-0000000000ee";
const EVENT = "01900000-0000-7000-8000-00000000000e";
const SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDo9aQ1J8aGqA=";
const endpoint = {
  id: ENDPOINT,
  url: "https://crm.example/hooks",
  types: ["letter.*"],
  labels: { desk: "a=b" },
  description: null,
  enabled: true,
  disabled_reason: null,
  failing_since: null,
  delivered_at: null,
  last_failure: null,
};
const disabled = { ...endpoint, enabled: false, disabled_reason: "gone" };
const delivery = {
  id: EVENT,
  event_id: EVENT,
  type: "webhook.test",
  created_at: "2026-03-02T08:59:00.000Z",
  state: "delivered",
  attempt: 1,
  at: "2026-03-02T09:00:00.000Z",
  status: 204,
  ms: 7,
  error: null,
  next_at: null,
};

const cli = commandLine();
const stub = await startStub();
const envOf = ({ client_id, client_secret }: typeof demo) => ({
  WEALTH_CONNECT_URL: stub.url,
  WEALTH_CONNECT_CLIENT_ID: client_id,
  WEALTH_CONNECT_CLIENT_SECRET: client_secret,
});
const run = (args: readonly string[], more: CommandEnvironment = {}) =>
  cli.run(["webhooks", ...args], { env: envOf(demo), ...more });
const json = async (args: readonly string[]) => (await cli.json(["webhooks", ...args], { env: envOf(demo) })).document;
const operate = (args: readonly string[]) => run(args, { env: envOf(operator) });
const answer = (name: string, body: unknown) => {
  stub.answers[`/events/v1/${name}`] = { body };
};
const bodies = (path: string) =>
  stub
    .calls()
    .filter((call) => call.path === (path.startsWith("/") ? path : `/events/v1/${path}`))
    .map(({ body }) => JSON.parse(body.toString()));

afterAll(async () => {
  await stub.stop();
  cli.remove();
});
beforeEach(() => {
  stub.sent.length = 0;
  for (const path of Object.keys(stub.answers)) delete stub.answers[path];
});

describe("[C-11.52] webhooks of a tenant", () => {
  it("create sends what was set, and shows the secret this once", async () => {
    answer("create-endpoint", { endpoint, secret: SECRET });
    const made = await run([
      ...["create", "https://crm.example/hooks", "--type", "letter.*", "--type", "grant.ended"],
      ...["--label", "desk=a=b", "--description", "", "--disable"],
    ]);
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining("not shown again") });
    expect(made.stdout).toContain(SECRET);
    expect(await json(["create", "https://crm.example/hooks"])).toEqual({ endpoint, secret: SECRET });
    const url = "https://crm.example/hooks";
    const set = { types: ["letter.*", "grant.ended"], labels: { desk: "a=b" }, description: "", enabled: false };
    expect(bodies("create-endpoint")).toEqual([{ url, ...set }, { url }]);
  });

  it("list shows why one is disabled, and no secret", async () => {
    answer("list-endpoints", { items: [endpoint, disabled] });
    expect((await run(["list"])).stdout).toMatch(/^ID +URL[^\n]*\n[^\n]*enabled[^\n]*\n[^\n]*disabled \(gone\)/);
    expect(await json(["list"])).toEqual({ items: [endpoint, disabled] });
  });

  it("update changes what is named and leaves the rest", async () => {
    answer("update-endpoint", { endpoint: disabled });
    expect((await run(["update", ENDPOINT, "--to", "https://new.example/", "--enable"])).stdout).toMatch(
      /labels +desk=a=b[\s\S]*state +disabled \(gone\)/,
    );
    expect(await json(["update", ENDPOINT, "--disable"])).toEqual({ endpoint: disabled });
    expect(bodies("update-endpoint")).toEqual([
      { id: ENDPOINT, url: "https://new.example/", enabled: true },
      { id: ENDPOINT, enabled: false },
    ]);
    expect((await run(["update", ENDPOINT, "--enable", "--disable"])).code).toBe(2);
  });

  it("delete asks first, and sends nothing unless somebody says yes", async () => {
    answer("delete-endpoint", { success: true });
    expect((await run(["delete", ENDPOINT])).code).not.toBe(0);
    expect(bodies("delete-endpoint")).toEqual([]);
    expect((await run(["delete", ENDPOINT, "--yes"])).stdout).toBe(`${ENDPOINT} is deleted\n`);
    expect(await json(["delete", ENDPOINT, "--yes"])).toEqual({ success: true });
    expect(bodies("delete-endpoint")).toEqual([{ id: ENDPOINT }, { id: ENDPOINT }]);
  });

  it("test waits for the try, and exits with 1 unless it was delivered", async () => {
    answer("test-endpoint", { event_id: EVENT });
    const tried = (changed: object) => answer("list-deliveries", { items: [changed], next_page_token: null });
    const untried = { ...delivery, state: "pending", attempt: 0, at: null, status: null, ms: null };
    let asked = 0;
    stub.answers["/events/v1/list-deliveries"] = () => {
      asked += 1;
      return { body: { items: [asked < 3 ? untried : delivery], next_page_token: null } };
    };
    expect(await run(["test", ENDPOINT])).toMatchObject({ code: 0, stdout: "delivered: 204 after 7 ms\n" });
    expect(bodies("list-deliveries")[0]).toEqual({ query: { endpoint_id: ENDPOINT, event_id: EVENT } });
    tried({ ...delivery, state: "pending", status: 500, error: "status" });
    expect(await run(["test", ENDPOINT])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("500 after 7 ms: status"),
    });
    tried({ ...delivery, state: "pending", status: null, error: "address_not_allowed\u001b[31m" });
    const refused = await run(["test", ENDPOINT]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("no answer after 7 ms: address_not_allowed"),
    ]);
    expect(refused.stderr).not.toContain("\u001b");
    tried(untried);
    expect(await run(["test", ENDPOINT])).toMatchObject({ code: 1, stderr: expect.stringContaining("not tried yet") });
    tried(delivery);
    expect(await json(["test", ENDPOINT])).toEqual(delivery);
  });

  it("rotate-secret shows the new one and until when the old one signs", async () => {
    const rotated = { secret: SECRET, previous_until: "2026-03-03T09:00:00.000Z" };
    answer("rotate-secret", rotated);
    expect((await run(["rotate-secret", ENDPOINT])).stdout).toMatch(/whsec_[\s\S]*2026-03-03/);
    expect(await json(["rotate-secret", ENDPOINT])).toEqual(rotated);
  });

  it("[C-14.1056] deliveries goes from page to page for as many as are wanted", async () => {
    stub.answers["/events/v1/list-deliveries"] = ({ body }) => {
      const { page_token } = JSON.parse(body.toString());
      return { body: { items: [delivery, delivery], next_page_token: page_token === null ? "next" : null } };
    };
    const asked = [
      "deliveries",
      ENDPOINT,
      "--event",
      EVENT,
      "--state",
      "failed",
      "--state",
      "pending",
      "--type",
      "letter.*",
      "--limit",
      "3",
    ];
    expect((await json(asked)).items).toHaveLength(3);
    const query = { endpoint_id: ENDPOINT, event_id: EVENT, state_in: ["failed", "pending"], type_in: ["letter.*"] };
    expect(bodies("list-deliveries")).toEqual(
      [null, "next"].map((page_token) => ({ query, order: "newest", page_size: 3, page_token })),
    );
    expect((await run(asked)).stdout).toMatch(/^EVENT +TYPE +HAPPENED +STATE +TRIES/);
    await run(["deliveries", ENDPOINT, "--oldest-first", "--limit", "1"]);
    expect(bodies("list-deliveries").at(-1)).toMatchObject({ order: "oldest" });
    for (const limit of ["0", "x", "-1", "100001"])
      expect((await run(["deliveries", ENDPOINT, "--limit", limit])).code).toBe(2);
  });

  it("replay goes on until all are queued, and counts them", async () => {
    stub.answers["/events/v1/replay"] = ({ body }) => ({
      body: { queued: 10_000, next_after: JSON.parse(body.toString()).after === null ? EVENT : null },
    });
    const asked = ["replay", ENDPOINT, "--since", "2026-03-01", "--until", "2026-03-02", "--type", "letter.*"];
    expect((await run(asked)).stdout).toBe("20000 events are sent once more\n");
    expect(bodies("replay").map(({ after }) => after)).toEqual([null, EVENT]);
    expect(bodies("replay")[0]).toMatchObject({ since: "2026-03-01", until: "2026-03-02", types: ["letter.*"] });
    expect(await json(["replay", ENDPOINT, "--event", EVENT])).toEqual({ queued: 20_000 });
    expect(bodies("replay").at(-1)).toMatchObject({ event_ids: [EVENT] });
  });

  it.each([
    ["create-endpoint", ["create", "https://crm.example/", "--type", "letters.*"], "types[0]"],
    ["update-endpoint", ["update", ENDPOINT, "--to", "ftp://x"], "url"],
    ["replay", ["replay", ENDPOINT, "--since", "yesterday"], "since"],
  ])("%s: what the server refuses is one line that names the field", async (name, args, field) => {
    const details = [{ field, error_type: "InvalidValue", rule: "must be another" }];
    stub.answers[`/events/v1/${name}`] = { status: 400, body: refusal("VALIDATION_ERROR", undefined, details) };
    const refused = await run(args);
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toContain(field);
  });

  it.each([[["create"]], [["update"]], [["delete"]], [["test"]], [["rotate-secret"]], [["deliveries"]], [["replay"]]])(
    "%j without its argument is wrong usage, and so is a label that is none",
    async (args) => {
      expect((await run(args)).code).toBe(2);
      expect((await run(["create", "https://crm.example/", "--label", "desk"])).code).toBe(2);
      expect(stub.calls()).toEqual([]);
    },
  );
});

describe("[C-11.51] webhooks for operators", () => {
  const shown = {
    id: ENDPOINT,
    tenant_id: TENANT,
    host: "crm.example:8443",
    state: "failing",
    disabled_reason: null,
    disabled_at: null,
    failing_since: "2026-03-02T09:00:00.000Z",
    delivered_at: null,
    last_failure: { at: "2026-03-03T08:00:00.000Z", status: 503, error: "status" },
  };
  const off = {
    ...shown,
    state: "disabled",
    disabled_reason: "failing",
    disabled_at: "2026-03-07T09:00:00.000Z",
    last_failure: { at: "2026-03-07T08:59:59.000Z", status: null, error: "timeout" },
  };

  it("list --all, --tenant and --state ask for endpoints of all tenants, page after page", async () => {
    const PATH = "/operator/v1/webhooks/list";
    stub.answers["/operator/v1/tenants/list"] = {
      body: { items: [{ tenant_id: TENANT, name: "Demo", enabled: true, created_at: "2026-03-02T09:00:00.000Z" }] },
    };
    stub.answers[PATH] = ({ body }) => ({
      body: JSON.parse(body.toString()).page_token
        ? { items: [off], next_page_token: null }
        : { items: [shown], next_page_token: "next" },
    });
    expect((await operate(["list", "--all"])).stdout).toMatch(
      /^ID +TENANT +HOST[\s\S]*crm.example:8443 +failing +2026-03-02\S+ +2026-03-03T08:00:00.000Z 503 [\s\S]*disabled \(failing\) at 2026-03-07.* 2026-03-07T08:59:59.000Z timeout/,
    );
    const { document } = await cli.json(["webhooks", "list", "--tenant", "demo", "--state", "failing"], {
      env: envOf(operator),
    });
    expect(document).toEqual({ items: [shown, off] });
    expect(bodies(PATH)).toEqual([
      { tenant_id: null, page_size: 500, page_token: null },
      { tenant_id: null, page_size: 500, page_token: "next" },
      { tenant_id: TENANT, state_in: ["failing"], page_size: 500, page_token: null },
      { tenant_id: TENANT, state_in: ["failing"], page_size: 500, page_token: "next" },
    ]);
    expect((await operate(["list", "--all", "--tenant", "demo"])).code).toBe(2);
  });

  it.each(["enable", "disable"])("%s names an endpoint", async (verb) => {
    const endpoint = verb === "enable" ? shown : off;
    stub.answers[`/operator/v1/webhooks/${verb}`] = { body: { endpoint } };
    expect((await operate([verb, ENDPOINT])).stdout).toContain(`tenant         ${TENANT}`);
    const { document } = await cli.json(["webhooks", verb, ENDPOINT], { env: envOf(operator) });
    expect(document).toEqual({ endpoint });
    expect(bodies(`/operator/v1/webhooks/${verb}`)).toEqual([{ id: ENDPOINT }, { id: ENDPOINT }]);
  });

  it("deliveries --operator asks for those of any tenant's endpoint", async () => {
    const PATH = "/operator/v1/webhooks/list-deliveries";
    stub.answers[PATH] = { body: { items: [delivery], next_page_token: null } };
    expect((await operate(["deliveries", ENDPOINT, "--operator"])).stdout).toContain("webhook.test");
    expect(bodies(PATH)).toMatchObject([{ query: { endpoint_id: ENDPOINT } }]);
  });
});
