import { completeSessionConnectorId } from "../completers.js";
import { connectIcon } from "../icons.js";
import { definePrompt, quoted } from "../prompt.js";

/** Connects a bank, found by its name or its connector's id. */
export const connectBank = definePrompt({
  name: "connect-bank",
  title: "Connect a bank",
  description:
    "Find a bank in the catalogue, open a Connect session for it, and follow it until the bank is connected.",
  icons: connectIcon,
  arguments: {
    bank: { title: "Bank", description: "The bank's name, or a part of it." },
    connector_id: {
      title: "Connector",
      description: "The bank's connector_id, when it is known already.",
      completer: completeSessionConnectorId,
    },
  },
  text: ({ bank, connector_id }) =>
    [
      bank === undefined ? "I want to connect a bank." : `I want to connect my bank ${quoted(bank)}.`,
      connector_id === undefined
        ? `Find it with svc-connectors${bank === undefined ? ", after asking me for its name" : ""}. If several match, or the countries differ, let me choose; leave out those that are not available.`
        : `Its connector_id is ${quoted(connector_id)}.`,
      "First look with svc-credentials whether it is connected already, and tell me if it is.",
      "Then call svc-create-connect-session with the connector_id and show me the widget_url at once, as a link; I log in there myself, so never ask me for a bank password or code.",
      "Follow the session with svc-session-status until its status starts with Finished. On Finished:OK tell me which accounts svc-portfolios now shows for the new connection; otherwise explain the error_code and what I can do.",
    ].join("\n"),
});
