-- A tenant's live grants, for a statement that issues another one: nobody else who asks issues one until it ends.
create function grants_used(p_tenant uuid, p_at timestamptz) returns bigint
language plpgsql
as $$
begin
  perform set_config('role', 'wealth_connect_auth', true);
  perform pg_advisory_xact_lock(hashtextextended('grants of ' || p_tenant, 0));
  return (
    select count(*) from grants g
    where g.tenant_id = p_tenant and g.ended_at is null and g.refresh_expires_at > p_at
  );
end
$$;
