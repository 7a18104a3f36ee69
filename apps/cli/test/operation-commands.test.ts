import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseKeyring } from "@org/keyring";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { commandLine } from "./command-line.js";
import { operator, refusal, startStub } from "./stub-server.js";

const TENANT = "01900000-0000-7000-8000-000000000001";
const GONE = "01900000-0000-7000-8000-000000000009";
const tenant = { tenant_id: TENANT, name: "Demo", enabled: false, created_at: "2026-03-02T09:00:00.000Z" };
const line = (second: number) => ({
  audit_id: GONE,
  at: `2026-03-02T09:00:${String(second).padStart(2, "0")}.000Z`,
  tenant_id: second % 2 === 0 ? null : TENANT,
  actor: "operator",
  action: "tenant.disabled",
  object_type: "tenant",
  object_id: TENANT,
  trace_id: null,
  address: "203.0.113.7",
  facts: { detail: null, client_id: "wca_x" },
});

const cli = commandLine();
const stub = await startStub();
const env = {
  WEALTH_CONNECT_URL: stub.url,
  WEALTH_CONNECT_CLIENT_ID: operator.client_id,
  WEALTH_CONNECT_CLIENT_SECRET: operator.client_secret,
};
afterAll(async () => {
  await stub.stop();
  cli.remove();
});
beforeEach(() => {
  stub.sent.length = 0;
  for (const path of Object.keys(stub.answers)) delete stub.answers[path];
  stub.answers["/operator/v1/tenants/list"] = { body: { items: [tenant] } };
});
const bodies = (path: string) =>
  stub
    .calls()
    .filter((call) => call.path === path)
    .map(({ body }) => JSON.parse(body.toString()));

describe("[C-8.5] tenants", () => {
  it("list shows which are switched off", async () => {
    expect((await cli.run(["tenants", "list"], { env })).stdout).toMatch(/TENANT_ID +NAME +ENABLED[\s\S]*Demo +no/);
  });

  it.each(["disable", "enable"])("%s names it by name or id", async (verb) => {
    stub.answers[`/operator/v1/tenants/${verb}`] = { body: { tenant } };
    expect((await cli.json(["tenants", verb, "demo"], { env })).document).toEqual({ tenant });
    expect((await cli.run(["tenants", verb, TENANT], { env })).stdout).toMatch(/enabled +no/);
    expect(bodies(`/operator/v1/tenants/${verb}`)).toEqual([{ tenant_id: TENANT }, { tenant_id: TENANT }]);
  });

  it("limits shows what a tenant may have and has, sets it and resets it, for the installation too", async () => {
    const items = [{ name: "letters", value: 5, source: "tenant", used: 4 }];
    for (const path of ["limits", "change-limits"]) stub.answers[`/operator/v1/tenants/${path}`] = { body: { items } };
    const { stdout } = await cli.run(["tenants", "limits", "demo"], { env });
    expect(stdout).toMatch(/LIMIT +VALUE +USED +SET FOR\nletters +5 +4 +tenant/);
    const change = ["--set", "letters=5", "--set", "document_bytes=2000000000000", "--reset", "grants"];
    expect((await cli.json(["tenants", "limits", "Demo", ...change], { env })).document).toEqual({ items });
    await cli.run(["tenants", "limits", "--installation", "--reset", "letters"], { env });
    expect(bodies("/operator/v1/tenants/limits")).toEqual([{ tenant_id: TENANT }]);
    expect(bodies("/operator/v1/tenants/change-limits")).toEqual([
      { tenant_id: TENANT, set: { letters: 5, document_bytes: 2e12 }, reset: ["grants"] },
      { tenant_id: null, set: {}, reset: ["letters"] },
    ]);
    for (const wrong of [
      ["Demo", "--installation"],
      ["Demo", "--set", "letters=many"],
      ["Demo", "--set", "letters=-1"],
    ])
      expect(await cli.run(["tenants", "limits", ...wrong], { env }), wrong.join(" ")).toMatchObject({ code: 2 });
  });

  it("[C-14.1116] history_days is shortened only with --yes, or after the question has said what is deleted", async () => {
    const path = "/operator/v1/tenants/limits";
    const days = (value: number, source: string) => ({ items: [{ name: "history_days", value, source, used: null }] });
    stub.answers[path] = { body: days(400, "tenant") };
    stub.answers["/operator/v1/tenants/change-limits"] = { body: days(30, "tenant") };
    const limits = (...words: readonly string[]) => cli.run(["tenants", "limits", ...words], { env });
    const shorter = ["--set", "history_days=30"];
    expect(await limits("demo", ...shorter)).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
    expect(await limits("--installation", ...shorter)).toMatchObject({ code: 2 });
    expect(bodies("/operator/v1/tenants/change-limits")).toEqual([]);
    for (const asked of [
      [...shorter, "--yes"],
      ["--set", "history_days=400"],
      ["--reset", "history_days"],
    ])
      expect(await limits("demo", ...asked)).toMatchObject({ code: 0 });
    stub.answers[path] = { body: days(400, "installation") };
    expect(await limits("--installation", "--reset", "history_days")).toMatchObject({ code: 2 });
    stub.answers[path] = { body: days(3660, "default") };
    expect(await limits("--installation", "--reset", "history_days")).toMatchObject({ code: 0 });
    expect(bodies("/operator/v1/tenants/change-limits")).toHaveLength(4);
  });

  it("[C-8.80] update sets and resets how it shows itself, show prints it", async () => {
    const nothing = { legal_name: null, postal_address: null, privacy_url: null, support_contact: null };
    const logo = { sha256: "ab", media_type: "image/png", width: 3, height: 2 };
    const shown = { tenant: { ...tenant, profile: { display_name: "Demo & Co", ...nothing, logo } } };
    for (const verb of ["show", "update"]) stub.answers[`/operator/v1/tenants/${verb}`] = { body: shown };
    const { stdout } = await cli.run(["tenants", "show"], { env });
    expect(stdout).toMatch(/display_name +Demo & Co\nlegal_name +-[\s\S]*logo +image\/png, 3 × 2 pixels/);
    const texts = [
      "--display-name",
      "Demo & Co",
      "--address",
      "Street 1",
      "--address",
      "Town",
      "--reset",
      "legal-name",
    ];
    const more = ["--privacy-url", "https://x.example", "--support-contact", "a@x.example", "--logo", "-"];
    const run = await cli.json(["tenants", "update", "demo", ...texts, ...more], { env, stdin: "PNG" });
    expect(run.document).toEqual(shown);
    expect(bodies("/operator/v1/tenants/update")).toEqual([
      {
        tenant_id: TENANT,
        set: {
          display_name: "Demo & Co",
          postal_address: ["Street 1", "Town"],
          privacy_url: "https://x.example",
          support_contact: "a@x.example",
          logo: Buffer.from("PNG").toString("base64"),
        },
        reset: ["legal_name"],
      },
    ]);
    expect(await cli.run(["tenants", "update", "demo"], { env })).toMatchObject({ code: 2 });
  });

  it("delete does nothing without --yes", async () => {
    const refused = await cli.run(["tenants", "delete", "Demo"], { env });
    expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/add --yes/) });
    expect(stub.calls().map(({ path }) => path)).toEqual(["/operator/v1/tenants/list"]);
    stub.answers["/operator/v1/tenants/delete"] = { body: { success: true } };
    expect(await cli.run(["tenants", "delete", "Demo", "--yes"], { env })).toMatchObject({ code: 0 });
    expect(bodies("/operator/v1/tenants/delete")).toEqual([{ tenant_id: TENANT, confirm: true }]);
  });
});

describe("[C-8.5] audit", () => {
  /** `total` lines, in pages of three. */
  const answerLines = (total: number) => {
    stub.answers["/operator/v1/audit/list"] = ({ body }) => {
      const { page_token } = JSON.parse(body.toString());
      const from = Number(page_token ?? 0);
      const items = Array.from({ length: Math.min(3, total - from) }, (_, index) => line(from + index));
      return { body: { items, next_page_token: from + 3 < total ? String(from + 3) : null } };
    };
  };

  it("list asks with every condition, for as many lines as are wanted", async () => {
    answerLines(7);
    const conditions = [
      "--since",
      "2026-03-01",
      "--until",
      "2026-03-02",
      "--tenant",
      "demo",
      "--action",
      "tenant.disabled",
    ];
    const { document } = await cli.json(
      ["audit", "list", ...conditions, "--actor", "a", "--object", "o", "--trace", "t", "--limit", "4"],
      { env },
    );
    expect(document.items).toEqual([0, 1, 2, 3].map(line));
    const asked = { since: "2026-03-01", until: "2026-03-02", tenant_id: TENANT, action: "tenant.disabled" };
    expect(bodies("/operator/v1/audit/list")).toEqual(
      [null, "3"].map((page_token) => ({
        ...asked,
        actor: "a",
        object_id: "o",
        trace_id: "t",
        page_size: 4,
        page_token,
      })),
    );
  });

  it("list shows lines as a table", async () => {
    answerLines(2);
    expect((await cli.run(["audit", "list"], { env })).stdout).toMatch(
      /^AT +ACTION[^\n]*\n2026-03-02T09:00:00.000Z +tenant.disabled +tenant 0190\S+ +operator +installation +203.0.113.7 +client_id=wca_x\n/,
    );
  });

  it.each([
    [["--installation"], { tenant_id: null }],
    [["--tenant", GONE], { tenant_id: GONE }],
    [[], {}],
  ])("%j asks for %j, also for a tenant that is gone", async (args, expected) => {
    answerLines(1);
    await cli.run(["audit", "list", ...args], { env });
    expect(bodies("/operator/v1/audit/list")).toEqual([{ ...expected, page_size: 50, page_token: null }]);
  });

  it("list takes a tenant or the installation", async () => {
    const args = ["audit", "list", "--tenant", "demo", "--installation"];
    expect(await cli.run(args, { env })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/exclude each other/),
    });
  });

  it("export writes a line for each, oldest first, up to now, with progress on stderr", async () => {
    answerLines(7);
    const { code, stdout, stderr } = await cli.run(["audit", "export", "--installation", "--since", "2026-03-01"], {
      env,
    });
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((text) => JSON.parse(text)),
    ).toEqual([0, 1, 2, 3, 4, 5, 6].map(line));
    expect(stderr).toMatch(/exporting .*7 lines/);
    const asked = bodies("/operator/v1/audit/list");
    expect(new Set(asked.map(({ until }) => until)).size).toBe(1);
    expect(asked[0]).toMatchObject({
      order: "oldest",
      since: "2026-03-01",
      page_size: 1000,
      until: expect.any(String),
    });
  });

  it("export makes a file for its owner, and overwrites none", async () => {
    answerLines(4);
    const args = ["audit", "export", "--installation", "--output", "trail.ndjson"];
    expect(await cli.run(args, { env })).toMatchObject({ code: 0, stdout: "" });
    const path = join(cli.folder, "trail.ndjson");
    expect(readFileSync(path, "utf8")).toBe([0, 1, 2, 3].map((second) => `${JSON.stringify(line(second))}\n`).join(""));
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await cli.run(args, { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/it is there already/),
    });
  });

  it("export of nothing writes nothing", async () => {
    answerLines(0);
    expect(await cli.run(["audit", "export", "--installation"], { env })).toMatchObject({ code: 0, stdout: "" });
  });

  it("export gets a new token when the first one runs out on the way", async () => {
    answerLines(7);
    const answer = stub.answers["/operator/v1/audit/list"];
    let calls = 0;
    stub.answers["/operator/v1/audit/list"] = (sent) => {
      calls += 1;
      if (calls === 2) return { status: 401, body: refusal("UNAUTHENTICATED", "expired") };
      return typeof answer === "function" ? answer(sent) : { body: undefined };
    };
    const { code, stdout } = await cli.run(["audit", "export", "--installation"], { env });
    expect([code, stdout.trimEnd().split("\n").length]).toEqual([0, 7]);
    expect(stub.sent.filter(({ path }) => path === "/token")).toHaveLength(2);
  });

  it("passes on what the server refuses", async () => {
    const details = [{ field: "since", error_type: "InvalidValue", rule: "must be an ISO 8601 date" }];
    stub.answers["/operator/v1/audit/list"] = { status: 400, body: refusal("VALIDATION_ERROR", undefined, details) };
    expect(await cli.run(["audit", "list", "--since", "x"], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/since must be an ISO 8601 date/),
    });
  });
});

describe("[C-11.9] events", () => {
  const event = (sequence: number) => ({
    id: `01900000-0000-7000-8000-${String(sequence).padStart(12, "0")}`,
    type: "letter.moved",
    created_at: "2026-03-02T09:00:00.000Z",
    tenant_id: TENANT,
    sequence,
    data: { letter_id: GONE },
  });
  const PATH = "/operator/v1/list-events";
  const linesOf = (stdout: string) =>
    stdout
      .trimEnd()
      .split("\n")
      .map((text) => JSON.parse(text).sequence);

  it("list prints one event a line with --json, page after page, for as many as are wanted", async () => {
    stub.answers[PATH] = ({ body }) => {
      const { page_token } = JSON.parse(body.toString());
      const from = Number(page_token ?? 9);
      return { body: { items: [event(from), event(from - 1)], next_page_token: String(from - 2) } };
    };
    const asked = ["events", "list", "--tenant", "demo", "--type", "letter.*", "--object", GONE, "--limit", "3"];
    expect(linesOf((await cli.run([...asked, "--json"], { env })).stdout)).toEqual([9, 8, 7]);
    const query = { tenant_id: TENANT, type_in: ["letter.*"], object_id: GONE };
    expect(bodies(PATH)).toEqual([null, "7"].map((page_token) => ({ query, order: "desc", page_size: 3, page_token })));
    expect((await cli.run(asked, { env })).stdout).toMatch(
      /^SEQUENCE +AT +TYPE +ID +DATA\n9 +2026-03-02T09:00:00.000Z/,
    );
    expect(await cli.run([...asked, "--installation"], { env })).toMatchObject({ code: 2 });
  });

  it("follow begins now, goes on behind the last event when the server was away, and ends when interrupted", async () => {
    let calls = 0;
    stub.answers[PATH] = ({ body }) => {
      const { order, query } = JSON.parse(body.toString());
      calls += 1;
      if (order === "desc") return { body: { items: [event(4)], next_page_token: null } };
      if (calls === 3 || calls === 4) return { status: 503, body: refusal("UNAVAILABLE", "the database is away") };
      const next = Number(query.after.slice(-12)) + 1;
      return { body: { items: [event(next), event(next + 1)], next_page_token: null } };
    };
    const interruption = new AbortController();
    const printed: string[] = [];
    const { code, stdout, stderr } = await cli.run(["events", "follow", "--installation", "--json"], {
      env,
      interrupted: interruption.signal,
      onPrint(text) {
        printed.push(text);
        if (printed.length === 4) interruption.abort();
      },
    });
    expect([code, linesOf(stdout)]).toEqual([0, [5, 6, 7, 8]]);
    expect(stderr).toMatch(/the database is away.*retried\n.*the server is back\n/s);
    expect(bodies(PATH)[1]).toMatchObject({ query: { after: event(4).id }, order: "asc", wait_seconds: 25 });
  });

  it("follow goes on behind --after, and passes on what is not for now", async () => {
    const details = [{ field: "query.after", error_type: "InvalidValue", rule: "events are kept for 30 days" }];
    stub.answers[PATH] = { status: 400, body: refusal("VALIDATION_ERROR", undefined, details) };
    const after = event(1).id;
    expect(await cli.run(["events", "follow", "--installation", "--after", after], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/kept for 30 days/),
    });
    expect(bodies(PATH)).toMatchObject([{ query: { after }, order: "asc" }]);
    expect((await cli.run(["events", "follow", "--after", "x"], { env })).code).toBe(2);
  });
});

describe("[C-8.17] audit head and verify", () => {
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
  const chained = (second: number) => ({ ...line(second), tenant_id: null, facts: {} });
  const contentOf = (entry: ReturnType<typeof chained>) =>
    sha256(
      JSON.stringify([
        entry.audit_id,
        null,
        entry.at,
        entry.actor,
        entry.action,
        "tenant",
        TENANT,
        null,
        entry.address,
        [],
      ]),
    );
  const begin = { sequence: 0, hash: "0".repeat(64) };
  let previous = begin.hash;
  const items = [1, 2, 3, 4].map((sequence) => {
    const entry = chained(sequence);
    previous = sha256(`${previous} ${sequence} - ${contentOf(entry)}`);
    return { sequence, hash: previous, audit_id: GONE, refused_at: null, content_hash: null, line: entry };
  });
  const head = { sequence: 4, hash: previous };
  const waiting = chained(9);
  /** Pages of three; `change` stands for an attacker with database access. */
  const answerChain = (change: (place: (typeof items)[number]) => object = (place) => place) => {
    stub.answers["/operator/v1/audit/head"] = { body: { ...head, sealed_at: "2026-03-02T09:00:00.000Z", waiting: 1 } };
    stub.answers["/operator/v1/audit/chain"] = ({ body }) => {
      const { after = 0 } = JSON.parse(body.toString());
      const page = items.slice(after, after + 3);
      const isLast = after + 3 >= items.length;
      const frame = { strangers: [], waiting: isLast ? [waiting] : [], through: null };
      const from = after === 0 ? begin : { sequence: after, hash: items[after - 1]?.hash };
      return { body: { after: from, items: page.map(change), ...frame, next_after: isLast ? null : after + 3 } };
    };
  };
  const headText = `${head.sequence}:${head.hash}`;

  it("head is shown as it is kept", async () => {
    answerChain();
    const { stdout } = await cli.run(["audit", "head"], { env });
    expect(stdout).toBe(`${headText}\n2026-03-02T09:00:00.000Z, 1 lines wait\n`);
  });

  it("verify says that the trail is whole, on the server and in an export without one", async () => {
    answerChain();
    const onServer = await cli.run(["audit", "verify", "--head", headText], { env });
    expect(onServer).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`intact: 4 places, 1 to 4\nhead ${headText}`),
    });
    expect(await cli.run(["audit", "export", "--output", "chain.ndjson"], { env })).toMatchObject({ code: 0 });
    const lines = readFileSync(join(cli.folder, "chain.ndjson"), "utf8").trimEnd().split("\n");
    expect(lines.map((text) => JSON.parse(text))).toEqual([
      { chain: "begins", after: begin },
      ...items.map(({ line: entry, sequence, hash }) => ({ ...entry, sequence, hash })),
      { ...waiting, sequence: null, hash: null },
      { chain: "ends", head },
    ]);
    stub.sent.length = 0;
    const { document, code } = await cli.json(["audit", "verify", "chain.ndjson"], {});
    expect([code, document]).toMatchObject([0, { intact: true, waiting: 1, report: { head, lines: 4 } }]);
    expect(stub.sent).toEqual([]);
  });

  it.each<[string, (text: string) => string, RegExp]>([
    ["a changed line", (text) => text.replace("09:00:02.000Z", "09:00:02.001Z"), /sequence 2 \(.*was changed/],
    ["a line taken away", (text) => text.replace(/\n[^\n]*"sequence":3[^\n]*/, ""), /sequence 4 .*expected sequence 3/],
    ["an end cut off", (text) => text.split("\n").slice(0, 4).join("\n"), /ends before the head/],
    ["no hashes", (text) => text.split("\n").slice(1).join("\n"), /carries no hashes/],
  ])("verify finds %s in an export", async (name, change, message) => {
    answerChain();
    const { stdout } = await cli.run(["audit", "export"], { env });
    writeFileSync(join(cli.folder, `${name}.ndjson`), change(stdout));
    const { code, stderr } = await cli.run(["audit", "verify", `${name}.ndjson`], {});
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
  });

  it("verify draws no progress bar where the server refuses", async () => {
    stub.answers["/operator/v1/audit/head"] = { status: 403, body: {} };
    const { code, stderr } = await cli.run(["audit", "verify"], { env });
    expect([code, stderr.includes("checking")]).toEqual([1, false]);
  });

  it("verify finds what was changed on the server, and what a kept head shows to have been cut off or written anew", async () => {
    answerChain((place) => (place.sequence === 4 ? { ...place, line: null } : place));
    const missing = await cli.run(["audit", "verify"], { env });
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringMatching(/sequence 4 \(.*missing/) });
    answerChain();
    const cut = await cli.run(["audit", "verify", "--head", `9:${head.hash}`], { env });
    expect(cut).toMatchObject({ code: 1, stderr: expect.stringMatching(/cut off/) });
    const rewritten = await cli.run(["audit", "verify", "--head", `2:${head.hash}`], { env });
    expect(rewritten).toMatchObject({ code: 1, stderr: expect.stringMatching(/rewritten/) });
    expect(await cli.run(["audit", "verify", "--head", "2"], { env })).toMatchObject({ code: 2 });
  });
});

describe("[C-1.41] apps registration-token", () => {
  const token = {
    token_id: "id-1",
    name: "Laptops",
    created_at: "2026-03-01T00:00:00.000Z",
    expires_at: "2026-03-31T00:00:00.000Z",
  };

  it("creates one, shown this once, lists them and withdraws one", async () => {
    stub.answers["/operator/v1/registration-tokens/create"] = { body: { registration_token: token, token: "wci_abc" } };
    const made = await cli.run(["apps", "registration-token", "create", "Laptops", "--days", "7"], { env });
    expect(made.stdout).toContain("wci_abc");
    expect(bodies("/operator/v1/registration-tokens/create")).toEqual([{ name: "Laptops", days: 7 }]);
    stub.answers["/operator/v1/registration-tokens/list"] = { body: { items: [token] } };
    expect((await cli.json(["apps", "registration-token", "list"], { env })).document).toEqual({ items: [token] });
    stub.answers["/operator/v1/registration-tokens/revoke"] = { body: { token_id: "id-1" } };
    expect((await cli.run(["apps", "registration-token", "revoke", "id-1"], { env })).code).toBe(0);
  });
});

describe("[C-3.31] trusted-issuers", () => {
  const path = "/operator/v1/trusted-issuers";
  const issuer = "https://idp.example";
  const trusted = {
    issuer,
    tenant_id: null,
    client_ids: ["wcd_a"],
    token_seconds: 900,
    changed_at: "2026-03-01T00:00:00.000Z",
    rules: [{ claims: {}, client_id: "wca_a", scopes: ["letters:read"] }],
  };
  const found = { jwks_uri: `${issuer}/keys`, keys: [{ kid: "one", kty: "EC", alg: null }] };

  it("trusts what a file says, lists and tests it, and withdraws it when told so twice", async () => {
    const wish = { issuer, tenant_id: null, client_ids: ["wcd_a"], rules: trusted.rules };
    stub.answers[`${path}/trust`] = { body: { trusted_issuer: trusted, found, grants_ended: 2 } };
    const made = await cli.run(["trusted-issuers", "trust", "-"], { env, stdin: JSON.stringify(wish) });
    expect([made.code, made.stdout, made.stderr]).toEqual([
      ...[0, expect.stringContaining("one EC"), expect.stringContaining("2 grants ended")],
    ]);
    expect(bodies(`${path}/trust`)).toEqual([wish]);
    stub.answers[`${path}/list`] = { body: { items: [trusted] } };
    expect((await cli.run(["trusted-issuers", "list"], { env })).stdout).toMatch(/idp\.example +any +1 +1 +900/);
    stub.answers[`${path}/test`] = { body: { trusted_issuer: trusted, found } };
    expect((await cli.json(["trusted-issuers", "test", issuer], { env })).document).toMatchObject({ found });
    stub.answers[`${path}/withdraw`] = { body: { grants_ended: 2 } };
    expect((await cli.run(["trusted-issuers", "withdraw", issuer], { env })).code).toBe(2);
    expect((await cli.run(["trusted-issuers", "withdraw", issuer, "--yes"], { env })).stdout).toMatch(
      /grants_ended +2/,
    );
  });
});

describe("[C-14.9] people", () => {
  const path = "/operator/v1/people";
  const ada = {
    person_id: GONE,
    tenant_id: null,
    email: "ada@example.com",
    name: "Ada\u001b[2J",
    role: "operator",
    state: "active",
    seen_at: "2026-03-02T09:00:00.000Z",
    invited_until: null,
  };
  const link = "https://wealth.example/console/join#wci_x";

  it("lists and invites operators, and a tenant's people", async () => {
    stub.answers[`${path}/list`] = { body: { items: [ada], next_page_token: null } };
    const { stdout } = await cli.run(["people", "list"], { env });
    expect(stdout).toMatch(/ada@example.com +Ada \[2J +operator +active/);
    expect((await cli.json(["people", "list", "--tenant", "demo", "--ended"], { env })).document).toEqual({
      items: [ada],
    });
    expect(bodies(`${path}/list`)).toEqual([
      { ended: false, page_size: 500 },
      { tenant_id: TENANT, ended: true, page_size: 500 },
    ]);
    stub.answers[`${path}/invite`] = { body: { person: ada, link, expires_at: "2026-03-05T09:00:00.000Z" } };
    const invited = await cli.run(["people", "invite", "ada@example.com"], { env });
    expect([invited.stdout, invited.stderr]).toEqual([
      expect.stringContaining(link),
      expect.stringContaining("shown this once"),
    ]);
    const ofTenant = ["--tenant", TENANT, "--name", "Bob"];
    await cli.run(["people", "invite", "b@example.com", ...ofTenant], { env });
    await cli.run(["people", "invite", "b@example.com", "--role", "admin", ...ofTenant], { env });
    expect(bodies(`${path}/invite`)).toEqual([
      { email: "ada@example.com", role: "operator" },
      { tenant_id: TENANT, email: "b@example.com", role: "member", name: "Bob" },
      { tenant_id: TENANT, email: "b@example.com", role: "admin", name: "Bob" },
    ]);
  });

  it("invites again, changes and ends who is named by address or id, the last when told so twice", async () => {
    stub.answers[`${path}/list`] = { body: { items: [ada], next_page_token: null } };
    stub.answers[`${path}/reinvite`] = { body: { person: ada, link, expires_at: "2026-03-05T09:00:00.000Z" } };
    for (const verb of ["change", "end"]) stub.answers[`${path}/${verb}`] = { body: { person: ada } };
    expect((await cli.run(["people", "reinvite", "Ada@example.com"], { env })).stdout).toContain(link);
    expect((await cli.run(["people", "change", GONE], { env })).code).toBe(2);
    expect((await cli.run(["people", "change", GONE, "--role", "operator:read"], { env })).code).toBe(0);
    expect((await cli.run(["people", "end", "ada@example.com"], { env })).code).toBe(2);
    expect((await cli.json(["people", "end", "ada@example.com", "--yes"], { env })).document).toEqual({ person: ada });
    expect(await cli.run(["people", "end", "eve@example.com", "--yes"], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("nobody eve@example.com here"),
    });
    const named = { person_id: GONE };
    expect(["reinvite", "change", "end"].map((verb) => bodies(`${path}/${verb}`))).toEqual([
      ...[[named], [{ ...named, role: "operator:read" }], [named]],
    ]);
  });
});

describe("[C-9.275] feed-keys", () => {
  const path = "/operator/v1/feed-keys";
  const fingerprint = "0123456789ABCDEF0123456789ABCDEF01234567";
  const facts = { kind: "own", connector_id: null, source: null, state: "live", algorithm: "curve25519" };
  const key = { fingerprint, ...facts, expires_at: null, user_ids: ["Wealth Connect"] };
  const armoured = "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nx\n-----END PGP PRIVATE KEY BLOCK-----\n";

  it("makes a key pair, and prints what custodians encrypt for and nothing else", async () => {
    stub.answers[`${path}/generate`] = { body: { key } };
    const made = await cli.run(["feed-keys", "generate", "Wealth Connect", "--algorithm", "rsa4096"], { env });
    expect(made.stdout).toContain(fingerprint);
    expect(bodies(`${path}/generate`)).toEqual([{ name: "Wealth Connect", algorithm: "rsa4096", days: 730 }]);
    stub.answers[`${path}/show`] = { body: { key: { ...key, public_key: "-----BEGIN\n\u001b[2Jx\n" } } };
    expect((await cli.run(["feed-keys", "export", fingerprint], { env })).stdout).toBe("-----BEGIN\n [2Jx\n");
    stub.answers[`${path}/list`] = { body: { items: [key], signing: [{ source: "custodian", must_be_signed: true }] } };
    expect((await cli.run(["feed-keys", "list"], { env })).stdout).toContain("files of custodian have to be signed");
  });

  it("imports a private key with a passphrase from standard input, and says neither of them", async () => {
    cli.file("ours.asc", armoured);
    cli.file("none.asc", "secret of another kind");
    stub.answers[`${path}/import`] = { body: { key, retried: 3, taken: 2 } };
    const taken = await cli.run(["feed-keys", "import", "ours.asc", "--passphrase-stdin"], {
      env,
      stdin: "correct horse\n",
    });
    expect(taken).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("of 3 files that waited for a key 2 were taken"),
    });
    expect(bodies(`${path}/import`)).toEqual([{ private_key: armoured, passphrase: "correct horse" }]);
    const wrong = await cli.run(["feed-keys", "import", "none.asc"], { env });
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("none.asc is no PGP key") });
    for (const { stdout, stderr } of [taken, wrong]) expect(stdout + stderr).not.toMatch(/horse|secret|BEGIN/);
  });

  it("trusts custodians' keys for a connector or a source, asks for signatures and takes keys away", async () => {
    cli.file("theirs.asc", armoured);
    stub.answers[`${path}/trust`] = { body: { key, retried: 0, taken: 0 } };
    expect((await cli.run(["feed-keys", "trust", "theirs.asc"], { env })).code).toBe(2);
    expect((await cli.run(["feed-keys", "trust", "theirs.asc", "--source", "custodian"], { env })).code).toBe(0);
    stub.answers[`${path}/require`] = { body: { retried: 0, taken: 0 } };
    await cli.run(["feed-keys", "require", "--connector", "che:bank"], { env });
    await cli.run(["feed-keys", "require", "--connector", "che:bank", "--off"], { env });
    expect(bodies(`${path}/require`)).toEqual([
      { connector_id: "che:bank", must_be_signed: true },
      { connector_id: "che:bank", must_be_signed: false },
    ]);
    for (const verb of ["expire", "revoke", "remove"]) stub.answers[`${path}/${verb}`] = { body: { key } };
    await cli.run(["feed-keys", "expire", fingerprint, "--at", "2027-01-01"], { env });
    expect(bodies(`${path}/expire`)).toEqual([{ fingerprint, at: "2027-01-01", force: false }]);
    expect((await cli.run(["feed-keys", "remove", fingerprint], { env })).code).toBe(2);
    await cli.run(["feed-keys", "remove", fingerprint, "--source", "custodian", "--force", "--yes"], { env });
    expect(bodies(`${path}/remove`)).toEqual([{ fingerprint, source: "custodian", force: true }]);
  });
});

describe("[C-9.210] sources", () => {
  const fingerprint = `SHA256:${"a".repeat(43)}`;
  const facts = { kind: "sftp", enabled: true, failures: 0, last_error: null, due_at: null, succeeded_at: null };
  const settings = { kind: "sftp", host: "sftp.bank.example", user: "u", password: "set", host_keys: [] };
  const source = { source: "custodian", ...facts, settings };

  it("shows the key that a server has, and pins it without the secrets", async () => {
    const seen = { ok: false, message: `it shows ${fingerprint}`, host_key: fingerprint, files: null };
    stub.answers["/operator/v1/sources/test"] = { body: seen };
    const tested = await cli.run(["sources", "test", "custodian"], { env });
    expect(tested).toMatchObject({ code: 1, stderr: expect.stringContaining(`--host-key ${fingerprint}`) });
    stub.answers["/operator/v1/sources/show"] = { body: { source } };
    stub.answers["/operator/v1/sources/set"] = { body: { source } };
    expect((await cli.run(["sources", "set", "custodian", "--host-key", fingerprint], { env })).code).toBe(0);
    const { password: _, ...rest } = settings;
    expect(bodies("/operator/v1/sources/set")).toEqual([
      { source: "custodian", settings: { ...rest, host_keys: [fingerprint] }, enabled: true },
    ]);
    expect((await cli.run(["sources", "set", "custodian"], { env })).code).toBe(2);
  });

  it("[C-14.1055] files goes from page to page for as many as are wanted, in the order asked for", async () => {
    const at = "2026-03-02T09:00:00.000Z";
    const file = { file_id: "one", source: "custodian", name: "a.xml", size: 8, state: "taken", came_at: at };
    stub.answers["/operator/v1/sources/list-files"] = ({ body }) => {
      const { page_token } = JSON.parse(body.toString());
      return { body: { items: [file, file], next_page_token: page_token === null ? "next" : null } };
    };
    const found = await cli.json(["sources", "files", "--oldest-first", "--limit", "3"], { env });
    expect(found.document.items).toHaveLength(3);
    const page = { order: "oldest", page_size: 3 };
    expect(bodies("/operator/v1/sources/list-files")).toEqual([
      { ...page, page_token: null },
      { ...page, page_token: "next" },
    ]);
    expect((await cli.run(["sources", "files", "--limit", "1"], { env })).stdout).toMatch(/CAME[\s\S]*a\.xml/);
    expect(bodies("/operator/v1/sources/list-files").at(-1)).toMatchObject({ order: "newest", page_size: 1 });
  });

  it("adds rules, lists what is held with its proposals, and makes tokens", async () => {
    const route = { route_id: "one", when: { account: "12" }, to: { letter_id: "x" } };
    stub.answers["/operator/v1/sources/add-route"] = { body: { route, retried: 2, taken: 1 } };
    const add = ["sources", "routes", "add", "custodian", "--account", "12"];
    expect((await cli.run([...add, "--to-letter", "x"], { env })).stdout).toContain("of 2 held files 1 were taken");
    expect(bodies("/operator/v1/sources/add-route")).toEqual([
      { source: "custodian", when: { account: "12" }, to: { letter_id: "x" } },
    ]);
    expect((await cli.run(add, { env })).code).toBe(2);
    const proposals = [{ letter_id: "x", tenant_id: "t", why: "the numbers differ by leading zeros" }];
    const findings = [{ part: "a.xml", account: "12", reason: "no rule", proposals }];
    const at = "2026-03-01T00:00:00.000Z";
    const held = {
      state: "held",
      file_id: "one",
      source: "custodian",
      name: "a.xml",
      came_at: at,
      held_until: at,
      findings,
    };
    const counts = { held: 1, incomplete: 0, overdue: 0 };
    stub.answers["/operator/v1/datafeeds/list-pending"] = { body: { items: [held], ...counts } };
    expect((await cli.run(["datafeed", "pending"], { env })).stdout).toContain("x (the numbers differ");
    const source_token = { token_id: "id-1", name: "Bank", created_at: at, expires_at: null };
    stub.answers["/operator/v1/sources/create-token"] = { body: { source_token, token: "wcf_abc" } };
    expect((await cli.run(["sources", "token", "create", "sent", "Bank"], { env })).stdout).toContain("wcf_abc");
  });
});

describe("[C-8.9] keys", () => {
  const created_at = "2026-03-02T09:00:00.000Z";
  const signing_keys = [{ kid: "kid-1", algorithm: "ES256", state: "active", created_at, signs_from: created_at }];
  const answerKeys = (others: number) => {
    stub.answers["/operator/v1/keys/list"] = {
      body: {
        signing_keys,
        encryption_keys: [
          { key_id: "k2", active: true, available: true, values: 3 },
          { key_id: "k1", active: false, available: false, values: others },
        ],
        server_keys: [{ name: "secret-hash", version: 1, active: true, active_from: null }],
      },
    };
  };

  it("list shows states, and what is under each encryption key", async () => {
    answerKeys(4);
    const { stdout } = await cli.run(["keys", "list"], { env });
    expect(stdout).toMatch(/kid-1 +ES256 +active/);
    expect(stdout).toMatch(/k2 +yes +yes +3\nk1 +no +MISSING +4/);
  });

  it("rotate makes the next key sign", async () => {
    stub.answers["/operator/v1/keys/rotate"] = { body: { signing_keys } };
    expect((await cli.json(["keys", "rotate"], { env })).document).toEqual({ signing_keys });
    stub.answers["/operator/v1/keys/revoke"] = { body: { signing_keys } };
    expect((await cli.run(["keys", "revoke", "kid-0"], { env })).stdout).toContain("kid-1");
    expect(bodies("/operator/v1/keys/revoke")).toEqual([{ kid: "kid-0" }]);
    const server_keys = [{ name: "mcp-session", version: 2, active: false, active_from: created_at }];
    stub.answers["/operator/v1/keys/rotate-server"] = { body: { server_keys } };
    const { document } = await cli.json(["keys", "rotate", "--server", "mcp-session"], { env });
    expect([document, bodies("/operator/v1/keys/rotate-server")]).toEqual([{ server_keys }, [{ name: "mcp-session" }]]);
    expect((await cli.run(["keys", "rotate", "--server", "mcp-session", "--encryption"], { env })).code).toBe(2);
  });

  it("[C-11.62] webhooks keys list shows public keys, and rotate makes the next one", async () => {
    const webhook_keys = [
      { kid: "new", public_key: "whpk_AQ==", since: created_at, until: null },
      { kid: "old", public_key: "whpk_AA==", since: null, until: created_at },
    ];
    stub.answers["/operator/v1/keys/list"] = { body: { webhook_keys } };
    stub.answers["/operator/v1/keys/rotate-server"] = { body: { server_keys: [] } };
    const { stdout } = await cli.run(["webhooks", "keys", "list"], { env });
    expect(stdout).toMatch(/new +whpk_AQ== +2[\s\S]*old +whpk_AA==/);
    expect((await cli.json(["webhooks", "keys", "rotate"], { env })).document).toEqual({ webhook_keys });
    expect(bodies("/operator/v1/keys/rotate-server")).toEqual([{ name: "webhook-signature" }]);
  });

  it("rewrap goes on until all is done, with progress on stderr", async () => {
    answerKeys(4);
    stub.answers["/operator/v1/keys/rewrap"] = ({ body }) => {
      const last = JSON.parse(body.toString()).page_token === "next";
      if (last) answerKeys(0);
      return { body: { rewrapped: 2, unreadable: [], next_page_token: last ? null : "next" } };
    };
    const { code, document, stderr } = await cli.json(["keys", "rewrap"], { env });
    expect([code, document]).toEqual([0, { rewrapped: 4, unreadable: [], left: 0 }]);
    expect(stderr).toMatch(/encrypting .*4\/4 values/);
    expect(bodies("/operator/v1/keys/rewrap")).toEqual([{ page_token: null }, { page_token: "next" }]);
  });

  it("rewrap fails on what cannot be opened, and says where it is", async () => {
    answerKeys(1);
    const unreadable = [{ place: "sessions.sealed_link", key_id: "k1", values: 1 }];
    stub.answers["/operator/v1/keys/rewrap"] = { body: { rewrapped: 0, unreadable, next_page_token: null } };
    expect(await cli.run(["keys", "rewrap"], { env })).toMatchObject({
      code: 1,
      stdout: "0 values encrypted again, 1 left under other keys\n",
      stderr: expect.stringMatching(/cannot be opened: 1 in sessions.sealed_link under k1/),
    });
  });

  it("[C-8.23] generate makes a first key where there is none, and says where it goes", async () => {
    const own = { DATA_DIR: "empty" };
    const { code, document, stderr } = await cli.json(["keys", "generate"], { env: own });
    expect([code, document.variable, stderr]).toEqual([0, "ENCRYPTION_KEYS", expect.stringMatching(/every server/)]);
    expect(parseKeyring(document.value).map(({ id, key }) => [id, key.length])).toEqual([["k1", 32]]);
    expect((await cli.run(["keys", "generate"], { env: own })).stdout).toMatch(/^ENCRYPTION_KEYS=k1:[\w+/]{43}=\n$/);
    expect(existsSync(join(cli.folder, "empty"))).toBe(false);
    const there = { ...own, ENCRYPTION_KEYS: document.value };
    const refused = await cli.run(["keys", "generate"], { env: there });
    expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("rotate --encryption") });
    expect((await cli.run(["keys", "generate", "--elsewhere"], { env: there })).code).toBe(0);
    mkdirSync(join(cli.folder, "empty"));
    writeFileSync(join(cli.folder, "empty", "encryption-keys"), document.value);
    expect((await cli.run(["keys", "generate"], { env: own })).code).toBe(1);
    expect(readFileSync(join(cli.folder, "empty", "encryption-keys"), "utf8")).toBe(document.value);
  });

  it("[C-8.25] hints name the program as it was called", async () => {
    const ENCRYPTION_KEYS = `k1:${Buffer.alloc(32, 1).toString("base64")}`;
    const call = { env: { ENCRYPTION_KEYS }, program: "npm run cli --" };
    expect((await cli.run(["keys", "rotate", "--encryption"], call)).stderr).toContain("npm run cli -- keys rewrap");
    expect((await cli.run(["keys", "--help"], call)).stdout).toMatch(/^Usage: npm run cli -- keys /);
  });

  it("rotate --encryption puts a new key first in the file, and says what to do next", async () => {
    const path = join(cli.folder, "data", "encryption-keys");
    const own = { DATA_DIR: "data" };
    expect(await cli.run(["keys", "rotate", "--encryption"], { env: own })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/the server makes it at its first start/),
    });
    mkdirSync(join(cli.folder, "data"));
    const first = `k1:${Buffer.alloc(32, 1).toString("base64")}`;
    writeFileSync(path, `${first}\n`, { mode: 0o600 });
    for (const key_ids of [
      ["k2", "k1"],
      ["k3", "k2", "k1"],
    ]) {
      const { code, document, stderr, stdout } = await cli.json(["keys", "rotate", "--encryption"], { env: own });
      expect([code, document.key_ids]).toEqual([0, key_ids]);
      expect(stderr).toMatch(/restart the server, run wealth-connect keys rewrap/);
      const text = readFileSync(path, "utf8").trim();
      expect(parseKeyring(text).map(({ id }) => id)).toEqual(key_ids);
      expect(text.endsWith(first)).toBe(true);
      for (const entry of text.split(",")) expect(stdout + stderr).not.toContain(entry.split(":")[1]);
      if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
    }
  });

  it("rotate --encryption shows an entry where the environment holds the keys, and changes nothing", async () => {
    const ENCRYPTION_KEYS = `2026-01:${Buffer.alloc(32, 1).toString("base64")}`;
    const { code, document, stderr } = await cli.json(["keys", "rotate", "--encryption"], { env: { ENCRYPTION_KEYS } });
    expect(code).toBe(0);
    expect(parseKeyring(`${document.new_key},${ENCRYPTION_KEYS}`).map(({ id }) => id)).toEqual(["k1", "2026-01"]);
    expect(stderr).toMatch(/first in ENCRYPTION_KEYS/);
  });
});

describe("[C-14.865] work", () => {
  const outcome = {
    kind: "letter_overdue",
    id: "a",
    outcome: "done",
    owner: { id: "person:p", name: "Anna" },
    version: 1,
    error: null,
  };
  const refused = {
    ...outcome,
    id: "b",
    outcome: "refused",
    error: { code: "CONFLICT", message: "somebody else has it: Anna" },
  };
  const people = {
    items: [
      {
        person_id: GONE,
        tenant_id: null,
        email: "anna@desk.example",
        name: "Anna",
        role: "operator",
        state: "active",
        seen_at: null,
        invited_until: null,
      },
    ],
    next_page_token: null,
  };

  it("list filters by custodian, owner, snooze and text, and says that nothing is there for the filter", async () => {
    stub.answers["/operator/v1/work/list"] = { body: { items: [], counts: {}, next_page_token: null } };
    stub.answers["/operator/v1/people/list"] = { body: people };
    expect((await cli.run(["work", "list"], { env })).stdout).toContain("nothing needs you");
    const filters = ["--custodian", "esp:bank", "--owner", "anna@desk.example", "--snoozed", "--search", "muster"];
    expect((await cli.run(["work", "list", ...filters], { env })).stdout).toContain("nothing for this filter");
    await cli.run(["work", "list", "--owner", "me"], { env });
    expect(bodies("/operator/v1/work/list").slice(1)).toEqual([
      { connector_ids: ["esp:bank"], owner: GONE, snoozed: true, search: "muster", page_size: 100 },
      { owner: "me", page_size: 100 },
    ]);
  });

  it("take, hand-over, snooze and wake name the lines, print what became of each, and fail when one is refused", async () => {
    for (const path of ["take", "hand-over", "snooze", "wake"])
      stub.answers[`/operator/v1/work/${path}`] = { body: { items: [outcome], done: 1, refused: 0 } };
    stub.answers["/operator/v1/people/list"] = { body: people };
    const lines = [{ kind: "letter_overdue", id: "a" }];
    const line = ["letter_overdue", "a"];
    expect((await cli.json(["work", "take", ...line], { env })).document).toEqual({
      items: [outcome],
      done: 1,
      refused: 0,
    });
    await cli.run(["work", "hand-over", ...line, "--to", "Anna@desk.example"], { env });
    await cli.run(["work", "hand-over", ...line, "--to", "nobody"], { env });
    await cli.run(["work", "snooze", ...line, "--until", "2026-12-24T08:00:00Z", "--reason", "closed"], { env });
    expect((await cli.run(["work", "wake", ...line], { env })).stdout).toMatch(/a +done +Anna/);
    expect(bodies("/operator/v1/work/take")).toEqual([{ lines }]);
    expect(bodies("/operator/v1/work/hand-over")).toEqual([
      { lines, person_id: GONE },
      { lines, person_id: null },
    ]);
    expect(bodies("/operator/v1/work/snooze")).toEqual([{ lines, until: "2026-12-24T08:00:00Z", reason: "closed" }]);
    stub.answers["/operator/v1/work/take"] = { body: { items: [outcome, refused], done: 1, refused: 1 } };
    const made = await cli.run(["work", "take", ...line, "b"], { env });
    expect(made).toMatchObject({ code: 1, stderr: expect.stringContaining("1 of 2 were refused") });
    expect(made.stdout).toContain("somebody else has it: Anna");
    expect(await cli.run(["work", "take", "coffee", "a"], { env })).toMatchObject({ code: 2 });
  });
});
