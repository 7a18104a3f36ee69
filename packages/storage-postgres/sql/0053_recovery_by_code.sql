-- Whoever has lost every key has an address and a code, and knows no tenant. Codes are keyed hashes of 80 random bits with the address.
create index people_recovery_codes_hash on people_recovery_codes (code_hash);

create function tenant_of_recovery_code(p_hash text) returns uuid
language sql stable security definer set search_path = public, pg_temp
as $$
  select tenant_id from people_recovery_codes where code_hash = p_hash
$$;
revoke all on function tenant_of_recovery_code from public;
grant execute on function tenant_of_recovery_code to wealth_connect_upkeep;
