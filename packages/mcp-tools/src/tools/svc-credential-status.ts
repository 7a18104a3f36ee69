import { credentialStatusSchema } from "@org/core";
import { z } from "zod";
import { credentialsIcon } from "../icons.js";
import { credentialsToken, sameConnection } from "../parameters.js";
import { defineTool } from "../tool.js";

/** Reads the health of one bank connection. */
export const svcCredentialStatus = defineTool({
  name: "svc-credential-status",
  title: "Check a bank connection",
  description:
    "Read the health of one bank connection in detail: whether its first extraction is pending, whether it is blocked, what failed last, when it was " +
    "updated, when the consent ends. Use it to explain how old or complete data is. To learn whether the user has to log in again, and why, ask " +
    "svc-needs-relogin, which answers in words. For many connections at once: svc-credentials with include_status=true.",
  icons: credentialsIcon,
  scope: "connections:read",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ credentials_token: credentialsToken, connection_id: sameConnection }),
  otherName: { name: "connection_id", of: "credentials_token" },
  output: credentialStatusSchema.extend({
    errored: z.object({}).describe("What failed last: by product and transaction, each true or false."),
    created: z.object({}).describe("The same of what has been read at least once."),
  }),
  async run({ credentials }, actor, { credentials_token }) {
    return JSON.stringify(await credentials.status(actor, credentials_token));
  },
});
