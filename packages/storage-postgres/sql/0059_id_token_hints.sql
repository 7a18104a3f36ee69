-- The ID token with which a person's session began, or was confirmed last, sealed: the provider wants to see it when they sign out (OpenID
-- Connect RP-Initiated Logout 1.0, section 2). It goes with the session. Sessions of before, and of servers of the version before, have none,
-- and sign out as they did.
alter table people_sessions add column id_token_hint text;
