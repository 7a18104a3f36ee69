import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBrowser } from "@org/pages/testing";
import { createAuthenticator } from "@org/people/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBank } from "./connect-bank.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer } from "./harness.js";
import { post, send } from "./http-client.js";
import { ingest, waitingLetter } from "./letters.js";
import { ofxStatement } from "./ofx-statement.js";
import { startProcess } from "./server-process.js";

describe("a running server", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ backend: "embedded", environment: { METRICS: "true", LOG_LEVEL: "trace" } });
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  const bob = { email: "bob@example.com", role: "operator:read" };
  let link = "";
  const firstLink = (): string =>
    JSON.parse(readFileSync(join(server.installation.dataDir, "credentials.json"), "utf8")).first_operator.link;
  const secretOf = (address: string) => address.slice(address.indexOf("#") + 1);

  it("[C-9.1] [C-1.5] [C-1.6] [C-1.28] names PUBLIC_URL in the ready record and in credentials.json, which only its owner may read", () => {
    const file = join(server.installation.dataDir, "credentials.json");
    const ready = server.process.log().find((record) => record.msg === "ready");
    const application = { client_id: expect.any(String), client_secret: expect.any(String) };
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      url: ready?.url,
      operator: application,
      demo: { tenant: expect.any(String), ...application },
      first_operator: { link: expect.any(String), expires_at: expect.any(String) },
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("[C-1.29] [C-1.30] [C-1.31] [C-1.32] tells that it lives, that it is ready, what it counts and what its API is", async () => {
    expect((await send(`${server.url}/healthz`)).body).toEqual({ status: "ok" });
    expect((await send(`${server.url}/readyz`)).body).toEqual({ status: "ready" });
    await server.demo.tools.call("svc-credentials");
    const metrics = await send(`${server.url}/metrics`);
    expect(metrics.text).toMatch(/wealth_connect_authorization_events_total\{action="grant.issued",code=""\} \d+/);
    expect(metrics.text).toContain('wealth_connect_tool_call_seconds_count{tool="svc-credentials",outcome="ok"} 1');
    expect((await send(`${server.url}/openapi.json`)).body.openapi).toBe("3.1.0");
    expect((await send(`${server.url}/nothing-here`)).status).toBe(404);
  });

  it("[C-14.91] serves the console's page, its scripts and its styles as what they are: browsers run nothing else", async () => {
    const page = await send(`${server.url}/console`);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const paths = [...page.text.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
    const types = await Promise.all(
      paths.map(async (path) => (await send(server.url + path)).headers.get("content-type")),
    );
    const kindOf = (path: string) => (path.endsWith(".css") ? "css" : "javascript");
    expect(types).toEqual(paths.map((path) => `text/${kindOf(path)}; charset=utf-8`));
    expect(new Set(types).size).toBe(2);
  });

  it("[C-1.31] counts what docs/reference/metrics.md names, all of it and nothing else", async () => {
    const page = readFileSync(new URL("../../../docs/reference/metrics.md", import.meta.url), "utf8");
    const named = [...page.matchAll(/^\| `(wealth_connect_\w+)` \|/gm)].map(([, name]) => name);
    const { text } = await send(`${server.url}/metrics`);
    const counted = [...text.matchAll(/^# TYPE (wealth_connect_\w+) /gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(counted.sort());
    const bold = [...page.matchAll(/^\| `(wealth_connect_\w+)` \|.*\*\*/gm)].map(([, name]) => name);
    const alerts = readFileSync(new URL("../../../deploy/monitoring/alerts.yml", import.meta.url), "utf8");
    const alerted = [...alerts.matchAll(/wealth_connect_[a-z_]+[a-z]/g)].map(([name]) =>
      name.replace(/_(?:bucket|count)$/, ""),
    );
    expect(bold.sort()).toEqual([...new Set(alerted)].filter((name) => counted.includes(name)).sort());
  });

  it("[C-1.31] counts what the alerts and the dashboard of deploy/ ask for", async () => {
    const { text } = await send(`${server.url}/metrics`);
    const counted = new Map(
      [...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].map(([, name = "", type = ""]) => [name, type]),
    );
    for (const file of ["alerts.yml", "dashboard.json"]) {
      const asked = readFileSync(new URL(`../../../deploy/monitoring/${file}`, import.meta.url), "utf8");
      const names = [...asked.matchAll(/\b(?:wealth_connect|process)_[a-z_]+[a-z]\b/g)].map(([name]) => name);
      const isCounted = (name: string) =>
        counted.has(name) || counted.get(name.replace(/_(?:bucket|count|sum)$/, "")) === "histogram";
      expect(names.length, file).toBeGreaterThan(15);
      expect(
        names.filter((name) => !isCounted(name)),
        file,
      ).toEqual([]);
    }
  });

  it("has an icon at the address where browsers look for one", async () => {
    const icon = await send(`${server.url}/favicon.ico`);
    expect([icon.status, icon.headers.get("content-type")]).toEqual([200, "image/svg+xml; charset=utf-8"]);
    expect(icon.headers.get("cache-control")).toBe("public, max-age=86400");
    expect(icon.text).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 28 28">(<\w+ [^<>]*\/>)+<\/svg>\n$/,
    );
    const head = await send(`${server.url}/favicon.ico`, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  it("[C-1.14] refuses a second process on the same data folder, naming the first", async () => {
    const second = await startProcess({ DATA_DIR: server.installation.dataDir, PORT: "0" });
    expect((await second.exited).code).toBe(1);
    expect(second.output()).toContain(`in use by process ${server.process.pid}`);
  });

  it("[C-1.8] writes no secret into its log at any level, whatever was sent", { timeout: 60_000 }, async () => {
    const { widgetUrl } = await server.demo.openSession({ connector_id: sandboxBanks.eBanking });
    const customer = { username: "somebody-very-secret", password: "correct-horse-battery" };
    await connectBank(widgetUrl, customer);
    const challenged = await server.demo.openSession({ connector_id: sandboxBanks.psd2 });
    await connectBank(challenged.widgetUrl, { ...customer, password: "SCA_CODE", answer: "secret-answer" });
    const refused = await server.token(server.demo.clientId, "wcs_not-the-secret-at-all");
    expect(refused.status).toBe(401);
    const granted = await server.token(server.demo.clientId, server.demo.clientSecret);
    const used = [
      ...[customer.username, customer.password, "secret-answer"],
      ...[widgetUrl, challenged.widgetUrl].map((url) => url.slice(url.lastIndexOf("/") + 1)),
      ...[readFileSync(join(server.installation.dataDir, "encryption-keys"), "utf8").trim().slice("k1:".length)],
      ...[server.demo.clientSecret, server.operator.clientSecret, server.demo.token, server.operator.token],
      ...[firstLink(), (await server.operate("/operator/v1/people/invite", bob)).link].map(secretOf),
      ...["wcs_not-the-secret-at-all", granted.body.access_token, granted.body.refresh_token],
    ];
    const output = server.output();
    expect(used.filter((secret) => output.includes(secret))).toEqual([]);
    expect(server.faults()).toEqual([]);
  });

  it("[C-14.9] [C-14.10] [C-14.13] has invited the first operator, and operators invite, change and end others", async () => {
    const people = (verb: string, body: object) => server.operate(`/operator/v1/people/${verb}`, body);
    expect(firstLink()).toMatch(/^http:\/\/localhost:\d+\/console\/join#wci_[\w-]{93}$/);
    link = firstLink();
    const { items } = await people("list", {});
    expect(items).toMatchObject([
      { email: "operator@wealth-connect.invalid", role: "operator", state: "invited", tenant_id: null },
      { email: bob.email },
    ]);
    const { person_id } = items[1];
    expect(await people("change", { person_id, role: "operator" })).toMatchObject({ person: { role: "operator" } });
    const { text } = await send(`${server.url}/metrics`);
    expect(text).toContain('wealth_connect_people{role="operator",state="invited"} 2');
    const again = await people("reinvite", { person_id });
    expect(again).toMatchObject({ person: { person_id }, link: expect.stringContaining("/console/join#wci_") });
    expect(await people("end", { person_id })).toMatchObject({ person: { state: "ended", invited_until: null } });
    const tenant_id = server.demo.tenantId;
    const { person } = await people("invite", { tenant_id, email: bob.email, role: "admin" });
    expect(await people("end", { tenant_id, person_id: person.person_id })).toMatchObject({
      person: { tenant_id, state: "ended" },
    });
    const { items: lines } = await server.operate("/operator/v1/audit/list", { object_id: person_id });
    expect(lines.map(({ action }: { action: string }) => action).reverse()).toEqual([
      ...["person.invite", "person.change", "person.invite_again", "person.end"],
    ]);
    expect(JSON.stringify(lines)).not.toContain("bob");
  });

  it("[C-14.5] [C-14.11] refuses the next request of an operator who was removed, and removes no last one", async () => {
    const eve = await joined("eve@example.com");
    expect(eve.body).toMatchObject({ person: { name: "Eve", role: "operator", email: "eve@example.com" } });
    expect(eve.body.recovery_codes).toHaveLength(10);
    const { person_id } = eve.body.person;
    const end = () => post(`${server.url}/operator/v1/people/end`, { person_id }, { token: server.operator.token });
    const sessions = async () => (await eve.ask("/sessions/list", {}, eve.body.csrf_token)).status;
    expect([(await end()).status, await sessions()]).toEqual([409, 200]);
    await joined("ada@example.com");
    expect([(await end()).status, await sessions()]).toEqual([200, 401]);
    expect((await eve.ask("/session", {})).body.person).toBeNull();
    const { items } = await server.operate("/operator/v1/doctor/examine", {});
    expect(items.find(({ check }: { check: string }) => check === "people")).toMatchObject({
      state: "warn",
      message: expect.stringContaining("1 of the 1 who may sign in have one passkey only"),
    });
  });

  /** A person who was invited as an operator and has joined, in their own browser. */
  async function joined(email: string) {
    const { link } = await server.operate("/operator/v1/people/invite", { email, role: "operator" });
    const { origin } = new URL(link);
    const invitation = secretOf(link);
    const cookies = new Map<string, string>();
    const ask = async (path: string, body: object, token = "") => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const headers = { origin, cookie, "x-csrf-token": token };
      const answer = await post(`${server.url}/console/api${path}`, body, { headers });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      return answer;
    };
    const { options } = (await ask("/join/begin", { invitation, name: "Eve" })).body;
    const answer = createAuthenticator(origin).create(options);
    return { ask, body: (await ask("/join/finish", { invitation, answer })).body };
  }

  it("[C-1.4] drains on SIGTERM: what is under way is finished, then it exits 0", {
    timeout: START_TIMEOUT,
  }, async () => {
    const letter = await waitingLetter(server, server.demo, sandboxBanks.datafeed);
    const { id, widgetUrl } = await server.demo.openSession({ connector_id: sandboxBanks.psd2 });
    const browser = createBrowser();
    await browser.open(widgetUrl);
    await browser.submit("continue");
    const delivery = ingest(server, { letter_id: letter }, ofxStatement(2_000));
    await browser.submit("credentials", { username: "somebody", password: "LARGE" });
    expect(await server.stop("SIGTERM")).toEqual({ code: 0, signal: null });
    expect((await delivery).body).toMatchObject({ status: "ingested", holdings: 2_000 });
    await server.start({ METRICS: "false" });
    expect(await server.demo.tools.call("svc-session-status", { session_id: id })).toMatchObject({
      status: "Finished:OK",
    });
  });

  it("[C-1.5] [C-1.20] a second start keeps credentials, tokens and data; without METRICS=true there are no metrics", async () => {
    const credentials = readFileSync(join(server.installation.dataDir, "credentials.json"), "utf8");
    expect(JSON.parse(credentials).demo.client_secret).toBe(server.demo.clientSecret);
    expect(firstLink()).toBe(link);
    const { items } = await server.demo.tools.call("svc-credentials");
    expect(items).toHaveLength(3);
    expect((await send(`${server.url}/metrics`)).status).toBe(404);
  });
});

describe("a server that cannot start", () => {
  const folder = mkdtempSync(join(tmpdir(), "wealth-connect-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("[C-1.10] [C-1.12] [C-1.15] [C-1.25] lists every problem of its environment and exits 1", {
    timeout: START_TIMEOUT,
  }, async () => {
    const environment = {
      DATA_DIR: folder,
      PORT: "x",
      PUBLIC_URL: "http://example.com/",
      SANDBOX: "maybe",
      DATABASE_URL: "mysql://x",
      LOG_LEVEL: "",
      WIDGET_TTL_SECONDS: "5",
    };
    const failed = await startProcess(environment);
    expect((await failed.exited).code).toBe(1);
    for (const name of ["PORT", "PUBLIC_URL", "SANDBOX", "DATABASE_URL", "ENCRYPTION_KEYS", "WIDGET_TTL_SECONDS"])
      expect(failed.output()).toContain(`  ${name}: `);
    expect(failed.output()).not.toContain("LOG_LEVEL");
  });

  it("[C-1.11] says that the port is taken", { timeout: START_TIMEOUT }, async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const port = String((other.address() as { port: number }).port);
    const failed = await startProcess({ DATA_DIR: folder, PORT: port });
    expect((await failed.exited).code).toBe(1);
    expect(failed.output()).toContain(`port ${port} on 127.0.0.1 is in use`);
    await new Promise((resolve) => other.close(resolve));
  });

  it("[C-9.17] says that PostgreSQL does not answer", { timeout: START_TIMEOUT }, async () => {
    const failed = await startProcess({
      DATA_DIR: folder,
      PORT: "0",
      DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
      ENCRYPTION_KEYS: `k:${Buffer.alloc(32, 1).toString("base64")}`,
    });
    expect((await failed.exited).code).toBe(1);
    expect(failed.output()).toContain("the database cannot be reached");
  });
});
