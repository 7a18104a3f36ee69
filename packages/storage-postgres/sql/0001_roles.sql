-- Nobody logs in as these. The server's own login is a member of all three and takes one of them for each transaction:
--   wealth_connect_app     the rows of one tenant, enforced by row-level security
--   wealth_connect_upkeep  tenants, the catalogue, look-ups and clean-up across tenants
--   wealth_connect_auth    the authorization server's tables and the server's own keys
-- Roles belong to the whole cluster, so another database may have made them already, or be making them now.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['wealth_connect_app', 'wealth_connect_upkeep', 'wealth_connect_auth'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      begin
        execute format('create role %I nologin', role_name);
      exception
        when duplicate_object or unique_violation then null;
      end;
    end if;
    begin
      execute format('grant %I to current_user', role_name);
    exception
      -- An administrator made the roles and has granted them already; if not, the first transaction says so.
      when insufficient_privilege then null;
    end;
  end loop;
end
$$;
