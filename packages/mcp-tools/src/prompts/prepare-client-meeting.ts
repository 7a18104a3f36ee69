import { completeCredentialsToken } from "../completers.js";
import { dataIcon } from "../icons.js";
import { definePrompt, quoted } from "../prompt.js";

/** Makes a one-page briefing for an adviser before a meeting. */
export const prepareClientMeeting = definePrompt({
  name: "prepare-client-meeting",
  title: "Prepare a client meeting",
  description:
    "Make a one-page briefing: what the client holds, what has moved since a day, and which connections need attention.",
  icons: dataIcon,
  arguments: {
    client: {
      title: "Client",
      description: "Whom the meeting is with, as the briefing should name them.",
      required: true,
    },
    since: {
      title: "Since",
      description: "Day of the last meeting, as YYYY-MM-DD: movements from then on are listed.",
    },
    credentials_token: {
      title: "Connection",
      description: "The client's bank connection, when not all connections are the client's.",
      completer: completeCredentialsToken,
    },
  },
  text: ({ client, since, credentials_token }) => {
    const only = credentials_token === undefined ? "" : `, credentials_token=${quoted(credentials_token)}`;
    return [
      `Prepare a one-page briefing for a meeting with ${quoted(client ?? "")}.`,
      credentials_token === undefined
        ? "List the connections with svc-credentials first. If their labels tell whose they are, use only this client's, and say which those are; if they do not, ask me."
        : `Use only the connection ${quoted(credentials_token)}.`,
      `1. Wealth: accounts and totals per currency from svc-portfolios with totals_by=bank${only}; the ten largest holdings from svc-investments with sort=-balance, page_size=10${only}.`,
      `2. Movements${since === undefined ? " of the last three months" : ` since ${quoted(since)}`}: purchases, sales and income as the totals of svc-investment-transactions say, with totals_by=kind, page_size=10, start_date${since === undefined ? "" : `=${quoted(since)}`}${only}; its rows are the latest.`,
      "3. Attention: connections whose sources are not ok, and those of svc-credentials with attention_only=true, so that the client can log in again at the meeting.",
      "4. Three questions that these figures suggest asking. No investment advice, no figures that the tools did not give.",
    ].join("\n");
  },
});
