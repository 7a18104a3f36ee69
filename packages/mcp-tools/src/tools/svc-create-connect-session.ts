import { clientRefSchema } from "@org/core";
import { z } from "zod";
import { connectIcon } from "../icons.js";
import { connectionId, connectorIdArgument, language } from "../parameters.js";
import { defineTool } from "../tool.js";

/** Opens a Connect session: for a new connection, or to repair one. */
export const svcCreateConnectSession = defineTool({
  name: "svc-create-connect-session",
  title: "Start connecting a bank",
  description:
    "Start a Connect session in which the user logs in at a bank. Give exactly one of connector_id (a new connection, from svc-connectors) or " +
    "connection_id (a login again at a bank that is blocked or needs it; svc-needs-relogin tells). Show the widget_url of the answer to the user at once, " +
    "as it is: it works once and for a limited time. Only the user opens it; never ask for bank passwords or codes. Then poll svc-session-status. " +
    "Not to refresh data of a healthy connection, and not while another session for the same bank is open.",
  icons: connectIcon,
  scope: "connections:write",
  // Read-only in the specification's sense (S1 §1): it changes no connection and no data until the user has logged in at the bank.
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    connector_id: connectorIdArgument.optional(),
    connection_id: connectionId.optional(),
    client_ref: clientRefSchema
      .optional()
      .describe("The tenant's own reference of the client, if the user named one. Not with connection_id."),
    language: language.optional(),
  }),
  output: z.object({
    session_id: z.string().describe("Give it to svc-session-status."),
    widget_url: z.string().describe("For the user to open in a browser; single-use."),
    expires_at: z.string().describe("RFC 3339 time at which the session ends if nobody finishes it."),
    user_action: z
      .enum(["accept", "decline", "cancel"])
      .optional()
      .describe("What the user said when the client offered to open widget_url; left out: not asked."),
  }),
  urlForUser: ({ widget_url, session_id }) => ({
    url: String(widget_url),
    message: "Open this page to log in at your bank. It works once and for a limited time.",
    id: String(session_id),
  }),
  async run({ sessions }, actor, target) {
    const { session, widget_url } = await sessions.createFor(actor, target);
    return JSON.stringify({ session_id: session.session_id, widget_url, expires_at: session.expires_at });
  },
});
