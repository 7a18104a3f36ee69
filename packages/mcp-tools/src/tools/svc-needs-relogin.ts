import { reloginSchema } from "@org/core";
import { z } from "zod";
import { credentialsIcon } from "../icons.js";
import { credentialsToken, sameConnection } from "../parameters.js";
import { defineTool } from "../tool.js";

/** Tells whether the user has to log in at the bank again. */
export const svcNeedsRelogin = defineTool({
  name: "svc-needs-relogin",
  title: "Does a connection need a new login?",
  description:
    "Tell whether the user has to log in at the bank again, and why, in words with the next step. Use it when sources of a data tool say stale or error, or " +
    "when a user misses recent data. If needs_relogin is true, svc-create-connect-session with connection_id = this credentials_token starts the login; " +
    "if it is false, a login would not help.",
  icons: credentialsIcon,
  scope: "connections:read",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ credentials_token: credentialsToken, connection_id: sameConnection }),
  otherName: { name: "connection_id", of: "credentials_token" },
  output: reloginSchema,
  async run({ credentials }, actor, { credentials_token }) {
    const { needs_relogin, reasons } = await credentials.needsRelogin(actor, credentials_token);
    return JSON.stringify({ needs_relogin, reasons });
  },
});
