import { describe, expect, it } from "vitest";
import { createMemoryOAuthStore } from "../src/testing/memory-oauth-store.js";
import { basic, install, machine, refresh } from "./harness.js";

describe("[C-1.8] [security.md] nothing secret is written down", () => {
  it("neither in the audit trail nor in the log nor in error bodies, nor readable in the store", async () => {
    const kept: unknown[] = [];
    const store = createMemoryOAuthStore();
    const watched = Object.fromEntries(
      Object.entries(store).map(([name, port]) => [
        name,
        new Proxy(port, {
          get: (target, method) => {
            const original = Reflect.get(target, method);
            return (...args: unknown[]) => {
              kept.push(args);
              return original.apply(target, args);
            };
          },
        }),
      ]),
    ) as unknown as typeof store;
    const at = await install({ store: watched, refreshReplaySeconds: 5 });
    const client = await at.application();
    const { client_id, client_secret } = client;
    const { body: first } = await at.token(machine(client));
    const { body: second } = await at.token(refresh(first.refresh_token));
    const rolled = await at.applications.rollSecret(client_id);
    const answers = [
      await at.token(machine({ ...client, client_id: client_secret })),
      await at.token(machine({ ...client, client_secret: `${client_secret}x` })),
      await at.token({ ...machine(client), client_id: second.refresh_token }),
      await at.token(
        { grant_type: "client_credentials" },
        { headers: { authorization: basic(client_secret, client_id) } },
      ),
      await at.token(machine(client, { scope: client_secret })),
      await at.token(machine(client, { resource: client_secret })),
      await at.token({ ...machine(client), grant_type: client_secret }),
      await at.token(refresh(client_secret)),
      await at.revoke({ token: second.access_token, client_id: client_secret, client_secret: client_id }),
      await at.revoke({ token: second.refresh_token }),
    ];
    Object.assign(store.grants, { issueGrant: () => Promise.reject(new Error("down")) });
    answers.push(await at.token(machine({ ...client, client_secret: rolled.client_secret })));

    const secrets = [client_secret, rolled.client_secret];
    for (const { access_token, refresh_token } of [first, second]) secrets.push(access_token, refresh_token);
    const written = JSON.stringify([at.events, at.log, answers.map(({ text }) => text)]);
    for (const secret of secrets) expect(written).not.toContain(secret);
    expect(at.log).toHaveLength(1);
    for (const secret of secrets) expect(JSON.stringify(kept)).not.toContain(secret);
  });

  it("records every grant, refusal and revocation with ids, address and trace", async () => {
    const at = await install();
    const client = await at.application();
    const { body } = await at.token(machine(client));
    const { body: next } = await at.token(refresh(body.refresh_token));
    await at.token(machine({ ...client, client_secret: "x" }));
    const header = { headers: { authorization: basic(client.client_id, "x") } };
    await at.token({ grant_type: "client_credentials" }, header);
    await at.token(refresh(body.refresh_token));
    await at.revoke({ token: next.refresh_token });
    const { body: last } = await at.token(machine(client));
    await at.revoke({ token: last.refresh_token });
    const { client_id, application_id } = client;
    const ids = { tenant_id: expect.any(String), application_id, client_id, grant_id: expect.any(String) };
    expect(at.events.slice(1)).toMatchObject([
      { action: "grant.issued", ...ids, address: "203.0.113.7", trace_id: "0af7651916cd43dd8448eb211c80319c" },
      { action: "grant.refreshed", ...ids },
      { action: "grant.refused", client_id, detail: "invalid_client", grant_id: null },
      { action: "grant.refused", client_id, detail: "invalid_client", grant_id: null },
      { action: "grant.reuse_detected", ...ids },
      { action: "grant.refused", ...ids, detail: "invalid_grant" },
      { action: "grant.issued", ...ids },
      { action: "grant.ended", ...ids },
    ]);
  });
});
