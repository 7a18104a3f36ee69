-- What a customer is told of a session beyond its error code, and whether its program asked for a language or left it to the browser.
-- A server of the version before writes neither: its sessions keep the language that they have.
alter table sessions add column remark text, add column language_given boolean;
