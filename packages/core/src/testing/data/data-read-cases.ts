import { expect, it } from "vitest";
import type { DataPage } from "../../data/data-reader.js";
import { holdingFields, transactionFields } from "../../data/rows.js";
import type { Uuid } from "../../schemas/identifier.js";
import type { Storage } from "../../storage.js";
import {
  holding,
  holdingQuery,
  later,
  newId,
  newTenant,
  now,
  portfolio,
  portfolioQuery,
  transaction,
  transactionQuery,
} from "../fixture.js";

/** Cases of `DataReader` for one rule each; `data-model-cases.ts` compares with a model. */
export function dataReadCases(storage: () => Storage): void {
  it("[C-4.9] [C-4.10] [C-4.18] items have the asked fields in the asked order, text as it came and decimals with their scale", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const account = portfolio({ name: 'A "quoted" \\ name\n\t<é> \u2028 😀', balance: "1500.0000", ref_account: null });
    const position = holding({
      balance: "-0.10",
      amount: "1234567890123456789012345678.12345678901234567890",
      isin: null,
      subtype: "OP",
    });
    const movement = transaction({ balance: null, amount: "0", unit_price: "0.000", description: "" });
    await tenant.run(({ snapshots }) =>
      snapshots.publish({
        connection_id,
        as_of: now,
        published_at: now,
        portfolios: [account],
        holdings: [position],
        transactions: [movement],
      }),
    );
    const { reader } = storage();
    const id = tenant.tenant_id;
    expect(itemsText(await reader.portfolios(id, portfolioQuery({ include_source_token: true })))).toBe(
      JSON.stringify([
        {
          id: account.portfolio_id,
          name: account.name,
          balance: "1500.0000",
          currency: "EUR",
          refAccount: null,
          type: "UM",
          credentials_token: connection_id,
        },
      ]),
    );
    expect(itemsText(await reader.holdings(id, holdingQuery()))).toBe(
      JSON.stringify([
        {
          id: position.holding_id,
          name: position.name,
          isin: null,
          amount: position.amount,
          balance: "-0.10",
          currency: "EUR",
          valuation_date: "2026-02-27",
          type: "F",
          subtype: "OP",
        },
      ]),
    );
    expect(itemsText(await reader.transactions(id, transactionQuery()))).toBe(
      JSON.stringify([
        {
          id: movement.transaction_id,
          operationDate: "2026-02-01",
          description: "",
          amount: "0",
          balance: null,
          currency: "EUR",
          unitPrice: "0.000",
        },
      ]),
    );
    const some = holdingQuery({ fields: ["currency", "id", "valuation_date"], include_source_token: true });
    expect(itemsText(await reader.holdings(id, some))).toBe(
      JSON.stringify([
        { currency: "EUR", id: position.holding_id, valuation_date: "2026-02-27", credentials_token: connection_id },
      ]),
    );
    const few = transactionQuery({ fields: ["unitPrice", "operationDate"] });
    expect(itemsText(await reader.transactions(id, few))).toBe('[{"unitPrice":"0.000","operationDate":"2026-02-01"}]');
    const short = portfolioQuery({ fields: ["refAccount", "balance"], include_source_token: true });
    expect(itemsText(await reader.portfolios(id, short))).toBe(
      JSON.stringify([{ refAccount: null, balance: "1500.0000", credentials_token: connection_id }]),
    );
  });

  it("a field that items do not have is a defect of the caller", async () => {
    const { tenant_id: id } = await newTenant(storage());
    await expect(async () => storage().reader.holdings(id, holdingQuery({ fields: ["nothing"] }))).rejects.toThrow();
  });

  it("[C-5.68] facts are in rows that ask for them by name or for all that are known, and in no others", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const account = portfolio();
    const held = { price: "1.50", identifiers: { isin: "LU0", ticker: 'A"é' }, accrued_interest: "0.10" };
    const moved = { kind: "buy", fees: "1.00", settlement_date: "2026-02-03" } as const;
    const [known, unknown] = [
      holding({ portfolio_id: account.portfolio_id, facts: held }),
      holding({ portfolio_id: account.portfolio_id }),
    ];
    const movement = transaction({ facts: moved });
    const publication = { connection_id, as_of: now, published_at: now };
    await tenant.run(({ snapshots }) =>
      snapshots.publish({
        ...publication,
        portfolios: [account],
        holdings: [known, unknown],
        transactions: [movement],
      }),
    );
    const { reader } = storage();
    const holdings = async (over: Parameters<typeof holdingQuery>[0]) =>
      JSON.parse(itemsText(await reader.holdings(tenant.tenant_id, holdingQuery(over))));
    const transactions = async (over: Parameters<typeof transactionQuery>[0]) =>
      JSON.parse(itemsText(await reader.transactions(tenant.tenant_id, transactionQuery(over))));
    for (const filter of [{}, { portfolio_id: account.portfolio_id as Uuid }, { connection_ids: [connection_id] }]) {
      const whole = await holdings(filter);
      expect(whole.map((row: object) => Object.keys(row))).toEqual([[...holdingFields], [...holdingFields]]);
      expect(await holdings({ ...filter, with_facts: true })).toEqual([{ ...whole[0], ...held }, whole[1]]);
      const fields = ["name", "price", "cost", "identifiers"];
      expect(await holdings({ ...filter, fields })).toEqual([
        { name: known.name, price: "1.50", cost: null, identifiers: held.identifiers },
        { name: unknown.name, price: null, cost: null, identifiers: null },
      ]);
    }
    for (const filter of [{}, { start_date: "2026-01-01" }, { connection_ids: [connection_id] }]) {
      const [whole] = await transactions(filter);
      expect(Object.keys(whole)).toEqual([...transactionFields]);
      expect(await transactions({ ...filter, with_facts: true, include_source_token: true })).toEqual([
        { ...whole, ...moved, credentials_token: connection_id },
      ]);
      expect(await transactions({ ...filter, fields: ["kind", "taxes"], include_source_token: true })).toEqual([
        { kind: "buy", taxes: null, credentials_token: connection_id },
      ]);
    }
    // Rows that a partial publication keeps still have their facts.
    await tenant.run(({ snapshots }) =>
      snapshots.publish({ ...publication, partial: true, portfolios: [], holdings: [] }),
    );
    expect(await holdings({ fields: ["price"] })).toEqual([{ price: "1.50" }, { price: null }]);
  });

  it("as of when a product was stated is known from its latest snapshot, and the digest of its transactions", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const latest = () => tenant.run(({ snapshots }) => snapshots.latest(connection_id, "transaction"));
    expect(await latest()).toBeNull();
    const publish = (seconds: number, over: object) =>
      tenant.run(({ snapshots }) =>
        snapshots.publish({ connection_id, as_of: later(seconds), published_at: now, ...over }),
      );
    await publish(1, { holdings: [] });
    expect(await latest()).toBeNull();
    await publish(2, { transactions: [] });
    await publish(3, { holdings: [] });
    expect(await latest()).toEqual({ as_of: later(2), digest: null });
    await publish(4, { transactions: [transaction()], digests: { transaction: "one" } });
    expect(await latest()).toEqual({ as_of: later(4), digest: "one" });
  });

  it("[C-4.8] portfolios and holdings come by connection, oldest first, then as the bank lists them, at any page", async () => {
    const tenant = await newTenant(storage());
    const young = await tenant.connect({ created_at: later(1) });
    const old = await tenant.connect();
    const empty = await tenant.connect({ created_at: later(-1) });
    const names = (prefix: string) => ["z", "a", "m", "b"].map((letter) => prefix + letter);
    await tenant.run(async ({ snapshots }) => {
      for (const [{ connection_id }, prefix] of [
        [young, "young "],
        [old, "old "],
      ] as const) {
        const holdings = names(prefix).map((name) => holding({ name }));
        await snapshots.publish({ connection_id, as_of: now, published_at: now, holdings });
      }
      await snapshots.publish({ connection_id: empty.connection_id, as_of: now, published_at: now, holdings: [] });
    });
    const expected = [...names("old "), ...names("young ")];
    const { reader } = storage();
    for (const page_size of [1, 3, 8, 500]) {
      for (const connection_ids of [null, [young, empty, old].map((one) => one.connection_id)]) {
        for (let page = 1; page <= 9; page += 1) {
          const query = holdingQuery({ fields: ["name"], page, page_size, connection_ids });
          const answer = await reader.holdings(tenant.tenant_id, query);
          const start = (page - 1) * page_size;
          expect(itemsOf(answer).map((item) => item.name)).toEqual(expected.slice(start, start + page_size));
          expect(answer).toMatchObject({ total: 8, totals: [{ currency: "EUR", balance: "800.00" }] });
        }
      }
    }
  });

  it("[C-4.8] transactions are newest first over all connections, ids break ties", async () => {
    const tenant = await newTenant(storage());
    const one = await tenant.connect();
    const two = await tenant.connect();
    const rows = ["2026-01-01", "2026-01-02", "2026-01-02", "2025-12-31"].map((operation_date) =>
      transaction({ operation_date }),
    );
    await tenant.run(async ({ snapshots }) => {
      const common = { as_of: now, published_at: now };
      await snapshots.publish({
        ...common,
        connection_id: one.connection_id,
        transactions: [rows[0], rows[1]] as typeof rows,
      });
      await snapshots.publish({
        ...common,
        connection_id: two.connection_id,
        transactions: [rows[2], rows[3]] as typeof rows,
      });
    });
    const expected = [rows[2], rows[1], rows[0], rows[3]].map((row) => row?.transaction_id);
    for (const connection_ids of [null, [two.connection_id, one.connection_id]]) {
      const query = transactionQuery({ connection_ids, page_size: 3 });
      const pages = await Promise.all(
        [1, 2, 3].map((page) => storage().reader.transactions(tenant.tenant_id, { ...query, page })),
      );
      expect(pages.flatMap((page) => itemsOf(page).map((item) => item.id))).toEqual(expected);
    }
  });

  it("[C-4.22] [C-4.83] totals are sums per currency over all matching rows, ordered by currency, and count those without a balance", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const balances: [string, string | null][] = [
      ["USD", "0.1"],
      ["USD", "0.2"],
      ["EUR", "1.000"],
      ["EUR", "-1.5"],
      ["JPY", null],
    ];
    const portfolios = balances.map(([currency, balance]) => portfolio({ currency, balance }));
    await tenant.run(({ snapshots }) =>
      snapshots.publish({ connection_id, as_of: now, published_at: now, portfolios }),
    );
    for (const over of [{}, { types: ["UM"] }]) {
      const answer = await storage().reader.portfolios(tenant.tenant_id, portfolioQuery({ ...over, page_size: 1 }));
      expect(answer).toMatchObject({
        total: 5,
        totals: [
          { currency: "EUR", balance: "-0.500", rows: 2 },
          { currency: "JPY", balance: null, rows: 1, rows_without_balance: 1 },
          { currency: "USD", balance: "0.3", rows: 2 },
        ],
      });
    }
  });

  it("[C-4.20] sources come in the order asked, once each, oldest first when all are meant", async () => {
    const tenant = await newTenant(storage());
    const { status } = await tenant.connect({ created_at: later(-1), bank: "First" });
    const { errored } = status;
    const second = await tenant.connect({ bank: 'Se"cond', status: { ...status, pending: false, blocked: true } });
    const third = await tenant.connect({
      created_at: later(1),
      status: { ...status, pending: false, errored: { ...errored, product: { ...errored.product, portfolio: true } } },
    });
    await tenant.run(({ snapshots }) =>
      snapshots.publish({
        connection_id: third.connection_id,
        as_of: new Date("2026-02-03T04:05:06.007Z"),
        published_at: now,
        holdings: [],
      }),
    );
    const { reader } = storage();
    const all = await reader.holdings(tenant.tenant_id, holdingQuery());
    const rest = { pending: false, blocked: false, errored: false };
    const secondSource = {
      credentials_token: second.connection_id,
      bank: 'Se"cond',
      as_of: null,
      ...rest,
      blocked: true,
    };
    const thirdSource = {
      credentials_token: third.connection_id,
      bank: "Banco Ejemplo",
      as_of: "2026-02-03T04:05:06.007Z",
      ...rest,
    };
    expect(all).toMatchObject({ sources: [{ bank: "First", pending: true }, secondSource, thirdSource] });
    const asked = [third, second, third].map((one) => one.connection_id);
    const some = await reader.holdings(tenant.tenant_id, holdingQuery({ connection_ids: asked }));
    expect(some).toMatchObject({ sources: [thirdSource, secondSource] });
    const portfolios = await reader.portfolios(tenant.tenant_id, portfolioQuery({ connection_ids: asked }));
    expect(portfolios).toMatchObject({ sources: [{ ...thirdSource, as_of: null, errored: true }, secondSource] });
    const none = await reader.holdings(tenant.tenant_id, holdingQuery({ connection_ids: [] }));
    expect(none).toMatchObject({ kind: "page", items_json: "[]", total: 0, totals: [], sources: [] });
  });

  it("[C-4.21] errored follows the product that was read, and a failed login fails all", async () => {
    const tenant = await newTenant(storage());
    const { connection_id, status } = await tenant.connect();
    const { errored } = status;
    const { reader } = storage();
    const flags = async (changed: typeof errored) => {
      await tenant.run(({ connections }) =>
        connections.save(connection_id, { status: { ...status, errored: changed } }),
      );
      const pages = [
        await reader.portfolios(tenant.tenant_id, portfolioQuery()),
        await reader.holdings(tenant.tenant_id, holdingQuery()),
        await reader.transactions(tenant.tenant_id, transactionQuery()),
      ];
      return pages.map((page) => page.kind === "page" && page.sources[0]?.errored);
    };
    const product = (over: Partial<typeof errored.product>) => ({
      ...errored,
      product: { ...errored.product, ...over },
    });
    expect(await flags(product({ portfolio: true }))).toEqual([true, false, false]);
    expect(await flags(product({ investment: true }))).toEqual([false, true, false]);
    expect(await flags({ ...errored, transaction: { ...errored.transaction, investment: true } })).toEqual([
      false,
      false,
      true,
    ]);
    expect(await flags(product({ auth: true }))).toEqual([true, true, true]);
    expect(await flags(product({ account: true, card: true, liability: true, holders: true }))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("[C-4.12] unknown ids are named, credentials first", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const unknown = newId();
    const { reader } = storage();
    const connection_ids = [connection_id, unknown, unknown];
    const refused = { kind: "unknown", field: "credentials_token", ids: [unknown] };
    expect(await reader.portfolios(tenant.tenant_id, portfolioQuery({ connection_ids }))).toEqual(refused);
    expect(await reader.holdings(tenant.tenant_id, holdingQuery({ connection_ids, portfolio_id: newId() }))).toEqual(
      refused,
    );
    expect(await reader.transactions(tenant.tenant_id, transactionQuery({ connection_ids }))).toEqual(refused);
    expect(await reader.holdings(tenant.tenant_id, holdingQuery({ portfolio_id: unknown }))).toEqual({
      kind: "unknown",
      field: "portfolio_id",
      ids: [unknown],
    });
    expect(await reader.transactions(tenant.tenant_id, transactionQuery({ holding_id: unknown }))).toEqual({
      kind: "unknown",
      field: "investment_id",
      ids: [unknown],
    });
  });

  it("[C-4.42] a portfolio or holding is known by its own row, or by a row that names it, as of the revision read", async () => {
    const tenant = await newTenant(storage());
    const { connection_id } = await tenant.connect();
    const account = portfolio();
    const orphan = holding({ portfolio_id: newId() });
    const sold = newId();
    const movement = transaction({ holding_id: sold });
    const publish = (rows: object) =>
      tenant.run(({ snapshots }) => snapshots.publish({ connection_id, as_of: now, published_at: now, ...rows }));
    const { revision } = await publish({ portfolios: [account], holdings: [orphan], transactions: [movement] });
    const { reader } = storage();
    const holdings = (over: object) => reader.holdings(tenant.tenant_id, holdingQuery(over));
    const transactions = (over: object) => reader.transactions(tenant.tenant_id, transactionQuery(over));
    expect(await holdings({ portfolio_id: account.portfolio_id })).toMatchObject({ kind: "page", total: 0 });
    expect(await holdings({ portfolio_id: orphan.portfolio_id })).toMatchObject({ kind: "page", total: 1 });
    expect(await transactions({ holding_id: orphan.holding_id })).toMatchObject({ kind: "page", total: 0, totals: [] });
    expect(await transactions({ holding_id: sold })).toMatchObject({ kind: "page", total: 1 });
    await publish({ portfolios: [], holdings: [] });
    expect(await holdings({ portfolio_id: account.portfolio_id })).toMatchObject({ kind: "unknown" });
    expect(await transactions({ holding_id: orphan.holding_id })).toMatchObject({ kind: "unknown" });
    expect(await holdings({ portfolio_id: account.portfolio_id, revision })).toMatchObject({ kind: "page" });
    expect(await transactions({ holding_id: orphan.holding_id, revision })).toMatchObject({ kind: "page" });
    const elsewhere = await tenant.connect();
    const asked = { connection_ids: [elsewhere.connection_id], holding_id: sold };
    expect(await transactions(asked)).toMatchObject({ kind: "page", total: 0 });
  });
}

/** The items of a page; throws if the result is not a page. */
export function itemsOf(page: DataPage): readonly Record<string, unknown>[] {
  return JSON.parse(itemsText(page));
}

function itemsText(page: DataPage): string {
  if (page.kind !== "page") throw new Error(`expected a page, not ${JSON.stringify(page)}`);
  return page.items_json;
}
