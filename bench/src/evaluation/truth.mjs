import pg from "pg";

/** Data that no bank has confirmed for longer than this are stale (`STALE_AFTER_DAYS`). */
const STALE_AFTER = "interval '5 days'";

/**
 * What the tables hold at present, under names of the questions: `connection`, `account`, `holding`, `movement` and `bank_in_catalogue`. A tenant's id
 * is `$1`. Written from the table definitions alone, and shares no statement with the product.
 */
const tables = `
  with connection as (
    select c.connection_id as id, c.bank, c.created_at, c.status ->> 'last_update' as last_update, c.pending, c.blocked,
      coalesce(c.status ->> 'sca_token', '') <> '' or coalesce(c.status ->> 'reset_token', '') <> ''
        or (c.status #>> '{errored,product,auth}')::boolean as needs_login,
      coalesce(c.status ->> 'sca_token', '') <> '' as needs_factor,
      (c.status #>> '{errored,product,auth}')::boolean as is_refused,
      (c.status #>> '{errored,product,portfolio}')::boolean as portfolio_failed,
      (c.status #>> '{errored,product,investment}')::boolean as investment_failed,
      r.consent_expires_at
    from connections c left join connection_refreshes r using (tenant_id, connection_id)
    where c.tenant_id = $1
  ), latest as (
    select connection_id, product, revision, as_of from snapshots where tenant_id = $1 and until_revision is null
  ), account as (
    select p.portfolio_id as id, p.connection_id, c.bank, p.name, p.balance, p.currency, p.type, p.ordinal,
      regexp_replace(coalesce(p.ref_account, ''), '[^A-Za-z0-9]', '', 'g') as number, s.as_of
    from portfolios p
    join latest s on s.product = 'portfolio' and s.connection_id = p.connection_id and s.revision = p.revision
    join connection c on c.id = p.connection_id
    where p.tenant_id = $1
  ), holding as (
    select h.holding_id as id, h.connection_id, h.portfolio_id, c.bank, h.name, h.isin, h.amount, h.balance, h.currency,
      h.valuation_date, h.type, h.subtype, h.is_notional, case when h.is_notional then null else h.balance end as worth
    from holdings h
    join latest s on s.product = 'investment' and s.connection_id = h.connection_id and s.revision = h.revision
    join connection c on c.id = h.connection_id
    where h.tenant_id = $1
  ), movement as (
    select t.transaction_id as id, t.connection_id, t.portfolio_id, t.holding_id, c.bank, t.operation_date, t.description,
      t.balance, t.currency, t.facts::jsonb ->> 'kind' as kind, t.facts::jsonb #>> '{identifiers,isin}' as isin
    from transactions t join connection c on c.id = t.connection_id
    where t.tenant_id = $1
  ), freshness as (
    select c.id, c.bank, case
      when s.as_of is null and c.pending then 'pending'
      when s.as_of is null then 'error'
      when c.blocked or c.needs_login or c.investment_failed or s.as_of < now() - ${STALE_AFTER} then 'stale'
      else 'ok'
    end as state
    from connection c left join latest s on s.connection_id = c.id and s.product = 'investment'
  ), bank_in_catalogue as (
    select connector_id as id, name, countries, available, $1::uuid as asked_by from connectors
  )`;

/** Computes answers from the database, each a list of rows as lists of their columns. Days are text, and numbers decimal text. */
export async function openTruth(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const asText = (text) => text;
  // 1082 are days, 20 counts.
  const types = { getTypeParser: (oid) => (oid === 1082 ? asText : oid === 20 ? Number : pg.types.getTypeParser(oid)) };
  return {
    async rows(tenantId, statement) {
      const text = `${tables} ${statement}`;
      const { rows } = await client.query({ text, values: [tenantId], rowMode: "array", types });
      return rows;
    },
    end: () => client.end(),
  };
}
