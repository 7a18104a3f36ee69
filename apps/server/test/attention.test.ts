import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectBank } from "./connect-bank.js";
import { START_TIMEOUT, sandboxBanks, startTestServer, type TestServer, type TestTenant } from "./harness.js";
import { backends } from "./installation.js";

describe.each(backends)("connections that need somebody, on %s", (backend) => {
  let server: TestServer;
  let tenant: TestTenant;
  const ids: string[] = [];

  beforeAll(async () => {
    server = await startTestServer({ backend });
    tenant = await server.createTenant("several banks");
    for (const [bank, username, password] of [
      [sandboxBanks.eBanking, "one", "good"],
      [sandboxBanks.psd2, "two", "BLOCKED_AFTER"],
      [sandboxBanks.psd2, "three", "DATA_ERROR_PORTFOLIO"],
    ] as const) {
      const { id, widgetUrl } = await tenant.openSession({ connector_id: bank });
      await connectBank(widgetUrl, { username, password });
      ids.push(String((await tenant.tools.call("svc-session-status", { session_id: id })).connection_id));
    }
    await tenant.post("/connect/v2/connections/refresh", { connection_id: ids[1] });
  }, START_TIMEOUT);
  afterAll(() => server?.remove());

  it("[C-4.142] are listed alone by one call, at /mcp as by REST, with what to do", async () => {
    const found = await tenant.tools.call("svc-credentials", { attention_only: true });
    expect(found).toMatchObject({ total: 2, pages: 1 });
    expect(found.items).toEqual([
      {
        ...{ credentials_token: ids[1], bank: expect.any(String) },
        attention: { state: "blocked", message: "gets no data", next_action: "log in" },
      },
      {
        ...{ credentials_token: ids[2], bank: expect.any(String) },
        attention: {
          ...{ state: "incomplete", message: "no accounts came" },
          next_action: "wait a day",
        },
      },
    ]);
    const { body } = await tenant.post("/data/v1/list-connections", { attention_only: true });
    expect(body.items).toEqual(found.items);
  });

  it("[C-4.141] all have the first accounts, with no more of a number than its end", async () => {
    const { items } = await tenant.tools.call("svc-credentials");
    expect(items).toHaveLength(3);
    const numbers = new Map<string, string>();
    for (const { name, refAccount } of (await tenant.tools.call("svc-portfolios", { credentials_token: ids[0] })).items)
      numbers.set(name, refAccount);
    expect(items[0].accounts.length).toBeGreaterThan(0);
    for (const { name, last_four } of items[0].accounts) {
      expect(last_four).toMatch(/^[A-Z0-9]{4}$/i);
      expect(
        numbers
          .get(name)
          ?.replace(/[^A-Za-z0-9]/g, "")
          .slice(-4),
      ).toBe(last_four);
    }
    expect(items[2].accounts).toEqual([]);
  });

  it("[C-4.146] [C-4.147] no source leads to a tool that answers nothing; known holdings are said", async () => {
    const { sources } = await tenant.tools.call("svc-portfolios");
    expect(sources).toMatchObject([
      { credentials_token: ids[2], state: "error", next_action: expect.stringMatching(/^read its holdings/) },
      { credentials_token: ids[1], state: "stale", next_action: expect.stringMatching(/svc-needs-relogin/) },
    ]);
    for (const { credentials_token, next_action } of sources) {
      const { needs_relogin } = await tenant.tools.call("svc-needs-relogin", { connection_id: credentials_token });
      expect(next_action.includes("svc-needs-relogin")).toBe(needs_relogin);
    }
    expect((await tenant.tools.call("svc-investments", { credentials_token: ids[2] })).total).toBeGreaterThan(0);
  });
});
