import { expect, it } from "vitest";
import { type ConnectionAdminQuery, placeInOrder } from "../../connections/connection-admin-queries.js";
import type { ConnectionOrder } from "../../connections/connection-search.js";
import { pendingStatus } from "../../schemas/credential-status.js";
import type { Storage } from "../../storage.js";
import { later, letter, move, newId, newTenant, now, plan } from "../fixture.js";

/** Cases of `ConnectionAdminQueries`. Connections of other tenants are there too, so each case has a connector of its own. */
export function connectionAdminCases(storage: () => Storage): void {
  it("[C-14.50] connections of all tenants are found by every condition, newest first, with how they are refreshed", async () => {
    const [one, two] = [await newTenant(storage()), await newTenant(storage())];
    const connector_id = `esp:${newId()}`;
    const pending = pendingStatus(now.toISOString());
    const ready = { ...pending, pending: false, last_update: now.toISOString() };
    await one.run(async ({ clients }) => {
      await clients.note("M-17", now);
      await clients.update("M-17", { name: "Meier" });
    });
    const a = await one.connect({ connector_id, status: ready, client_ref: "M-17" });
    const b = await two.connect({ connector_id, status: { ...ready, blocked: true }, sealed_access: null });
    const c = await one.connect({ connector_id, status: { ...ready, sca_token: "sca" } });
    const d = await two.connect({ connector_id: "esp:another", status: pending });
    const [byA, byB, byC, byD] = [a, b, c, d].map(({ connection_id }) => connection_id);
    const fed = letter({ connector_id, status: "Connected", connection_id: b.connection_id });
    await two.run(({ letters }) => letters.create(fed, [], move(fed)));
    await one.run(async ({ refreshes }) => {
      await refreshes.plan(a.connection_id, plan(later(60), { consent_expires_at: later(100) }));
      await refreshes.plan(c.connection_id, plan(later(60), { consent_expires_at: later(500) }));
      const lease = newId();
      await refreshes.take(c.connection_id, { lease, now: later(10), until: later(70) });
      await refreshes.hold(c.connection_id, lease);
      await refreshes.settle(c.connection_id, { due_at: null, failures: 1, outcome: "failed", pending: null });
    });

    const list = (over: Partial<ConnectionAdminQuery> = {}) =>
      storage().connectionAdmin.list({
        tenant_id: null,
        asked_by: null,
        connection_id: null,
        client_ref_in: null,
        connector_id_in: [connector_id],
        state_in: null,
        consent_ends_before: null,
        is_failing: null,
        order: "newest",
        after: null,
        limit: 10,
        ...over,
      });
    const { identity_hash: _, sealed_access: __, ...shown } = b;
    const [newest, feed, oldest] = await list();
    expect(newest).toMatchObject({
      connection_id: byC,
      refresh: { due_at: null, lease: null, attempted_at: later(10), outcome: "failed" },
    });
    expect(feed).toEqual({
      ...shown,
      tenant_id: two.tenant_id,
      tenant: `Tenant ${two.tenant_id}`,
      client_name: null,
      letter_id: fed.letter_id,
      refresh: null,
    });
    expect(oldest).toMatchObject({
      connection_id: byA,
      client_ref: "M-17",
      client_name: "Meier",
      letter_id: null,
      refresh: { due_at: later(60), outcome: null },
    });

    const cases: [Partial<ConnectionAdminQuery>, (string | undefined)[]][] = [
      [{ tenant_id: one.tenant_id }, [byC, byA]],
      [{ connection_id: a.connection_id }, [byA]],
      [{ connector_id_in: null, tenant_id: two.tenant_id }, [byD, byB]],
      [{ connector_id_in: [] }, []],
      [{ client_ref_in: ["M-17", "m-17"] }, [byA]],
      [{ client_ref_in: [], connector_id_in: null }, []],
      [{ state_in: ["blocked", "ready"] }, [byB, byA]],
      [{ state_in: ["needs_relogin"] }, [byC]],
      [{ connector_id_in: null, tenant_id: two.tenant_id, state_in: ["pending"] }, [byD]],
      [{ consent_ends_before: later(200) }, [byA]],
      [{ is_failing: true }, [byC]],
      [{ is_failing: false }, [byB, byA]],
      [{ limit: 1 }, [byC]],
      [{ after: { connection_id: c.connection_id, at: null }, limit: 1 }, [byB]],
    ];
    for (const [over, ids] of cases)
      expect(
        (await list(over)).map(({ connection_id }) => connection_id),
        JSON.stringify(over),
      ).toEqual(ids);
  });

  it("[C-14.1051] [C-14.1068] pages over several tenants cover the connections once, in each order; those without a consent or data come last", async () => {
    const tenants = [await newTenant(storage()), await newTenant(storage())];
    const connector_id = `esp:${newId()}`;
    const status = { ...pendingStatus(now.toISOString()), pending: false };
    const timeOf = (seconds: number | null) => (seconds === null ? null : later(seconds).toISOString());
    const connect = async (at: number, ends: number | null, data: number | null) => {
      const times = { consent_expires_at: timeOf(ends), last_update: timeOf(data) };
      const tenant = tenants[at] as (typeof tenants)[number];
      const { connection_id } = await tenant.connect({ connector_id, status: { ...status, ...times } });
      return connection_id;
    };
    const a = await connect(0, 300, null);
    const b = await connect(1, null, 100);
    const c = await connect(0, 100, 300);
    const d = await connect(1, 300, null);
    const e = await connect(0, null, 100);
    const orders: Readonly<Record<ConnectionOrder, readonly string[]>> = {
      newest: [e, d, c, b, a],
      oldest: [a, b, c, d, e],
      consent_ends_first: [c, a, d, b, e],
      consent_ends_last: [d, a, c, e, b],
      data_newest: [c, e, b, d, a],
      data_oldest: [b, e, c, a, d],
    };
    for (const [order, expected] of Object.entries(orders) as [ConnectionOrder, readonly string[]][])
      for (const size of [1, 2]) {
        const found: string[] = [];
        for (let after: ConnectionAdminQuery["after"] = null; ; ) {
          const page = await storage().connectionAdmin.list({
            ...{ tenant_id: null, asked_by: null, connection_id: null, client_ref_in: null, state_in: null },
            ...{
              connector_id_in: [connector_id],
              consent_ends_before: null,
              is_failing: null,
              order,
              after,
              limit: size,
            },
          });
          const last = page.at(-1);
          if (last === undefined) break;
          found.push(...page.map(({ connection_id }) => connection_id));
          after = placeInOrder(last, order);
        }
        expect(found, `${order}, ${size}`).toEqual(expected);
      }
  });
}
