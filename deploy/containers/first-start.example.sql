-- The logins of docs/configuration.md, made when PostgreSQL starts for the first time, from a copy of this file with passwords of your own
-- (docs/deploy-containers.md).
create role wealth_connect_owner login noinherit createrole password 'change-me-owner';
create database wealth_connect owner wealth_connect_owner;
-- Others who may log in to this PostgreSQL have no business here: any of them could hold the locks that servers agree by.
revoke connect on database wealth_connect from public;
\connect wealth_connect
alter schema public owner to wealth_connect_owner;
create role wealth_connect_login login noinherit password 'change-me-server';
grant connect on database wealth_connect to wealth_connect_login;
