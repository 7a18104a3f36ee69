import { describe, expect, it, vi } from "vitest";
import { createGrants } from "../src/administration/grants.js";
import { install, machine } from "./harness.js";

describe("a text that can be no id", () => {
  it.each(["x", "nul\0", "' or '1' = '1", "018F0000-0000-7000-8000-000000000001"])(
    "%j names nothing, wherever it comes in, and no store is asked for it",
    async (id) => {
      const at = await install();
      const application = await at.application();
      const { client_id, client_secret } = application;
      await at.token(machine(application));
      const { applications, clients, grants } = at.store;
      const asked = [
        vi.spyOn(applications, "removeSecret"),
        vi.spyOn(clients, "removeRegistrationToken"),
        vi.spyOn(grants, "findGrant"),
        vi.spyOn(grants, "endGrant"),
      ];
      const administration = createGrants({ store: grants, clock: at.clock, audit: () => {} });

      await expect(at.applications.removeSecret(client_id, id)).rejects.toMatchObject({ code: "unknown_secret" });
      expect(await at.registrationTokens.revoke(id)).toBe(false);
      expect(await administration.end(id)).toBe(false);
      const body = new URLSearchParams({ client_id, client_secret, grant_id: id });
      expect((await fetch(`${at.issuer}/grants/revoke`, { method: "POST", body })).status).toBe(400);
      for (const spy of asked) expect(spy).not.toHaveBeenCalled();
    },
  );

  it("is no place in a list, which then begins at its beginning", async () => {
    const at = await install();
    const application = await at.application();
    const { client_id, client_secret } = application;
    await at.token(machine(application));
    expect(await at.applications.list({ after: "x", limit: 10 })).toMatchObject([{ client_id }]);
    const body = new URLSearchParams({ client_id, client_secret, after: "x" });
    const listed = await fetch(`${at.issuer}/grants/list`, { method: "POST", body });
    expect(await listed.json()).toMatchObject({ items: [{ client_id }] });
  });
});
