-- What only servers of the version before still need. Run by `migrate --contract`, and at once where there has been no version before.
-- The next release makes a numbered migration of it.
revoke select, update, delete on sessions from wealth_connect_upkeep;
revoke select, delete on snapshots, portfolios, holdings, idempotency_keys from wealth_connect_upkeep;
revoke select, insert, delete on letter_counts from wealth_connect_upkeep;
revoke select, update on tenant_revisions from wealth_connect_upkeep;
revoke delete on session_links, object_owners, mails from wealth_connect_upkeep;
drop policy if exists all_tenants on sessions;
drop policy if exists all_tenants on snapshots;
drop policy if exists all_tenants on portfolios;
drop policy if exists all_tenants on holdings;
drop policy if exists all_tenants on idempotency_keys;
drop policy if exists all_tenants on letter_counts;
drop trigger if exists set_connector on connection_refreshes;
drop function if exists set_refresh_connector();
drop function if exists hurry_refreshes(text[], text[], uuid, timestamptz, interval);
drop function if exists publish_snapshot(uuid, uuid, timestamptz, timestamptz, json, json, json, integer);
