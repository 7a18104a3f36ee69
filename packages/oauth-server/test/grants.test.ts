import { describe, expect, it } from "vitest";
import { createGrants } from "../src/administration/grants.js";
import { install, machine, refresh, TENANT } from "./harness.js";

describe("administration of grants", () => {
  it("[C-14.53] lists the live ones and ends one, audited, and none of another owner than the one named", async () => {
    const at = await install();
    const client = await at.application();
    const tokens = [await at.token(machine(client)), await at.token(machine(client))].map(
      ({ body }) => body.refresh_token,
    );
    const audit = (event: (typeof at.events)[number]) => void at.events.push(event);
    const grants = createGrants({ store: at.store.grants, clock: at.clock, audit });
    const live = await grants.list({ tenant_id: TENANT, limit: 10 });
    expect(live).toHaveLength(2);
    const [first] = at.events.filter((event) => event.action === "grant.issued");
    for (const other of [null, "0192a5c0-0000-7000-8000-000000000001"])
      expect(await grants.end(first?.grant_id ?? "", {}, other)).toBe(false);
    expect(await grants.end(first?.grant_id ?? "", { actor: "operator-1" }, TENANT)).toBe(true);
    expect(await grants.end(first?.grant_id ?? "")).toBe(false);
    expect(at.events.at(-1)).toMatchObject({ action: "grant.ended", actor: "operator-1", tenant_id: TENANT });
    expect(await at.token(refresh(tokens[0]))).toMatchObject({ body: { error: "invalid_grant" } });
    expect(await at.token(refresh(tokens[1]))).toMatchObject({ status: 200 });
    expect(await grants.list({ application_id: client.application_id, limit: 10 })).toHaveLength(1);
  });

  it("[C-9.18] reaps expired grants in batches once their access tokens are dead", async () => {
    const at = await install();
    const client = await at.application();
    for (let count = 0; count < 3; count++) await at.token(machine(client));
    const { body } = await at.token(machine(client));
    await at.revoke({ token: body.refresh_token });
    expect(await at.server.reap(10)).toMatchObject({ grants: 0 });
    at.advance(3600 + 66);
    expect(await at.server.reap(10)).toMatchObject({ grants: 1 });
    at.advance(24 * 3600);
    expect(await at.server.reap(2)).toMatchObject({ grants: 2 });
    expect(await at.server.reap(2)).toMatchObject({ grants: 1 });
    expect(await at.server.reap(2)).toMatchObject({ grants: 0 });
  });
});
