import { expect, it } from "vitest";
import { attentionOf } from "../../connections/attention.js";
import type { ConnectionRecord } from "../../connections/connection-store.js";
import type { Uuid } from "../../schemas/identifier.js";
import type { Storage } from "../../storage.js";
import {
  connection,
  holding,
  holdingQuery,
  later,
  newTenant,
  now,
  portfolio,
  portfolioQuery,
  transactionQuery,
} from "../fixture.js";

/** Cases of what tells a person which connections need somebody, and which account is which. */
export function attentionCases(storage: () => Storage): void {
  it("[C-4.140] those that need attention are found by the rule, a page at a time", async () => {
    const tenant = await newTenant(storage());
    const status = { ...connection().status, pending: false };
    const failed = (part: "product" | "transaction", name: string) => ({
      ...status.errored,
      [part]: { ...status.errored[part], [name]: true },
    });
    const inDays = (days: number) => later(days * 24 * 3_600).toISOString();
    const made: ConnectionRecord[] = [];
    for (const change of [
      {},
      { pending: true },
      { blocked: true },
      { sca_token: "sca" },
      { sca_token: "", reset_token: "" },
      { reset_token: "reset" },
      { transaction_token: "transactions" },
      { errored: failed("product", "auth") },
      { errored: failed("product", "portfolio") },
      { errored: failed("product", "investment") },
      { errored: failed("product", "card") },
      { errored: failed("transaction", "investment") },
      { errored: failed("transaction", "account") },
      { consent_expires_at: inDays(-1) },
      { consent_expires_at: inDays(13.9) },
      { consent_expires_at: inDays(14) },
      { blocked: true, consent_expires_at: inDays(1) },
    ])
      made.push(await tenant.connect({ status: { ...status, ...change } }));
    const query = { ...everything, attention_at: now };
    const { page } = storage().connectionFinder;
    const wanted = made.filter((one) => attentionOf(one, now) !== null);
    expect(wanted.map((one) => made.indexOf(one))).toEqual([1, 2, 3, 5, 7, 8, 9, 11, 13, 14, 16]);
    expect(await page(tenant.tenant_id, query)).toEqual({ items: wanted, total: 11 });
    const last = { ...query, page: 2, page_size: 10 };
    expect(await page(tenant.tenant_id, last)).toEqual({ items: wanted.slice(10), total: 11 });
    expect((await page(tenant.tenant_id, { ...last, page: 3 })).total).toBe(11);
    const soon = wanted.filter((one) => [8, 9, 11, 13, 14].includes(made.indexOf(one)));
    expect(await page(tenant.tenant_id, { ...query, ready_only: true })).toEqual({ items: soon, total: 5 });
    expect((await page(tenant.tenant_id, { ...query, bank: "nobody" })).total).toBe(0);
  });

  it("[C-4.141] a list has the first three accounts of the latest snapshot of each, in the bank's order, if asked", async () => {
    const tenant = await newTenant(storage());
    const [many, none, replaced] = [await tenant.connect(), await tenant.connect(), await tenant.connect()];
    const publish = (connection_id: Uuid, names: readonly string[]) =>
      tenant.run(({ snapshots }) =>
        snapshots.publish({
          ...{ connection_id, as_of: now, published_at: now },
          portfolios: names.map((name) => portfolio({ name, ref_account: `ref ${name}` })),
          holdings: [holding()],
        }),
      );
    await publish(many.connection_id, ["d", "b", "c", "a"]);
    await publish(replaced.connection_id, ["old"]);
    await publish(replaced.connection_id, ["new"]);
    const accounts = (...names: string[]) => names.map((name) => ({ name, ref_account: `ref ${name}` }));
    const { page } = storage().connectionFinder;
    const query = { ...everything, with_accounts: true };
    expect(await page(tenant.tenant_id, query)).toEqual({
      items: [
        { ...many, accounts: accounts("d", "b", "c") },
        { ...none, accounts: [] },
        { ...replaced, accounts: accounts("new") },
      ],
      total: 3,
    });
    const second = { ...query, page: 2, page_size: 1 };
    expect(await page(tenant.tenant_id, second)).toEqual({ items: [{ ...none, accounts: [] }], total: 3 });
    expect((await page(tenant.tenant_id, { ...second, page: 9 })).items).toEqual([]);
    expect((await page((await newTenant(storage())).tenant_id, query)).total).toBe(0);
    expect((await page(tenant.tenant_id, everything)).items).toEqual([many, none, replaced]);
  });

  it("[C-4.145] blocked means that no data come until somebody acts, by the rule of a new login", async () => {
    const tenant = await newTenant(storage());
    const { connection_id, status } = await tenant.connect();
    const { errored } = status;
    const failed = (over: Partial<typeof errored.product>) => ({
      ...errored,
      product: { ...errored.product, ...over },
    });
    for (const [change, blocked] of [
      [{}, false],
      [{ blocked: true }, true],
      [{ sca_token: "sca" }, true],
      [{ reset_token: "reset" }, true],
      [{ sca_token: "", reset_token: "" }, false],
      [{ errored: failed({ auth: true }) }, true],
      [{ errored: failed({ portfolio: true, investment: true }) }, false],
    ] as const) {
      await tenant.run(({ connections }) => connections.save(connection_id, { status: { ...status, ...change } }));
      const { reader } = storage();
      for (const page of [
        await reader.portfolios(tenant.tenant_id, portfolioQuery()),
        await reader.holdings(tenant.tenant_id, holdingQuery({ currencies: ["EUR"] })),
        await reader.transactions(tenant.tenant_id, transactionQuery()),
      ])
        expect(page).toMatchObject({ sources: [{ blocked }] });
    }
  });
}

const everything = {
  ...{ bank: null, client_refs: null, ready_only: false, attention_at: null, with_accounts: false },
  ...{ page: 1, page_size: 50 },
};
