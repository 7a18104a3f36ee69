import { testDatabaseUrl } from "@org/storage-postgres/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "./eventually.js";
import { START_TIMEOUT } from "./harness.js";
import type { PlaidLogin } from "./institutions/plaid-bank.js";
import { visitLink } from "./institutions/plaid-person.js";
import { bookAll, bookings, kinds } from "./institutions/plaid-portfolio.js";
import { openPlaidStage, visitOf } from "./plaid-stage.js";
import { bankData, describeRedirectKills } from "./redirect-kills.js";
import { startReplica } from "./replica.js";

const paths = {
  "the code": "/item/public_token/exchange",
  "who they are": "/accounts/get",
  "their data": "/investments/holdings/get",
};

describe.skipIf(!testDatabaseUrl)("Plaid, whose public tokens are good once", () => {
  let stage: Awaited<ReturnType<typeof openPlaidStage>>;
  const people = new Map<string, PlaidLogin>();
  let isAsked = () => true;

  beforeAll(async () => {
    stage = await openPlaidStage("postgres");
  }, START_TIMEOUT);
  afterAll(() => stage?.close());

  function personFor(name: string): PlaidLogin {
    const known = people.get(name);
    if (known !== undefined) return known;
    const { login, accounts } = stage.enrol(stage.banks[0], ["Brokerage", "Retirement"]);
    accounts[0].hold(kinds.stock, "3", "271.49");
    bookAll(accounts[0], new Date().toISOString().slice(0, 10));
    people.set(name, login);
    return login;
  }

  async function isWhole(connection_id: string) {
    expect(await stage.rows("svc-investments", connection_id)).toMatchObject([{ name: "Apple Inc.", amount: "3" }]);
    expect(await stage.rows("svc-investment-transactions", connection_id)).toHaveLength(bookings.length);
  }

  describeRedirectKills("[C-5.294]", () => ({
    server: stage.server,
    connector_id: "usa:plaid-ins_1",
    environment: { PROVIDERS: "plaid" },
    async visit(url, at, silentAt) {
      if (silentAt) {
        const path = paths[silentAt];
        const before = stage.sent(path);
        isAsked = () => stage.sent(path) > before;
        stage.plaid.institution.fail((request) => request.path === path, { kind: "hang" });
      }
      return (await visitLink(url, visitOf(personFor(at)))).location;
    },
    isWhole,
    isAsked: () => isAsked(),
    async ends(credentials_token) {
      const { plaid } = stage;
      const left = plaid.items.filter(({ isRemoved }) => !isRemoved);
      await stage.call("svc-delete-credentials", { credentials_token, confirm: true });
      await eventually(() => left.at(-1)?.isRemoved, "the Item of the connection is removed");
      // Each public token was redeemed once, and no other Item was touched.
      const redeemed = plaid.institution.requests.filter(({ path }) => path === paths["the code"]);
      expect(new Set(redeemed.map(({ body }) => body)).size).toBe(redeemed.length);
      expect(left.slice(0, -1).filter(({ isRemoved }) => isRemoved)).toEqual([]);
      expect(plaid.violations).toEqual([]);
    },
  }));

  it("[C-5.294] killed while an Item is removed: the connection is gone for good, and Plaid is not asked for its data", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { server, plaid } = stage;
    const before = await bankData(server);
    const { connection_id, item } = await stage.connect(personFor("removal"));
    const worker = await startReplica(server, { environment: { PROVIDERS: "plaid", JOBS: "false" } });
    plaid.refuse("/item/remove", "INTERNAL_SERVER_ERROR");
    const asked = stage.sent("/item/remove");
    const { status } = await fetch(`${worker.url}/data/v1/delete-connection`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.demo.token}`, "content-type": "application/json" },
      body: JSON.stringify({ credentials_token: connection_id, confirm: true }),
    });
    expect(status).toBe(200);
    await eventually(() => stage.sent("/item/remove") > asked, "Plaid is asked to remove the Item");
    await worker.process.end("SIGKILL");
    expect(await bankData(server)).toMatchObject({ connections: before.connections });
    // Only Plaid's dashboard knows this Item now, as docs/reference/providers/plaid.md says.
    expect(item.isRemoved).toBe(false);
    expect((await server.demo.post("/connect/v2/connections/refresh", { connection_id })).status).toBe(400);
    // Whoever comes again has a new connection with an Item of its own.
    const again = await stage.connect(personFor("removal"));
    expect(again.connection_id).not.toBe(connection_id);
    await isWhole(again.connection_id);
  });
});
