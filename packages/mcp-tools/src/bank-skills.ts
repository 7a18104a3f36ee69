import { type Skill, skillsExtension } from "./skills.js";

const connect: Skill = {
  name: "connect-a-bank",
  description:
    "Connect a bank, broker or custodian of the user, so that its accounts and holdings can be read. Use it when somebody wants to add or link a bank.",
  instructions: `# Connect a bank

1. Ask for the bank's name if you do not have it. svc-credentials says whether it is connected already: tell the user if it is.
2. svc-connectors with the name. If several match, or the countries differ, let the user choose. Leave out those that are not available.
3. svc-create-connect-session with the connector_id. Show the widget_url at once, as a link. It works once and for a limited time, and only the user opens it: never ask for a password or code of a bank, and do not open it yourself.
4. svc-session-status every few seconds, until status starts with "Finished:". If it says that the user has to do something, pass that on.
5. "Finished:OK": say which accounts svc-portfolios now shows with this connection. Otherwise explain error_code in plain words, and what next_step offers.

One bank at a time. Data of a new connection may take some minutes; sources says when it is there.`,
};

const repair: Skill = {
  name: "repair-bank-connections",
  description:
    "Find bank connections whose data are old or missing, say why, and have the user log in again where that helps. Use it when data are stale, a bank shows an error, or somebody asks whether all is well.",
  instructions: `# Repair bank connections

1. svc-credentials with attention_only=true lists the connections that need somebody, with the reason and next_action. None: say so, and stop.
2. Say in plain words which bank it is, what is wrong, and since when its data are old (as_of).
3. Where next_action is a login: svc-create-connect-session with connection_id = the credentials_token. Show the widget_url at once, as a link, and follow the session with svc-session-status until status starts with "Finished:". One bank at a time.
4. Where it is not: say that a login would not help, and what would.

Delete nothing: svc-delete-credentials is no repair, and what it removes is gone for good.`,
};

const review: Skill = {
  name: "review-investments",
  description:
    "Review what the user holds at which bank: totals by currency, the split by type, the largest holdings, and how fresh the data are. Use it for questions about a whole portfolio, or for an overview.",
  instructions: `# Review investments

1. svc-portfolios with totals_by=bank: the accounts, and the total of each bank.
2. svc-investments with sort=-balance, page_size=10, totals_by=type and fields=name,amount,balance,currency,bank: its totals are the split by type, its rows the ten largest.
3. Look at as_of and sources first: name every bank that is not up to date, with the age of its data, before any figure of it.
4. Then: totals per currency as the tools give them; the split by bank, and by type within each currency; the ten largest with bank, units and value; what stands out, such as a large share in one holding or in cash.

Never add amounts of different currencies, and do not read pages to add up: totals are over all rows. Give facts, no investment advice.`,
};

/** The skills of `/mcp`. They have other names than its prompts, which hosts list beside them. */
export const bankSkills = skillsExtension([connect, repair, review]);
