-- How the last try that failed ended, whatever was delivered since. Servers of the version before do not write it.
alter table webhook_endpoints
  add column last_failed_at timestamptz,
  add column last_failed_status integer,
  add column last_failed_error text;
