import { randomUUID } from "node:crypto";
import { copyConnections } from "./copies.mjs";
import { connectionOf } from "./holdings.mjs";

const HOLDINGS = 20;
const MOVEMENTS = 72;
const DAYS = 3 * 365;
/** Prices stay the same for so long, so that this many days share what is stored of their holdings. */
const SAME_HOLDINGS_DAYS = 30;
const currencies = ["EUR", "USD", "CHF"];

/**
 * Connections of one tenant with three years of valuations, four in five weekly, the others daily, each with a depot of 20 holdings and 72 movements.
 * They belong to clients, five to each, `client-0` the first. Exchange rates of all days. @param client a superuser's client of `pg`
 */
export async function addWealthHistory({ storage, client, tenantId, connections }) {
  await client.query("set statement_timeout = 0");
  const daily = Math.floor(connections / 5);
  for (const [step, count] of [
    [7, connections - daily],
    [1, daily],
  ]) {
    const connection_id = await connectionWithHistory(storage, client, tenantId, step);
    if (count > 1) await copyConnections(client, tenantId, connection_id, 2, count);
  }
  await assignClients(client, tenantId);
  await client.query(
    `insert into exchange_rates (date, base, quote, rate, source)
     select d.date, 'EUR', q.quote, q.rate + extract(day from d.date) / 1000, 'bench'
     from generate_series(current_date - ${DAYS + 30}, current_date, interval '1 day') d (date),
       (values ('USD', 1.1), ('CHF', 0.95)) q (quote, rate)`,
  );
}

async function connectionWithHistory(storage, client, tenantId, step) {
  const connection = connectionOf(randomUUID());
  const { connection_id } = connection;
  const portfolio_id = randomUUID();
  const now = new Date();
  const today = now.toISOString().slice(0, 10);
  const account = { portfolio_id, name: "Depot", balance: "20000.00", currency: "EUR", ref_account: null, type: "F" };
  await storage.inTenant(tenantId, async ({ connections, snapshots }) => {
    await connections.create(connection);
    await snapshots.publish({
      ...{ connection_id, as_of: now, published_at: now, portfolios: [account] },
      digests: { portfolio: "p", investment: "i", transaction: "t" },
      holdings: Array.from({ length: HOLDINGS }, (_, index) => holding(index, portfolio_id, today)),
      transactions: Array.from({ length: MOVEMENTS }, (_, index) => movement(index, portfolio_id)),
      valuations: {
        ...{ read_at: now, arrival: 0, complete_on: today },
        accounts: [
          {
            ...{ ...account, is_cash: false, day: today, as_of: now, holdings: "shown" },
            source: { kind: "provider", provider: "sandbox" },
          },
        ],
      },
    });
  });
  const of = "where connection_id = $1";
  await client.query(`update transactions set read_at = operation_date + interval '6 hours' ${of}`, [connection_id]);
  await client.query(
    `insert into valuations (tenant_id, connection_id, portfolio_id, day, stated_at, arrival, balance, currency, value, content, source)
     select v.tenant_id, v.connection_id, v.portfolio_id, v.day - n, v.stated_at - n * interval '1 day', 0, v.balance - n, v.currency, v.value,
       md5((n / ${SAME_HOLDINGS_DAYS})::text)::uuid, v.source
     from valuations v, generate_series($2::integer, ${DAYS}, $2::integer) n ${of}`,
    [connection_id, step],
  );
  await client.query(
    `insert into valued_holdings (tenant_id, connection_id, portfolio_id, content, first_day, last_day, items, sums)
     select h.tenant_id, h.connection_id, h.portfolio_id, v.content, v.first_day, v.last_day, h.items, h.sums
     from valued_holdings h, (
       select content, min(day) as first_day, max(day) as last_day from valuations ${of} group by content
     ) v
     where h.connection_id = $1 and v.content <> h.content`,
    [connection_id],
  );
  return connection_id;
}

async function assignClients(client, tenantId) {
  await client.query("set session_replication_role = replica");
  await client.query(
    `update connections c set client_ref = 'client-' || o.number / 5
     from (select connection_id, row_number() over (order by connection_id) - 1 as number from connections where tenant_id = $1) o
     where c.tenant_id = $1 and c.connection_id = o.connection_id`,
    [tenantId],
  );
  await client.query(
    `insert into clients (tenant_id, client_ref, search_key, created_at)
     select distinct tenant_id, client_ref, client_ref, now() from connections where tenant_id = $1`,
    [tenantId],
  );
  await client.query("reset session_replication_role");
}

function holding(index, portfolio_id, today) {
  const number = String(index).padStart(10, "0");
  return {
    holding_id: randomUUID(),
    portfolio_id,
    name: `Global Equity Fund ${number} Accumulating`,
    isin: `LU${number}`,
    amount: "100.125000",
    balance: `${1_000 + index}.47`,
    currency: currencies[index % currencies.length],
    valuation_date: today,
    type: ["F", "VI", "FI", "ETF"][index % 4],
    subtype: null,
    facts: { price: "10.0145", cost: "900.00" },
  };
}

function movement(index, portfolio_id) {
  const day = new Date(Date.now() - Math.floor((index * DAYS) / MOVEMENTS + 1) * 86_400_000);
  return {
    transaction_id: randomUUID(),
    portfolio_id,
    holding_id: null,
    operation_date: day.toISOString().slice(0, 10),
    description: `Movement ${index}`,
    amount: index % 2 === 0 ? "2.000000" : null,
    balance: index % 2 === 0 ? "-200.00" : "12.34",
    currency: "EUR",
    unit_price: null,
    facts: { kind: index % 2 === 0 ? "buy" : "dividend" },
  };
}
