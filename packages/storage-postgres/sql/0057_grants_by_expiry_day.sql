-- An exchange of a refresh token changes when its grant was issued last and until when it is good. An index on either makes PostgreSQL write
-- all indexes of the table with each exchange. The day of the expiry, in UTC, changes once a day at most: what is indexed stays as
-- it is, and the row is written alone (a HOT update), for which its page keeps some room.
-- A trigger sets the day, so that functions and servers of the version before need not know of it. Grants of before have none until their
-- next exchange, and are looked at with those that expire first.
alter table grants add column expires_on date;
alter table grants set (fillfactor = 85);

create function set_expiry_day() returns trigger language plpgsql as $$
begin
  new.expires_on := (new.refresh_expires_at at time zone 'UTC')::date;
  return new;
end
$$;

create trigger set_expiry_day before insert or update of refresh_expires_at on grants for each row
  when (new.expires_on is distinct from (new.refresh_expires_at at time zone 'UTC')::date)
  execute function set_expiry_day();

create index grants_to_expire on grants (coalesce(expires_on, '-infinity'::date));
drop index grants_to_reap;
