import { expect, it } from "vitest";
import { summaryOf } from "./statement-spans.js";

it.each([
  ["begin", "BEGIN", null],
  ["rollback", "ROLLBACK", null],
  ["select; commit", "COMMIT", null],
  ["select; insert into events values ($1); commit", "COMMIT", null],
  ['select "letter_id" from "letters" where "tenant_id" = $1', "SELECT", "letters"],
  ["select search_holdings($1, $2)", "SELECT", "search_holdings"],
  ["select x.* from page_of($1) x", "SELECT", "page_of"],
  ['insert into "letters" ("a") values ($1)', "INSERT", "letters"],
  ["with due as (select * from mails for update skip locked) update mails set state = $1", "UPDATE", "mails"],
  ["with found as (select * from holdings) select * from found", "SELECT", "holdings"],
  ['delete from "sessions" where ctid in (select ctid from sessions)', "DELETE", "sessions"],
  ["select 'a secret', $1::text", "SELECT", null],
])("[C-7.26] %s is named %s %s, without values", (text, operation, target) => {
  expect(summaryOf(text)).toEqual({ operation, target });
});
