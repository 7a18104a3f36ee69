-- The logins of docs/configuration.md, made when PostgreSQL starts for the first time. Change both passwords before, here and in *.env.
create role wealth_connect_owner login noinherit createrole password 'change-me-owner';
create database wealth_connect owner wealth_connect_owner;
\connect wealth_connect
alter schema public owner to wealth_connect_owner;
create role wealth_connect_login login noinherit password 'change-me-server';
