import { sessionSchema } from "@org/core";
import { z } from "zod";
import { connectIcon } from "../icons.js";
import { sessionId } from "../parameters.js";
import { nextStepOf } from "../session-outcome.js";
import { defineTool } from "../tool.js";

/** How far a Connect session is. */
export const svcSessionStatus = defineTool({
  name: "svc-session-status",
  title: "Follow a Connect session",
  description:
    "Read how far a Connect session is. Poll it every 5 seconds after svc-create-connect-session until status starts with Finished: Finished:OK means that " +
    "the bank is connected and connection_id is its credentials_token; after any other, next_step says in words what to do. While it is Waiting, the user " +
    "has to act on the page: say so rather than polling for minutes. Not for the health of an existing connection: svc-credential-status answers that.",
  icons: connectIcon,
  scope: "connections:read",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ session_id: sessionId }),
  output: sessionSchema.omit({ session_id: true }).extend({
    widget_url: sessionSchema.shape.widget_url.describe("The URL for the user while the session is open, then null."),
    connection_id: sessionSchema.shape.connection_id.describe(
      "The new or repaired connection; null until there is one.",
    ),
    error_code: sessionSchema.shape.error_code.describe(
      "Why it failed, or why the last attempt was refused; else null.",
    ),
    next_step: z.string().optional().describe("Once it has finished: what that means, and what to do."),
  }),
  async run({ sessions }, actor, { session_id }) {
    const { session_id: _, ...status } = await sessions.status(actor, session_id);
    return JSON.stringify({ ...status, next_step: nextStepOf(status) });
  },
});
