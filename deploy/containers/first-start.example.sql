-- The logins of docs/reference/configuration.md, created when PostgreSQL first starts, from a copy of this file with your own passwords
-- (docs/how-to/deploy-containers.md).
create role wealth_connect_owner login noinherit createrole password 'change-me-owner';
create database wealth_connect owner wealth_connect_owner;
-- Other logins of this PostgreSQL must not connect: any of them could hold the locks with which servers coordinate.
revoke connect on database wealth_connect from public;
\connect wealth_connect
alter schema public owner to wealth_connect_owner;
create role wealth_connect_login login noinherit password 'change-me-server';
grant connect on database wealth_connect to wealth_connect_login;
