import { CONNECTOR } from "../seeded-tenant.mjs";
import { ofBank, q } from "./question.mjs";

const subject = "bank connections";
/** The first three accounts of a connection, as a person tells them apart: name and last four of the number. */
const accounts = `
  select jsonb_agg(jsonb_build_object('name', a.name, 'last_four', case when length(a.number) >= 4 then right(a.number, 4) end) order by a.ordinal)
  from account a where a.connection_id = c.id and a.ordinal < 3`;

/** @param alike the bank at which several connections look alike */
export const aboutConnections = ({ alike }) => [
  q(
    "Which of my banks need attention?",
    { subject, where: { attention: true }, want: "rows", pick: ["bank", "attention.state"] },
    `select bank, case
       when blocked then 'blocked'
       when needs_login then 'needs_relogin'
       when pending then 'pending'
       when portfolio_failed or investment_failed then 'incomplete'
       else 'consent_ends'
     end
     from connection
     where blocked or needs_login or pending or portfolio_failed or investment_failed or consent_expires_at < now() + interval '14 days'`,
    { row: "which of my banks need attention" },
  ),
  q(
    `I have several connections at ${alike}: which is which?`,
    { subject, where: { bank: alike }, want: "rows", pick: ["credentials_token", "accounts"] },
    `select id, (${accounts}) from connection c where bank = '${alike}'`,
    { row: "delete my connection at X: told apart" },
  ),
  q(
    "Do I have to log in again at Global Broker, and why?",
    {
      subject: "new login",
      each: ofBank("Global Broker"),
      want: "object",
      pick: ["needs_relogin", "reasons.code"],
    },
    "select needs_login, array['sca_required'] from connection where bank = 'Global Broker'",
  ),
  q(
    "Start the login that Caja Sur needs: who has to do what, and at which bank?",
    {
      subject: "new login",
      each: ofBank("Caja Sur"),
      afterwards: { subject: "how far a connect session is" },
      want: "object",
      pick: ["status", "connector_id"],
    },
    `select 'Waiting:ProvideCredentials', '${CONNECTOR}'`,
  ),
  q(
    "When was Caja Sur last updated?",
    {
      subject: "health of a bank connection",
      each: ofBank("Caja Sur"),
      want: "object",
      pick: ["last_update"],
    },
    "select last_update from connection where bank = 'Caja Sur'",
  ),
  q(
    "Delete my connection at Caja Sur.",
    { subject: "delete a bank connection", each: ofBank("Caja Sur"), want: "refusal", pick: ["bank", "accounts.name"] },
    "select c.bank, array(select a.name from account a where a.connection_id = c.id), true from connection c where c.bank = 'Caja Sur'",
    { row: "delete my connection at X: the refusal" },
  ),
];
