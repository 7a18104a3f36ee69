import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "./eventually.js";
import { START_TIMEOUT } from "./harness.js";
import { nextDayOf } from "./institutions/openwealth-versions-customers.js";
import { startBanks } from "./openwealth-banks.js";

const DAY_SECONDS = 24 * 60 * 60;
/** How long a consent lasts. */
const consent_seconds = 10 * DAY_SECONDS;
const start = () =>
  startBanks({
    one: { version: "1.1", consent_seconds },
    two: { version: "1.2", consent_seconds },
    three: { version: "2.0", consent_seconds, settings: { date_type: "bookingDate" } },
  });
const ids = ["one", "two", "three"] as const;
const dateTypes = { one: "transactionDate", two: "transactionDate", three: "bookingDate" } as const;

describe("banks with OpenWealth 1.1, 1.2 and 2.0, side by side in one row of settings", () => {
  let at: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    at = await start();
  }, START_TIMEOUT);
  afterAll(() => at?.close());

  describe.each(ids)("%s", (id) => {
    it.each(["every", "odd", "company", "nobody"] as const)(
      "[C-5.295] every figure of the customer %s arrives",
      { timeout: START_TIMEOUT },
      async (user) => {
        const token = await at.connect({ connector_id: `che:${id}` }, user);
        await at.expectTruth(token, id, user, dateTypes[id]);
      },
    );
  });

  it("[C-5.295] [C-5.296] a consent is refused, given, about to end, withdrawn, given again, ends, and is given back", {
    timeout: START_TIMEOUT,
  }, async () => {
    const { banks, visit, connect } = at;
    const tokens = new Map<(typeof ids)[number], string>();
    const before = new Map<string, readonly string[]>();
    for (const id of ids) {
      const { larkspur } = banks[id].customers;
      const declined = await visit({ connector_id: `che:${id}` }, "larkspur", { decision: "decline" });
      expect(declined).toMatchObject({
        status: "Waiting:Challenge",
        text: expect.stringContaining("You did not agree"),
      });
      const token = await connect({ connector_id: `che:${id}` }, "both", { customer: larkspur.id });
      await at.expectTruth(token, id, "larkspur", dateTypes[id]);
      tokens.set(id, token);
      before.set(id, await at.idsOf(token));
      nextDayOf(banks[id].version, larkspur, new Date(Date.now() + 3 * DAY_SECONDS * 1_000).toISOString().slice(0, 10));
    }

    // Six days are left: a refresh brings new data, and the customer is told in time.
    await at.goTo(4);
    for (const [id, token] of tokens) {
      await eventually(async () => (await at.outcomeOf(token)) === "refreshed", "the refresh of the day");
      await at.expectTruth(token, id, "larkspur", dateTypes[id]);
      const ids = await at.idsOf(token);
      const known = before.get(id) ?? [];
      // One position is gone.
      expect(known.filter((one) => !ids.includes(one))).toHaveLength(1);
      before.set(id, ids);
      const told = await eventually(async () => {
        const query = { type_in: ["connection.consent_expiring"] };
        const { body } = await at.tenant.post("/events/v1/list-events", { query });
        return body.items.find(({ data }: { data: { connection_id: string } }) => data.connection_id === token);
      }, "the notice");
      expect(told.data.days).toBe(7);
      expect((await at.tenant.post("/data/v1/show-connection", { credentials_token: token })).body).toMatchObject({
        needs_relogin: false,
        consent_renewal: { expires_at: told.data.consent_expires_at },
      });
      banks[id].authorization.withdraw("both");
    }

    await at.goTo(8);
    for (const [id, token] of tokens) {
      await eventually(async () => (await at.reloginOf(token)).needs_relogin, "the consent that was withdrawn");
      expect(await at.reloginOf(token)).toMatchObject({ needs_relogin: true, reasons: [{ code: "auth_error" }] });
      // The customer is known, so nobody asks which one it is.
      expect(await connect({ connection_id: token }, "both")).toBe(token);
      expect((await at.reloginOf(token)).needs_relogin).toBe(false);
      expect(await at.idsOf(token)).toEqual(before.get(id));
    }

    await at.goTo(20);
    for (const [id, token] of tokens) {
      await eventually(async () => (await at.reloginOf(token)).needs_relogin, "the consent that has ended");
      expect(await at.reloginOf(token)).toMatchObject({
        needs_relogin: true,
        reasons: expect.arrayContaining([expect.objectContaining({ code: "sca_required" })]),
      });
      expect(await connect({ connection_id: token }, "both")).toBe(token);
      expect(await at.idsOf(token)).toEqual(before.get(id));
      const isOpen = () => banks[id].authorization.isOpen("both", at.now().getTime());
      expect(isOpen()).toBe(true);
      await at.tenant.tools.call("svc-delete-credentials", { credentials_token: token, confirm: true });
      await eventually(() => !isOpen(), "tokens that are given back");
    }
    for (const { violations, authorization, client_secret } of Object.values(banks)) {
      expect([violations, authorization.violations]).toEqual([{ calls: [], parameters: [] }, []]);
      expect(at.server.output()).not.toContain(client_secret);
    }
    expect(at.server.faults()).toEqual([]);
  });
});
