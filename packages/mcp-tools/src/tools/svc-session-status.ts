import { type SessionErrorCode, type SessionView, sessionSchema } from "@org/core";
import { z } from "zod";
import { connectIcon } from "../icons.js";
import { sessionId } from "../parameters.js";
import { defineTool } from "../tool.js";

/** Reads the progress of a Connect session. */
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
    challenge_kind: sessionSchema.shape.challenge_kind.describe("What the bank asks for, while Waiting:Challenge."),
    next_step: z.string().optional().describe("Once it has finished: what that means, and what to do."),
  }),
  async run({ sessions }, actor, { session_id }) {
    const { session_id: _, ...status } = await sessions.status(actor, session_id);
    return JSON.stringify({ ...status, next_step: nextStepOf(status) });
  },
});

const again = "call svc-create-connect-session again and show the new widget_url";

/** What to tell the user and do next, by the error code of a failed session (contract §5). */
const afterFailure = {
  InvalidCredentials: `The bank refused the user name or password three times. If the user wants to try again, ${again}.`,
  InvalidChallengeResponse: `The code was wrong three times. If the user wants to try again, ${again}.`,
  UnsupportedChallengeMethod:
    "The bank asked for a confirmation that cannot be given here. Tell the user to choose another method at the bank, such as a code by SMS, first.",
  UserInteractionNeeded: `The bank wants the user to do something on its own site first, such as accepting new terms. After that, ${again}.`,
  AlreadyExists:
    "This bank login is connected already: connection_id is its credentials_token. Use that one; svc-needs-relogin tells whether it needs a new login.",
  AbortedByUser: `The user stopped. Only if they ask for it, ${again}.`,
  SessionExpired: `The user did not finish in time. If they still want to, ${again}.`,
  InternalError: `Something failed at the bank or on the way. Wait a few minutes, then ${again}.`,
} as const satisfies Record<SessionErrorCode, string>;

/** Returns how to proceed after a finished session; undefined while it is open. */
export function nextStepOf({ status, error_code }: Pick<SessionView, "status" | "error_code">): string | undefined {
  if (!status.startsWith("Finished:")) return undefined;
  if (status === "Finished:OK")
    return "The bank is connected: connection_id is its credentials_token. The first data may take a minute; read them with svc-portfolios.";
  return afterFailure[error_code ?? "InternalError"];
}
