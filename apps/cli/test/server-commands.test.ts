import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { commandLine } from "./command-line.js";
import { demo, operator, refusal, startStub } from "./stub-server.js";

const TENANT = "01900000-0000-7000-8000-000000000001";
const OTHER = "01900000-0000-7000-8000-000000000002";
const LETTER = "01900000-0000-7000-8000-000000000003";

const tenants = {
  body: {
    items: [
      { tenant_id: TENANT, name: "Demo", enabled: true, created_at: "2026-03-02T09:00:00.000Z" },
      { tenant_id: OTHER, name: "Other", enabled: false, created_at: "2026-03-02T09:00:00.000Z" },
    ],
  },
};
const application = {
  application_id: OTHER,
  tenant_id: TENANT,
  client_id: "wca_new",
  name: "New",
  scopes: ["letters:read"],
  enabled: true,
  redirect_urls: [],
  client_refs: null,
  dpop_bound_access_tokens: false,
  secrets: [{ secret_id: "s1", created_at: "2026-03-02T09:00:00.000Z" }],
  created_at: "2026-03-02T09:00:00.000Z",
};
const letter = {
  id: LETTER,
  connector_id: "esp:feed",
  status: "Signed",
  labels: { client: "7" },
  client_ref: null,
  client_name: null,
  connection_id: null,
  observations: null,
  created_at: "2026-03-02T09:00:00.000Z",
  updated_at: "2026-03-02T09:00:00.000Z",
};
const shown = {
  letter: {
    ...letter,
    tenant_id: TENANT,
    tenant: "Demo",
    custodian: "Custodia",
    to_do: { by: "operator", code: "custodian_mail_failed", what: "mail again" },
    contact_info: {},
    status_since: "2026-03-02T09:00:00.000Z",
    details: null,
    documents: [{ kind: "letter", size: 6, sha256: sha256("%PDF-1"), signature: "present" }],
    mails: [
      {
        mail_id: OTHER,
        kind: "authorization_letter",
        state: "failed",
        recipient: "a@b.example",
        attempts: 13,
        last_error: "550 no",
        created_at: "2026-03-02T09:00:00.000Z",
        settled_at: "2026-03-03T09:00:00.000Z",
      },
    ],
    remarks: [
      {
        code: "authorization_letter_failed",
        what: "the authorization_letter could not be sent: 550 no",
        detail: "550 no",
      },
    ],
    history: [
      {
        move_id: OTHER,
        letter_id: LETTER,
        at: "2026-03-02T09:00:00.000Z",
        actor: "a",
        actor_name: "Portal",
        event: "sign",
        from: null,
        to: "Signed",
        note: null,
      },
    ],
  },
};
/** The same in an operator's list. */
const listed = {
  ...letter,
  tenant_id: TENANT,
  tenant: "Demo",
  custodian: "Custodia",
  contact_info: {},
  status_since: "2026-03-02T09:00:00.000Z",
  days_in_status: 3,
  to_do: shown.letter.to_do,
  remarks: [],
  mails: shown.letter.mails,
};
function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const flags = (value: boolean) => ({
  product: {
    auth: value,
    account: value,
    card: value,
    portfolio: value,
    investment: value,
    liability: value,
    holders: value,
  },
  transaction: { account: value, card: value, investment: value, liability: value },
});
const status = {
  pending: false,
  blocked: true,
  reset_token: null,
  sca_token: "x",
  transaction_token: null,
  last_update: null,
  created_at: "2026-03-02T09:00:00.000Z",
  errored: { ...flags(false), product: { ...flags(false).product, auth: true } },
  created: flags(true),
  consent_expires_at: null,
};

const cli = commandLine();
let stub: Awaited<ReturnType<typeof startStub>>;
let env: Record<string, string>;

afterAll(() => cli.remove());
beforeEach(async () => {
  stub = await startStub({ "/operator/v1/tenants/list": tenants });
  env = cli.dataFolder(stub.url, TENANT);
});
afterEach(() => stub.stop());

const { file } = cli;
const bodyOf = (index = 0) => JSON.parse(stub.calls()[index]?.body.toString() ?? "null");

describe("[C-8.10] server and application", () => {
  it("come from DATA_DIR/credentials.json: operator commands use its operator, the others its demo tenant", async () => {
    stub.answers["/letters/v1/search-letters"] = { body: { items: [], page: 1, page_size: 20, pages: 0, total: 0 } };
    expect((await cli.json(["tenants", "list"], { env })).document.items).toHaveLength(2);
    expect((await cli.json(["letters", "search"], { env })).code).toBe(0);
    expect(stub.calls().map(({ headers }) => headers.authorization)).toEqual([
      "Bearer at-wca_operator",
      "Bearer at-wca_demo",
    ]);
  });

  it("WEALTH_CONNECT_* go before the file, flags before both", async () => {
    const asDemo = {
      ...env,
      WEALTH_CONNECT_CLIENT_ID: demo.client_id,
      WEALTH_CONNECT_CLIENT_SECRET: demo.client_secret,
    };
    expect(await cli.run(["tenants", "list"], { env: asDemo })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/refused \(403\): UNAUTHORIZED.*needs an operator's application/),
    });
    const flagged = ["tenants", "list", "--client-id", operator.client_id, "--client-secret", operator.client_secret];
    expect((await cli.run(flagged, { env: asDemo })).code).toBe(0);
    const elsewhere = await startStub({ "/operator/v1/tenants/list": { body: { items: [] } } });
    try {
      const { document } = await cli.json(flagged, { env: { ...env, WEALTH_CONNECT_URL: `${elsewhere.url}/` } });
      expect(document).toEqual({ items: [] });
    } finally {
      await elsewhere.stop();
    }
  });

  it("[C-8.16] the file's secrets go to the file's address only, however another one is named", async () => {
    const elsewhere = await startStub({ "/operator/v1/tenants/list": tenants });
    try {
      const runs = [
        await cli.run(["tenants", "list", "--url", elsewhere.url], { env }),
        await cli.run(["letters", "search"], { env: { ...env, WEALTH_CONNECT_URL: elsewhere.url } }),
        await cli.run(["tenants", "list", "--url", stub.url.replace("//", "//user@")], { env }),
      ];
      for (const { code, stdout, stderr } of runs)
        expect([code, stdout, stderr]).toEqual([
          1,
          "",
          expect.stringContaining(`those of ${stub.url} and are not sent`),
        ]);
      expect([...elsewhere.sent, ...stub.sent]).toEqual([]);
    } finally {
      await elsewhere.stop();
    }
    expect((await cli.run(["tenants", "list", "--url", `${stub.url}/`], { env })).code).toBe(0);
  });

  it("an empty variable counts as unset", async () => {
    const { code } = await cli.run(["tenants", "list"], {
      env: { ...env, WEALTH_CONNECT_URL: "", WEALTH_CONNECT_CLIENT_ID: " " },
    });
    expect(code).toBe(0);
  });

  it("--client-secret - reads it from standard input", async () => {
    const args = ["tenants", "list", "--client-id", operator.client_id, "--client-secret", "-"];
    expect((await cli.run(args, { env, stdin: `${operator.client_secret}\n` })).code).toBe(0);
  });

  it.each([
    ["none at all", ["tenants", "list"], {}, 1, /no credentials/],
    ["half of them", ["tenants", "list", "--client-id", "a"], {}, 2, /belong together/],
    [
      "an address that is none",
      ["tenants", "list", "--url", "localhost:3000", "--client-id", "a", "--client-secret", "b"],
      {},
      2,
      /--url must be/,
    ],
  ])("%s", async (_, args, extra, code, message) => {
    expect(await cli.run(args, { env: extra })).toMatchObject({
      code,
      stdout: "",
      stderr: expect.stringMatching(message),
    });
  });

  it("a secret that would travel unencrypted is warned of", async () => {
    const args = ["tenants", "list", "--url", "http://server.invalid", "--client-id", "a", "--client-secret", "b"];
    const { code, stderr } = await cli.run(args, { env });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^warning: server\.invalid is asked without encryption.*\nerror: /),
    ]);
  });

  it("a damaged credentials file is named", async () => {
    writeFileSync(join(env.DATA_DIR ?? "", "credentials.json"), "{}");
    expect(await cli.run(["tenants", "list"], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/credentials\.json is not a credentials file/),
    });
  });
});

describe("[C-8.12] failures are one line on stderr", () => {
  it("no server: how to start it", async () => {
    await stub.stop();
    const { code, stdout, stderr } = await cli.run(["tenants", "list"], { env });
    expect([code, stdout, stderr]).toEqual([
      1,
      "",
      `error: no server at ${stub.url}: start it with wealth-connect serve\n`,
    ]);
    stub = await startStub();
  });

  it("a server that does not answer in time", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    const url = `http://127.0.0.1:${(silent.address() as { port: number }).port}`;
    const args = ["tenants", "list", "--url", url, "--client-id", "a", "--client-secret", "b", "--timeout", "1"];
    const { code, stderr } = await cli.run(args, { env });
    expect([code, stderr]).toEqual([1, `error: no answer from ${url} within 1 s\n`]);
    silent.close();
  });

  it("a wrong secret", async () => {
    const args = ["tenants", "list", "--client-id", operator.client_id, "--client-secret", "wrong"];
    expect(await cli.run(args, { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: the authorization server refused: invalid_client.*\n$/),
    });
  });

  it("every fault that the server lists, and the trace", async () => {
    const details = [
      { field: "connector_id", error_type: "RequiredField" },
      { field: "data", error_type: "InvalidValue", rule: "must be a PDF with at least one page" },
    ];
    stub.answers["/letters/v1/create-signed"] = { status: 400, body: refusal("VALIDATION_ERROR", undefined, details) };
    const { code, stderr } = await cli.run(["letters", "submit", file("empty.pdf", ""), "--connector", "x"], { env });
    expect([code, stderr]).toEqual([
      1,
      `error: refused (400): VALIDATION_ERROR: connector_id is required; data must be a PDF with at least one page [trace ${"a".repeat(32)}]\n`,
    ]);
  });

  it("something that is no Wealth Connect server", async () => {
    stub.answers["/operator/v1/tenants/list"] = { body: [1, 2] };
    expect(await cli.run(["tenants", "list"], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/gave an unexpected answer/),
    });
  });

  it("what a terminal would obey is left out", async () => {
    stub.answers["/operator/v1/tenants/list"] = {
      body: { items: [{ tenant_id: TENANT, name: "evil\u001b[2J\u202e", enabled: true, created_at: "" }] },
    };
    const { stdout } = await cli.run(["tenants", "list"], { env });
    expect(stdout).toBe(
      `TENANT_ID                             NAME       ENABLED  CREATED_AT\n${TENANT}  evil [2J   yes      -\n`,
    );
  });

  it.each([
    [["nonsense"]],
    [["tenants"]],
    [[]],
    [["tenants", "create"]],
    [["tenants", "list", "--nonsense"]],
    [["letters", "search", "--page", "0"]],
    [["letters", "search", "--label", "novalue"]],
    [["letters", "observe", LETTER]],
    [["apps", "update", "wca_x"]],
    [["datafeed", "ingest", "a.ofx"]],
    [["datafeed", "ingest", "a.ofx", "--letter", "x", "--connection", "y"]],
  ])("wrong usage exits with 2: %j", async (args) => {
    const { code, stdout, stderr } = await cli.run(args, { env });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).not.toBe("");
    expect(stub.calls()).toEqual([]);
  });
});

describe("help", () => {
  it.each([
    [["--help"], /Exit codes: 0 done/],
    [["help"], /Commands:/],
    [["letters", "advance", "--help"], /SentToCustodian, AcceptedByCustodian/],
  ])("%j exits with 0 and prints to stdout", async (args, text) => {
    const { code, stdout } = await cli.run(args);
    expect([code, stdout.replace(/\s+/g, " ")]).toEqual([0, expect.stringMatching(text)]);
  });
});

describe("[C-8.1] token", () => {
  it("issue prints what the token endpoint answered; --operator acts as the operator", async () => {
    const { document } = await cli.json(["token", "issue", "--scope", "letters:read"], { env });
    expect(document).toEqual({
      access_token: "at-wca_demo",
      token_type: "bearer",
      expires_in: 3600,
      refresh_token: "wcr_live",
    });
    expect(new URLSearchParams(stub.sent[0]?.body.toString()).get("scope")).toBe("letters:read");
    expect((await cli.json(["token", "issue", "--operator"], { env })).document.access_token).toBe("at-wca_operator");
  });

  it("refresh sends nothing but the token, also from standard input", async () => {
    expect((await cli.json(["token", "refresh", "-"], { env, stdin: "wcr_live\n" })).document.access_token).toBe(
      "at-wca_demo",
    );
    expect(stub.sent[0]?.body.toString()).toBe("grant_type=refresh_token&refresh_token=wcr_live");
    expect(await cli.run(["token", "refresh", "wcr_used"], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/invalid_grant: the refresh token is used up/),
    });
  });

  it("inspect shows header and claims, and whether it has expired, without network", async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const jwt = `${part({ alg: "ES256", typ: "at+jwt" })}.${part({ iss: "http://x", aud: ["a", "b"], exp: 1_000_000_000 })}.AAAA`;
    const { document } = await cli.json(["token", "inspect", jwt]);
    expect(document).toEqual({
      header: { alg: "ES256", typ: "at+jwt" },
      claims: { iss: "http://x", aud: ["a", "b"], exp: 1_000_000_000 },
      expired: true,
      signature: "not checked",
    });
    expect((await cli.run(["token", "inspect", jwt])).stdout).toMatch(/exp +2001-09-09T01:46:40.000Z/);
    expect(await cli.run(["token", "inspect", "nonsense"])).toMatchObject({
      code: 1,
      stderr: "error: this is not an access token (a JWT)\n",
    });
    expect((await cli.run(["token", "inspect", "wcr_x"])).stderr).toMatch(/refresh token, which is opaque/);
  });
});

describe("[C-8.3] connectors", () => {
  it("import streams the file as it is, with progress on stderr", async () => {
    stub.answers["/operator/v1/connectors/import"] = ({ body }) => ({
      body: {
        inserted: body.toString().split("\n").length - 1,
        updated: 2,
        unchanged: 0,
        unserved_total: 0,
        unserved: [],
      },
    });
    const content = Array.from(
      { length: 20_000 },
      (_, index) => `{"id":"esp:bank-${index}","name":"Bank","country":"es"}\n`,
    ).join("");
    const { code, document, stderr } = await cli.json(["connectors", "import", file("rows.ndjson", content)], { env });
    expect([code, document]).toMatchObject([0, { inserted: 20_000, updated: 2 }]);
    expect(stderr).toMatch(/importing .*100% .* 20000 rows sent/);
    const [call] = stub.calls();
    expect(call?.headers["content-type"]).toBe("application/x-ndjson");
    expect(call?.body.toString()).toBe(content);
  });

  it("import passes on the line that is wrong", async () => {
    const details = [{ field: "line 2.country", error_type: "InvalidValue", rule: "must be a country" }];
    stub.answers["/operator/v1/connectors/import"] = {
      status: 400,
      body: refusal("VALIDATION_ERROR", undefined, details),
    };
    expect(await cli.run(["connectors", "import", file("bad.ndjson", "{}\n{}\n")], { env })).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/line 2\.country must be a country/),
    });
    expect(await cli.run(["connectors", "import", "nowhere.ndjson"], { env })).toMatchObject({
      code: 1,
      stderr: "error: cannot read nowhere.ndjson: no such file\n",
    });
  });

  it("list asks for the page and answers it", async () => {
    const page = {
      items: [
        {
          id: "esp:sol",
          name: "Banco Sol",
          type: "psd2",
          countries: ["esp"],
          available: true,
          provider: "sandbox",
          metadata: {},
          ways: [],
        },
      ],
      page: 2,
      page_size: 1,
      pages: 3,
      total: 3,
    };
    stub.answers["/operator/v1/connectors/list"] = { body: page };
    expect(
      (await cli.json(["connectors", "list", "--name", "sol", "--page", "2", "--page-size", "1"], { env })).document,
    ).toEqual(page);
    expect(bodyOf()).toEqual({ name: "sol", page: 2, page_size: 1 });
    expect((await cli.run(["connectors", "list"], { env })).stdout).toMatch(
      /esp:sol +Banco Sol +psd2 +esp +yes +sandbox +-\npage 2 of 3, 3 connectors/,
    );
  });
});

describe("[C-9.129] providers", () => {
  const provider = {
    name: "lighthouse",
    title: "Lighthouse Bank",
    tenant_id: null,
    state: "available",
    reason: null,
    changed_at: "2026-03-02T09:00:00.000Z",
    connectors: 2,
  };
  const alone = (more: object = {}) => ({
    body: { provider: { ...provider, settings: { key: "set" }, settings_schema: { type: "object" }, ...more } },
  });
  const SECRET = "a key that nobody sees";

  it("set sends the file, or standard input, and shows no secret; what does not come up is said", async () => {
    stub.answers["/operator/v1/tenants/list"] = tenants;
    stub.answers["/operator/v1/providers/set"] = alone();
    const settings = { key: SECRET };
    const path = file("settings.json", `\uFEFF${JSON.stringify(settings)}`);
    const set = await cli.run(["providers", "set", "lighthouse", "--file", path], { env });
    expect([set.code, set.stdout.includes('"key": "set"'), set.stderr]).toEqual([0, true, ""]);
    expect(bodyOf()).toEqual({ name: "lighthouse", settings });
    stub.answers["/operator/v1/providers/set"] = alone({ state: "unavailable", reason: "down", tenant_id: OTHER });
    const piped = await cli.run(["providers", "set", "lighthouse", "--file", "-", "--tenant", "other"], {
      env,
      stdin: JSON.stringify(settings),
    });
    expect([piped.code, piped.stderr]).toEqual([0, "lighthouse is unavailable: down\n"]);
    expect(bodyOf(stub.calls().length - 1)).toEqual({ name: "lighthouse", tenant_id: OTHER, settings });
    const broken = await cli.run(["providers", "set", "lighthouse", "--file", "-"], {
      env,
      stdin: `{"key": ${SECRET}}`,
    });
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringMatching(/^error: standard input is not JSON/)]);
    expect(set.stdout + piped.stdout + broken.stderr).not.toContain(SECRET);
    expect((await cli.run(["providers", "set", "lighthouse"], { env })).code).toBe(2);
  });

  it("list, show, test, remove and sync", async () => {
    const unavailable = { ...provider, tenant_id: OTHER, state: "unavailable", reason: "the key … is not known" };
    stub.answers["/operator/v1/providers/list"] = { body: { items: [provider, unavailable] } };
    expect((await cli.run(["providers", "list"], { env })).stdout).toMatch(
      /lighthouse +- +available +2 +Lighthouse Bank +-\nlighthouse +0190\S+ +unavailable .* the key … is not known/,
    );
    stub.answers["/operator/v1/providers/show"] = alone({ settings: null, state: "no_settings" });
    expect((await cli.run(["providers", "show", "lighthouse"], { env })).stdout).toMatch(/it takes\n\{\n {2}"type"/);
    stub.answers["/operator/v1/providers/test"] = { body: { ok: true, message: "asked" } };
    expect(await cli.run(["providers", "test", "lighthouse"], { env })).toMatchObject({
      code: 0,
      stdout: "ok: asked\n",
    });
    stub.answers["/operator/v1/providers/test"] = { body: { ok: false, message: "401" } };
    const refused = await cli.run(["providers", "test", "lighthouse", "--json"], { env });
    expect([refused.code, refused.stderr, JSON.parse(refused.stdout).ok]).toEqual([
      1,
      "error: lighthouse: 401\n",
      false,
    ]);
    stub.answers["/operator/v1/providers/remove"] = { body: { success: true } };
    expect((await cli.run(["providers", "remove", "lighthouse"], { env })).stdout).toBe("removed\n");
    stub.answers["/operator/v1/providers/sync"] = {
      body: {
        ...{ inserted: 3, updated: 1, unchanged: 0, taken_total: 1, taken: [{ id: "esp:sol", provider: "sandbox" }] },
        ...{ unproposed_total: 1, unproposed: ["esp:luna"], left_out_total: 1 },
        left_out: [{ id: "esp:odd", field: "name", reason: "is required" }],
      },
    };
    expect(await cli.run(["providers", "sync", "lighthouse"], { env })).toMatchObject({
      stdout: "3 inserted, 1 updated, 0 unchanged\n",
      stderr: expect.stringMatching(
        /esp:sol: sandbox\n.*a fault:\n {2}esp:odd: name: is required\nwarning: 1 are available.*\(--withdraw.*\n {2}esp:luna\n/,
      ),
    });
  });
});

describe("[C-8.3] tenants and apps", () => {
  it("tenants create", async () => {
    stub.answers["/operator/v1/tenants/create"] = ({ body }) => ({
      body: { tenant: { tenant_id: OTHER, name: JSON.parse(body.toString()).name, enabled: true, created_at: "" } },
    });
    expect((await cli.json(["tenants", "create", "Acme"], { env })).document.tenant.name).toBe("Acme");
  });

  it.each([
    [[], TENANT],
    [["--tenant", "other"], OTHER],
    [["--tenant", OTHER], OTHER],
    [["--operators"], null],
  ])("apps create %j makes it for tenant %s and shows the secret once", async (args, tenantId) => {
    stub.answers["/operator/v1/applications/create"] = { body: { application, client_secret: "wcs_shown-once" } };
    const { code, document } = await cli.json(
      [
        "apps",
        "create",
        "New",
        "--scope",
        "letters:read",
        "--redirect-url",
        "https://a.example/x",
        "--redirect-url",
        "https://a.example/y",
        ...args,
      ],
      { env },
    );
    expect([code, document.client_secret]).toEqual([0, "wcs_shown-once"]);
    expect(bodyOf(stub.calls().length - 1)).toEqual({
      tenant_id: tenantId,
      name: "New",
      scopes: ["letters:read"],
      redirect_urls: ["https://a.example/x", "https://a.example/y"],
    });
  });

  it("a tenant that is not there is refused before anything is made", async () => {
    expect(await cli.run(["apps", "create", "New", "--tenant", "nobody"], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/there is no tenant nobody/),
    });
    expect(stub.calls().map(({ path }) => path)).toEqual(["/operator/v1/tenants/list"]);
  });

  it("apps list reads every page", async () => {
    stub.answers["/operator/v1/applications/list"] = ({ body }) => {
      const { page_token } = JSON.parse(body.toString());
      return { body: { items: [application], next_page_token: page_token ? null : OTHER } };
    };
    expect((await cli.json(["apps", "list"], { env })).document.items).toHaveLength(2);
    expect((await cli.run(["apps", "list"], { env })).stdout).not.toContain("secret_id");
  });

  it.each([
    [["disable", "wca_x"], "disable", { client_id: "wca_x" }],
    [["enable", "wca_x"], "enable", { client_id: "wca_x" }],
    [["remove-secret", "wca_x", "s1"], "remove-secret", { client_id: "wca_x", secret_id: "s1" }],
    [
      ["update", "wca_x", "--redirect-url", "https://a.example"],
      "update",
      { client_id: "wca_x", redirect_urls: ["https://a.example"] },
    ],
    [
      ["add-scope", "wca_x", "events:read", "events:write"],
      "add-scopes",
      { client_id: "wca_x", scopes: ["events:read", "events:write"] },
    ],
    [["update", "wca_x", "--no-redirect-urls"], "update", { client_id: "wca_x", redirect_urls: [] }],
    [
      ["update", "wca_x", "--client-ref", "M-17", "--client-ref", "M-18"],
      "update",
      { client_id: "wca_x", client_refs: ["M-17", "M-18"] },
    ],
    [["update", "wca_x", "--no-client-limit"], "update", { client_id: "wca_x", client_refs: null }],
    [["update", "wca_x", "--dpop"], "update", { client_id: "wca_x", dpop_bound_access_tokens: true }],
    [["update", "wca_x", "--no-dpop"], "update", { client_id: "wca_x", dpop_bound_access_tokens: false }],
  ])("[C-3.64] apps %j", async (args, endpoint, body) => {
    stub.answers[`/operator/v1/applications/${endpoint}`] = { body: { application } };
    expect((await cli.json(["apps", ...args], { env })).document.application.client_id).toBe("wca_new");
    expect(bodyOf()).toEqual(body);
  });

  it("apps roll-secret shows the new secret", async () => {
    stub.answers["/operator/v1/applications/roll-secret"] = { body: { application, client_secret: "wcs_second" } };
    expect((await cli.run(["apps", "roll-secret", "wca_x"], { env })).stdout).toMatch(/client_secret +wcs_second/);
  });
});

describe("letters", () => {
  it("[C-8.4] [C-14.886] submit sends the PDF and what belongs to it", async () => {
    stub.answers["/letters/v1/create-signed"] = { body: { letter_id: LETTER } };
    const args = [
      "letters",
      "submit",
      file("letter.pdf", "%PDF-1"),
      "--connector",
      "esp:feed",
      "--label",
      "client=7",
      "--label",
      "desk=a=b",
      "--client-ref",
      "M-17",
      "--annex",
      file("annex.pdf", "%PDF-2"),
      "--banker-email",
      "a@b.example",
      "--contact",
      "phone=1",
      "--idempotency-key",
      "k1",
    ];
    const { code, stdout } = await cli.run(args, { env });
    expect([code, stdout]).toEqual([0, `${LETTER}\n`]);
    expect(bodyOf()).toEqual({
      connector_id: "esp:feed",
      data: Buffer.from("%PDF-1").toString("base64"),
      annex: Buffer.from("%PDF-2").toString("base64"),
      labels: { client: "7", desk: "a=b" },
      client_ref: "M-17",
      contact_info: { phone: "1", banker_email: "a@b.example" },
    });
    expect(stub.calls()[0]?.headers["idempotency-key"]).toBe("k1");
  });

  it("[C-8.4] search sends only the criteria that were given", async () => {
    const page = { items: [letter], page: 1, page_size: 20, pages: 1, total: 1 };
    stub.answers["/letters/v1/search-letters"] = { body: page };
    stub.answers["/operator/v1/letters/search"] = { body: { ...page, items: [listed] } };
    expect((await cli.json(["letters", "search"], { env })).document).toEqual(page);
    expect(bodyOf()).toEqual({ query: {}, page: 1, page_size: 20 });
    await cli.run(
      [
        "letters",
        "search",
        "--status",
        "Signed",
        "--status",
        "Connected",
        "--label",
        "client=7",
        "--created-from",
        "2026-01-01",
        "--updated-to",
        "2026-02-01",
      ],
      { env },
    );
    expect(bodyOf(1).query).toEqual({
      status_in: ["Signed", "Connected"],
      labels: { client: "7" },
      creation_date: { start: "2026-01-01" },
      last_update: { end: "2026-02-01" },
    });
    expect((await cli.run(["letters", "search", "--tenant", "Other"], { env })).stdout).toMatch(
      /Demo +Custodia +Signed +3 +client=7 +failed 2026-03-03 to a@b\.example +operator: mail again/,
    );
    expect(bodyOf(stub.calls().length - 1).tenant_id).toBe(OTHER);
  });

  it("[C-7.31] [C-8.30] search as the operator asks over all tenants, and for what only operators may ask", async () => {
    stub.answers["/operator/v1/letters/search"] = { body: { items: [], page: 1, page_size: 20, pages: 0, total: 0 } };
    const paging = { query: {}, page: 1, page_size: 20 };
    for (const [args, body] of [
      [["--all-tenants"], {}],
      [["--custodian", "monte", "--text", "müller 7"], { custodian: "monte", text: "müller 7" }],
      [["--stuck", "--sort", "longest_in_status"], { stuck: true, order: "longest_in_status" }],
      [["--unmoved-since", "2026-02-01"], { in_status_before: "2026-02-01" }],
    ] as const) {
      expect((await cli.run(["letters", "search", ...args], { env })).code).toBe(0);
      expect(bodyOf(stub.calls().length - 1)).toEqual({ ...paging, ...body });
    }
    expect((await cli.run(["letters", "search", "--sort", "colour"], { env })).code).toBe(2);
    expect((await cli.run(["letters", "search", "--csv", "--json"], { env })).code).toBe(2);
  });

  it("[C-8.30] search --csv and --ids print all pages, each letter once", async () => {
    const ids = [LETTER, OTHER, TENANT];
    stub.answers["/operator/v1/letters/search"] = ({ body }) => {
      const { page } = JSON.parse(body.toString());
      // The second letter was pushed to the next page by a new one.
      const items = (page === 1 ? ids.slice(0, 2) : ids.slice(1)).map((id) => ({ ...listed, id }));
      return { body: { items, page, page_size: 2, pages: 2, total: 3 } };
    };
    const printed = await cli.run(["letters", "search", "--all-tenants", "--ids"], { env });
    expect(printed.stdout).toBe(ids.map((id) => `${id}\n`).join(""));
    const { stdout } = await cli.run(["letters", "search", "--all-tenants", "--csv"], { env });
    const lines = stdout.split("\r\n");
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(
      /^id,tenant_id,tenant,connector_id,custodian,status,status_since,days_in_status,to_do_by,/,
    );
    expect(lines[1]).toContain(`${LETTER},${TENANT},Demo,esp:feed,Custodia,Signed,`);
    expect(lines[1]).toContain(",failed,2026-03-03T09:00:00.000Z,a@b.example,550 no,client=7,");
    expect(lines[4]).toBe("");
    expect(stub.calls().map(({ body }) => JSON.parse(body.toString()).page_size)).toEqual([500, 500, 500, 500]);
  });

  it("[C-8.30] CSV quotes as RFC 4180 says, and no cell is a formula", async () => {
    const labels = { a: 'say "no", or\nelse' };
    const observations = '=HYPERLINK("https://evil.example")';
    const items = [{ ...listed, tenant: "-2+3", labels, observations, contact_info: { phone: "@1" } }];
    stub.answers["/operator/v1/letters/search"] = { body: { items, page: 1, page_size: 20, pages: 1, total: 1 } };
    const { stdout } = await cli.run(["letters", "search", "--all-tenants", "--csv"], { env });
    expect(stdout).toContain(`,'-2+3,`);
    expect(stdout).toContain(`,"a=say ""no"", or\nelse",phone=@1,`);
    expect(stdout).toContain(`,"'=HYPERLINK(""https://evil.example"")",`);
  });

  it("[C-8.31] discontinue and cancel ask a person first, and refuse where nobody is there", async () => {
    stub.answers["/letters/v1/discontinue-letter"] = { body: { success: true } };
    stub.answers["/letters/v1/search-letters"] = {
      body: { items: [letter], page: 1, page_size: 20, pages: 1, total: 1 },
    };
    stub.answers["/operator/v1/letters/show"] = { body: shown };
    stub.answers["/operator/v1/letters/cancel"] = { body: shown };
    const ended = () => stub.calls().filter(({ path }) => /discontinue|cancel/.test(path)).length;
    for (const command of ["discontinue", "cancel"]) {
      const args = ["letters", command, LETTER];
      const alone = await cli.run(args, { env, stdin: "y\n" });
      expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining("--yes")]);
      const no = await cli.run(args, { env, isTTY: true, stdin: "n\n" });
      expect([no.code, no.stderr]).toEqual([
        1,
        expect.stringMatching(/Signed.*cannot be undone[\s\S]*nothing was changed/),
      ]);
      expect((await cli.run(args, { env, isTTY: true, stdin: "" })).code).toBe(1);
    }
    expect(ended()).toBe(0);
    for (const command of ["discontinue", "cancel"]) {
      expect((await cli.run(["letters", command, LETTER], { env, isTTY: true, stdin: "yes\n" })).code).toBe(0);
      expect((await cli.run(["letters", command, LETTER, "--yes"], { env })).code).toBe(0);
    }
    expect(ended()).toBe(4);
  });

  it("[C-8.32] several letters are moved at once, with what became of each; exit 1 when one was refused", async () => {
    stub.answers["/operator/v1/letters/move-many"] = ({ body }) => {
      const { letter_ids } = JSON.parse(body.toString());
      const outcome = (letter_id: string) =>
        letter_id === OTHER
          ? { letter_id, outcome: "refused", from: null, to: null, error: { code: "CONFLICT", message: "has ended" } }
          : { letter_id, outcome: "moved", from: "Signed", to: "SentToCustodian", error: null };
      return { body: { items: letter_ids.map(outcome), moved: 1, refused: 1 } };
    };
    const to = ["--to", "SentToCustodian", "--note", "by courier"];
    const { code, stdout, stderr } = await cli.run(["letters", "advance", LETTER, OTHER, LETTER, ...to], { env });
    expect(bodyOf()).toEqual({
      letter_ids: [LETTER, OTHER],
      move: "advance",
      to: "SentToCustodian",
      note: "by courier",
    });
    expect(stdout).toMatch(/moved +Signed +SentToCustodian +-\n.*refused +- +- +has ended/);
    expect([code, stderr]).toEqual([1, expect.stringContaining("1 of 2 letters were refused")]);
    const many = Array.from({ length: 60 }, (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`);
    const piped = await cli.json(["letters", "resolve", "--file", "-"], {
      env,
      stdin: `# today\n${many.join("\r\n")}\n\n`,
    });
    expect([piped.code, piped.document.moved, piped.document.items.length]).toEqual([0, 60, 60]);
    const chunks = stub.calls().slice(1);
    expect(chunks.map(({ body }) => JSON.parse(body.toString()).letter_ids.length)).toEqual([25, 25, 10]);
    for (const args of [[], [LETTER, "--file", "-"]])
      expect((await cli.run(["letters", "advance", ...args], { env })).code).toBe(2);
    for (const stdin of ["\n", `${LETTER}\nid,status\n`])
      expect((await cli.run(["letters", "advance", "--file", "-"], { env, stdin })).code).toBe(1);
    expect(stub.calls()).toHaveLength(4);
  });

  it("[C-8.32] what was moved before the server went is told all the same", async () => {
    let asked = 0;
    stub.answers["/operator/v1/letters/move-many"] = ({ body }) => {
      asked += 1;
      const { letter_ids } = JSON.parse(body.toString()) as { letter_ids: string[] };
      const items = letter_ids.map((letter_id) => ({ letter_id, outcome: "moved", from: "A", to: "B", error: null }));
      return asked === 1 ? { body: { items } } : { status: 503, body: refusal("UNAVAILABLE", "the database is away") };
    };
    const stdin = Array.from({ length: 30 }, (_, index) => LETTER.slice(0, -2) + (10 + index)).join("\n");
    const { code, stdout, stderr } = await cli.run(["letters", "advance", "--file", "-"], { env, stdin });
    expect(stdout.match(/moved/g)).toHaveLength(25);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/away.*the outcome of 5 letters is not known/)]);
  });

  it("[C-7.33] contacts are corrected, and mailed again on request", async () => {
    stub.answers["/operator/v1/letters/contacts"] = { body: shown };
    const more = ["--banker-email", "b@b.example", "--contact", "phone=1", "--remove", "fax", "--mail"];
    expect((await cli.json(["letters", "contacts", LETTER, ...more], { env })).document).toEqual(shown);
    const contact_info = { banker_email: "b@b.example", phone: "1", fax: null };
    expect(bodyOf()).toEqual({ letter_id: LETTER, contact_info, mail: true });
    expect((await cli.run(["letters", "contacts", LETTER], { env })).code).toBe(2);
  });

  it("[C-7.36] submit --tenant is the operator's, for that tenant", async () => {
    stub.answers["/operator/v1/letters/submit"] = { body: { letter_id: LETTER } };
    const args = [file("letter.pdf", "%PDF-1"), "--connector", "esp:feed", "--tenant", "Other"];
    expect(await cli.run(["letters", "submit", ...args], { env })).toMatchObject({ code: 0, stdout: `${LETTER}\n` });
    expect(bodyOf(1)).toMatchObject({ tenant_id: OTHER, connector_id: "esp:feed" });
  });

  it.each([
    [["show", LETTER], { letter_id: LETTER }],
    [["advance", LETTER], { letter_id: LETTER }],
    [
      ["advance", LETTER, "--to", "SentToCustodian", "--note", "by post"],
      { letter_id: LETTER, to: "SentToCustodian", note: "by post" },
    ],
    [["block", LETTER, "--note", "no data"], { letter_id: LETTER, note: "no data" }],
    [["resolve", LETTER], { letter_id: LETTER }],
    [
      ["observe", LETTER, "waiting for the custodian"],
      { letter_id: LETTER, observations: "waiting for the custodian" },
    ],
    [["observe", LETTER, "--clear"], { letter_id: LETTER, observations: null }],
    [["cancel", LETTER, "--note", "wrong client", "--yes"], { letter_id: LETTER, note: "wrong client" }],
    [
      [
        ...["details", LETTER, "--name", "Ana Ejemplo", "--address", "Calle Mayor 1", "--address", "28013 Madrid"],
        ...["--account", "ES91", "--email", "ana@client.example", "--language", "es", "--birth-date", "1980-02-29"],
      ],
      {
        letter_id: LETTER,
        details: {
          full_name: "Ana Ejemplo",
          address: ["Calle Mayor 1", "28013 Madrid"],
          accounts: ["ES91"],
          email: "ana@client.example",
          language: "es",
          birth_date: "1980-02-29",
        },
      },
    ],
  ])("[C-8.4] [C-8.13] %j acts as the operator", async (args, body) => {
    stub.answers[`/operator/v1/letters/${args[0]}`] = { body: shown };
    expect((await cli.json(["letters", ...args], { env })).document).toEqual(shown);
    expect(bodyOf()).toEqual(body);
    expect((await cli.run(["letters", ...args], { env })).stdout).toMatch(
      /status +Signed[\s\S]*tenant +Demo[\s\S]*custodian +Custodia[\s\S]*AT +ACTOR +EVENT[^\n]*\n\S+ +Portal +sign/,
    );
  });
});

describe("[C-8.5] letters that are generated, their documents and mails", () => {
  it("request names the tenant, the custodian and whom to contact", async () => {
    stub.answers["/operator/v1/letters/request"] = { body: shown };
    const args = ["--connector", "esp:feed", "--label", "client=7", "--banker-email", "a@b.example"];
    expect((await cli.json(["letters", "request", ...args, "--client-ref", "M-17"], { env })).document).toEqual(shown);
    expect(bodyOf(1)).toEqual({
      tenant_id: TENANT,
      connector_id: "esp:feed",
      labels: { client: "7" },
      client_ref: "M-17",
      contact_info: { banker_email: "a@b.example" },
    });
  });

  it("details come one by one or as a file, not both", async () => {
    stub.answers["/operator/v1/letters/details"] = { body: shown };
    const details = { full_name: "Ana", address: ["Calle Mayor 1"] };
    const path = file("details.json", JSON.stringify(details));
    expect((await cli.run(["letters", "details", LETTER, "--file", path], { env })).code).toBe(0);
    expect(bodyOf()).toEqual({ letter_id: LETTER, details });
    expect((await cli.run(["letters", "details", LETTER, "--file", path, "--name", "Ana"], { env })).code).toBe(2);
  });

  it("sign sends what came back, and show says what is to be done", async () => {
    stub.answers["/operator/v1/letters/sign"] = { body: shown };
    const { stdout } = await cli.run(["letters", "sign", LETTER, file("back.pdf", "%PDF-1")], { env });
    expect(bodyOf()).toEqual({ letter_id: LETTER, data: Buffer.from("%PDF-1").toString("base64") });
    expect(stdout).toMatch(/\n! the authorization_letter could not be sent: 550 no\n/);
    expect(stdout).toMatch(/MAIL +KIND +STATE[\s\S]+failed +2026-03-03\S+ +a@b.example +13 +550 no/);
  });

  it("documents are listed, and downloaded into a file of its owner that was not there", async () => {
    stub.answers["/operator/v1/letters/show"] = { body: shown };
    const letters = ["letters", "documents", LETTER];
    expect((await cli.run(letters, { env })).stdout).toMatch(/letter +6 +[0-9a-f]{64} +present/);
    expect((await cli.run([...letters, "--kind", "annex"], { env })).code).toBe(2);
    const data = Buffer.from("%PDF-1").toString("base64");
    const facts = { letter_id: LETTER, kind: "letter", size: 6, sha256: sha256("%PDF-1") };
    stub.answers["/operator/v1/letters/document"] = { body: { ...facts, data } };
    const output = "fresh.pdf";
    const saved = join(cli.folder, output);
    expect((await cli.run([...letters, "--output", output], { env })).code).toBe(0);
    expect(bodyOf(1)).toEqual({ letter_id: LETTER, kind: "letter" });
    expect([readFileSync(saved, "utf8"), statSync(saved).mode & 0o777]).toEqual(["%PDF-1", 0o600]);
    expect(await cli.run([...letters, "--output", output], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("the file exists"),
    });
    stub.answers["/operator/v1/letters/document"] = { body: { ...facts, data: `${data.slice(0, -4)}AAAA` } };
    expect((await cli.run([...letters, "--output", `${output}2`], { env })).code).toBe(1);
  });

  it("mails are listed, retried and confirmed", async () => {
    const mail = { ...shown.letter.mails[0], letter_id: LETTER, next_attempt_at: null };
    stub.answers["/operator/v1/mails/list"] = { body: { items: [mail], next_page_token: "more" } };
    const listed = await cli.run(["mails", "list", "--state", "failed", "--limit", "1"], { env });
    expect(listed.stdout).toMatch(
      /authorization_letter +failed +\S+ +2026-03-03\S+ +a@b\.example[\s\S]+there are more than 1/,
    );
    expect(bodyOf()).toEqual({ state_in: ["failed"], page_size: 1 });
    expect((await cli.run(["mails", "list", "--state", "lost"], { env })).code).toBe(2);
    for (const action of ["retry", "confirm", "withdraw"])
      stub.answers[`/operator/v1/mails/${action}`] = { body: { mail } };
    expect((await cli.json(["mails", "retry", OTHER, "--to", "b@b.example"], { env })).document).toEqual({ mail });
    expect(bodyOf(1)).toEqual({ mail_id: OTHER, recipient: "b@b.example" });
    expect((await cli.run(["mails", "confirm", OTHER], { env })).stdout).toMatch(/state +failed/);
    expect((await cli.run(["mails", "withdraw", OTHER], { env })).stdout).toMatch(/state +failed/);
  });
});

describe("[C-8.6] connections", () => {
  const attention = { state: "blocked", message: "It is blocked.", next_action: "Log in again." };

  it("[C-4.142] [C-8.213] list asks with the demo tenant and shows how each stands", async () => {
    stub.answers["/operator/v1/connections/list"] = {
      body: {
        items: [{ connection_id: OTHER, bank: "Banco Sol", labels: {}, status, attention }],
        page: 1,
        page_size: 50,
        pages: 1,
        total: 1,
      },
    };
    expect((await cli.run(["connections", "list", "--bank", "sol", "--ready-only"], { env })).stdout).toMatch(
      /Banco Sol +blocked +- +It is blocked\.\npage 1 of 1, 1 connection$/m,
    );
    expect(bodyOf(1)).toEqual({
      tenant_id: TENANT,
      bank: "sol",
      ready_only: true,
      attention_only: false,
      include_status: true,
      page: 1,
      page_size: 50,
    });
    const shown = await cli.run(["connections", "list", "--attention-only"], { env });
    expect(shown.stdout).toMatch(/Banco Sol +blocked +It is blocked\. +Log in again\.\n/);
    expect(bodyOf(3)).toMatchObject({ attention_only: true, ready_only: false });
  });

  it("status says what is wrong with it", async () => {
    stub.answers["/operator/v1/connections/status"] = { body: { connection_id: OTHER, status } };
    const { stdout } = await cli.run(["connections", "status", OTHER, "--tenant", "Demo"], { env });
    expect(stdout).toMatch(/state +blocked\nerrored +product\.auth\nsca_required +yes/);
    expect((await cli.json(["connections", "status", OTHER], { env })).document.status).toEqual(status);
  });
});

describe("[C-8.6] connections refresh", () => {
  const planned = { state: "planned", next_at: "2026-03-03T09:00:00Z", last_attempt_at: "2026-03-02T09:00:00Z" };
  const well = { ...status, blocked: false, sca_token: null };
  const answer = (outcome: string, refresh: object = { ...planned, last_outcome: outcome }) => ({
    body: { connection_id: OTHER, outcome, status: well, refresh },
  });
  const underWay = { state: "under_way", next_at: null, last_attempt_at: null, last_outcome: null };

  it("names the connection only, and says what became of it", async () => {
    stub.answers["/operator/v1/connections/refresh"] = answer("refreshed");
    const { code, stdout } = await cli.run(["connections", "refresh", OTHER], { env });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/outcome +refreshed/)]);
    expect(bodyOf(0)).toEqual({ connection_id: OTHER });
  });

  it.each([
    ["failed", 'the server\'s log says which ("msg":"refresh")'],
    ["relogin_needed", "open a Connect session"],
  ])("exits with 1 when it is %s, with the document on stdout", async (outcome, next) => {
    stub.answers["/operator/v1/connections/refresh"] = answer(outcome);
    const { code, document, stderr } = await cli.json(["connections", "refresh", OTHER], { env });
    expect([code, document.outcome]).toEqual([1, outcome]);
    expect(stderr).toMatch(/^error: the bank/);
    expect(stderr).toContain(next);
  });

  it("--wait looks until it has ended", async () => {
    stub.answers["/operator/v1/connections/refresh"] = answer("under_way", underWay);
    let looks = 0;
    stub.answers["/operator/v1/connections/status"] = () => {
      looks += 1;
      const refresh = looks < 3 ? underWay : { ...planned, last_outcome: "incomplete" };
      return { body: { connection_id: OTHER, status: well, refresh } };
    };
    const { code, document } = await cli.json(["connections", "refresh", OTHER, "--wait"], { env });
    expect([code, document.outcome, looks]).toEqual([0, "incomplete", 3]);
    const hurried = await cli.json(["connections", "refresh", OTHER], { env });
    expect([hurried.code, hurried.document.outcome, looks]).toEqual([0, "under_way", 3]);
  });
});

describe("[C-8.7] datafeed ingest", () => {
  const taken = {
    status: "ingested",
    connection_id: OTHER,
    format: "ofx",
    sha256: "0",
    portfolios: 1,
    holdings: 2,
    transactions: 3,
    repeated: 0,
    corrected: 1,
    kept: 2,
    left_out: 0,
    warnings: [],
  };

  it("what is odd about a file is told on stderr and in the document", async () => {
    const warnings = [{ place: "line 3", message: "a wrong check digit" }];
    stub.answers["/operator/v1/datafeeds/ingest"] = { body: { ...taken, warnings } };
    const command = ["datafeed", "ingest", file("a.ofx", "A"), "--connection", OTHER];
    const { code, document, stderr } = await cli.json(command, { env });
    expect([code, document.items[0].warnings]).toEqual([0, warnings]);
    expect(stderr).toContain("warning: a.ofx: line 3: a wrong check digit");
  });

  it("what a terminal would obey is left out of warnings", async () => {
    const warnings = [{ place: "file\n", message: "\u001b[2Jolder than \u202e\u009bthe rest" }];
    stub.answers["/operator/v1/datafeeds/ingest"] = { body: { ...taken, warnings } };
    const { stderr } = await cli.run(["datafeed", "ingest", file("a.ofx", "A"), "--connection", OTHER], { env });
    expect(stderr).toContain("a.ofx: file :  [2Jolder than  the rest\n");
  });

  it("[C-7.37] a held file is tried again, for another letter too, and says what is open about it", async () => {
    const findings = [{ part: "x/a.xml", account: null, reason: "no such id", proposals: [] }];
    stub.answers["/operator/v1/datafeeds/retry-pending"] = {
      body: { outcome: "held", file_id: "f", delivered: 0, findings },
    };
    const { code, stdout, stderr } = await cli.run(["datafeed", "retry", "f"], { env });
    expect([code, stdout, stderr]).toEqual([0, "held\n", "x/a.xml: no such id\n"]);
    await cli.run(["datafeed", "retry", "f", "--letter", LETTER], { env });
    const both = ["datafeed", "retry", "f", "--letter", LETTER, "--connection", "x"];
    expect((await cli.run(both, { env })).code).toBe(2);
    expect(stub.calls().map(({ body }) => JSON.parse(body.toString()))).toEqual([
      { file_id: "f" },
      { file_id: "f", letter_id: LETTER },
    ]);
  });

  it("[C-9.212] statements that wait for pages are shown with what is missing, and dropped", async () => {
    const item = {
      tenant_id: "t",
      connection_id: OTHER,
      letter_id: LETTER,
      statement: "ab",
      title: "4711",
      pages: [1, 3],
      missing: [2],
      last_page: null,
      state: "overdue",
      first_at: "2026-03-01",
      latest_at: "x",
      until: "2026-04-08",
    };
    stub.answers["/operator/v1/datafeeds/list-pending"] = {
      body: { items: [item], held: 0, incomplete: 1, overdue: 1 },
    };
    stub.answers["/operator/v1/datafeeds/drop-pending"] = { body: { success: true } };
    const { stdout, stderr } = await cli.run(["datafeed", "pending"], { env });
    expect(stdout).toMatch(/2026-03-01 +overdue +2026-04-08 +4711 +pages 1 3 are here, 2 the last missing/);
    expect(stdout).toContain(`${OTHER}/ab`);
    expect(stderr).toContain("1 of 2");
    await cli.run(["datafeed", "drop", `${OTHER}/ab`, "--yes"], { env });
    expect((await cli.run(["datafeed", "drop", `${OTHER}/ab`], { env })).code).toBe(2);
    expect(stub.calls().map(({ body }) => JSON.parse(body.toString()))).toEqual([
      { limit: 100 },
      { connection_id: OTHER, statement: "ab" },
    ]);
  });

  it("accounts of a connection are shown, linked and left by themselves", async () => {
    const account = { number: "1.01", currency: "CHF", is_cash: true, as_of: null, shown_in: "1.S1" };
    const links = [{ account: "2", portfolio: "1S1", origin: "operator", in_force: false }];
    const body = { connection_id: OTHER, accounts: [account], total: 1, links };
    for (const action of ["accounts", "link-account", "unlink-account"])
      stub.answers[`/operator/v1/datafeeds/${action}`] = { body };
    const { stdout, stderr } = await cli.run(["datafeed", "accounts", OTHER], { env });
    expect(stdout).toMatch(/1\.01 +CHF +cash +movements only +1\.S1/);
    expect(stderr).toContain("2 is linked to 1S1 and not shown there");
    expect((await cli.json(["datafeed", "accounts", OTHER, "--link", "1.01=1.S1"], { env })).document).toEqual(body);
    await cli.run(["datafeed", "accounts", OTHER, "--unlink", "1.01"], { env });
    for (const wrong of [
      ["--link", "1.01"],
      ["--link", "a=b", "--unlink", "a"],
    ])
      expect((await cli.run(["datafeed", "accounts", OTHER, ...wrong], { env })).code).toBe(2);
    expect(stub.calls().map(({ body }) => JSON.parse(body.toString()))).toEqual([
      { connection_or_letter_id: OTHER },
      { connection_or_letter_id: OTHER, account: "1.01", portfolio: "1.S1" },
      { connection_or_letter_id: OTHER, account: "1.01" },
    ]);
  });

  it("what does not add up is told with the file, and listed with missing days", async () => {
    stub.answers["/operator/v1/datafeeds/ingest"] = { body: { ...taken, differences: 2, gap_days: 3 } };
    const ingested = await cli.run(["datafeed", "ingest", file("a.ofx", "A"), "--connection", OTHER], { env });
    expect(ingested.stderr).toContain(`a.ofx: 2 holdings do not add up; datafeed reconcile ${OTHER} lists them`);
    expect(ingested.stderr).toContain("a.ofx: no statement for 3 business days before it");
    const between = { account: "S1", from_day: "2026-03-02", to_day: "2026-03-04" };
    const numbers = { before: "10", moved: "-1", expected: "9", stated: "8", difference: "-1" };
    const body = {
      connection_id: OTHER,
      differences: [{ ...between, name: "Share", isin: null, ...numbers, found_at: "2026-03-04T20:00:00.000Z" }],
      gaps: [{ ...between, days: ["2026-03-03"], found_at: "2026-03-04T20:00:00.000Z" }],
      left_out: [{ file: "a.ofx", place: "line 3", field: "TRNAMT" }],
    };
    stub.answers["/operator/v1/datafeeds/reconcile"] = { body };
    const { stdout, stderr } = await cli.run(["datafeed", "reconcile", OTHER], { env });
    expect(stdout).toMatch(/S1 +Share +2026-03-02 +2026-03-04 +10 +-1 +8 +-1/);
    expect(stderr).toContain("S1: no statement for 2026-03-03");
    expect(stderr).toContain("a.ofx: line 3: a movement is left out, because of TRNAMT");
    expect((await cli.json(["datafeed", "reconcile", OTHER], { env })).document).toEqual(body);
  });

  it("sends each file whole, with its name and target", async () => {
    stub.answers["/operator/v1/datafeeds/ingest"] = { body: taken };
    const { code, document, stderr } = await cli.json(
      ["datafeed", "ingest", file("a.ofx", "A"), file("b.ofx", Buffer.from([0, 255])), "--letter", LETTER],
      { env },
    );
    expect([code, document]).toEqual([
      0,
      {
        items: [
          { file: "a.ofx", ...taken },
          { file: "b.ofx", ...taken },
        ],
      },
    ]);
    expect(stub.calls().map(({ query, body }) => [query.get("letter_id"), query.get("name"), [...body]])).toEqual([
      [LETTER, "a.ofx", [65]],
      [LETTER, "b.ofx", [0, 255]],
    ]);
    expect(stderr).toMatch(/ingesting/);
  });

  it("[C-9.31] a file already taken is no failure", async () => {
    stub.answers["/operator/v1/datafeeds/ingest"] = { body: { ...taken, status: "duplicate" } };
    expect(await cli.run(["datafeed", "ingest", file("a.ofx", "A"), "--connection", OTHER], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/a\.ofx +duplicate/),
    });
    expect(stub.calls()[0]?.query.get("connection_id")).toBe(OTHER);
  });

  it("a file that cannot be read is an error without a progress bar", async () => {
    expect(await cli.run(["datafeed", "ingest", "nowhere.ofx", "--connection", OTHER], { env })).toMatchObject({
      code: 1,
      stderr: expect.not.stringContaining("ingesting"),
    });
  });

  it("a refused file does not keep the others out; exit 1 names it", async () => {
    const details = [{ field: "file", error_type: "InvalidValue", rule: "line 3: not a date" }];
    stub.answers["/operator/v1/datafeeds/ingest"] = ({ query }) =>
      query.get("name") === "bad.ofx"
        ? { status: 400, body: refusal("VALIDATION_ERROR", undefined, details) }
        : { body: taken };
    const { code, document, stderr } = await cli.json(
      ["datafeed", "ingest", file("bad.ofx", "x"), file("a.ofx", "A"), "nowhere.ofx", "--connection", OTHER],
      { env },
    );
    expect([code, document.items.map((item: { status: string }) => item.status)]).toEqual([
      1,
      ["refused", "ingested", "refused"],
    ]);
    expect(stderr).toMatch(
      /error: bad\.ofx: refused \(400\): VALIDATION_ERROR: file line 3: not a date.*; nowhere\.ofx: cannot read/,
    );
  });
});

describe("filter against a server", () => {
  it("[C-8.2] preview reads every page of the preview endpoint", async () => {
    const connector = (id: string) => ({ id, name: id, type: "psd2", countries: ["esp"], available: true });
    stub.answers["/connect/v2/connectors/preview-connector-filter"] = ({ body }) => {
      const { page_token, connector_filter } = JSON.parse(body.toString());
      expect(connector_filter).toEqual({ rules: [] });
      return {
        body: page_token
          ? { items: [connector("b:b")], next_page_token: null }
          : { items: [connector("a:a")], next_page_token: "next" },
      };
    };
    const { document } = await cli.json(["filter", "preview", "--filter", file("f.json", `{"rules":[]}`)], { env });
    expect(document.items.map(({ id }: { id: string }) => id)).toEqual(["a:a", "b:b"]);
  });
});

it("no command prints a secret that it was given", async () => {
  for (const args of [
    ["tenants", "list"],
    ["apps", "list"],
    ["letters", "search"],
    ["connectors", "import", "none"],
  ]) {
    const { stdout, stderr } = await cli.run(args, { env });
    expect(stdout + stderr).not.toMatch(/wcs_|at-wca_/);
  }
});
