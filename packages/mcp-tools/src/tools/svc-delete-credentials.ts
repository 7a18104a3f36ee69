import { z } from "zod";
import { credentialsIcon } from "../icons.js";
import { credentialsToken } from "../parameters.js";
import { defineTool } from "../tool.js";

/** Deletes a bank connection permanently. */
export const svcDeleteCredentials = defineTool({
  name: "svc-delete-credentials",
  title: "Delete a bank connection",
  description:
    "Permanently delete one bank connection and everything stored for it: accounts, holdings, transactions. It cannot be undone. Call it only when the user " +
    "has asked for exactly this, after naming the bank and what will be lost and getting a clear yes; then pass confirm=true. One connection per yes. " +
    "Not for a connection that merely needs a new login: svc-create-connect-session repairs that.",
  icons: credentialsIcon,
  scope: "connections:delete",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    credentials_token: credentialsToken,
    // Anything but true means no (contract §4): it is answered as a missing confirmation, not as a type error.
    confirm: z
      .boolean()
      .default(false)
      .catch(false)
      .describe("Must be true; without it nothing is deleted. Only after the user's clear yes."),
  }),
  output: z.object({ message: z.string(), credentials_token: z.string() }),
  async questionFirst({ credentials }, actor, { credentials_token, confirm }) {
    if (!confirm) return null;
    const loss = await credentials.loss(actor, credentials_token);
    return {
      about: credentials_token,
      message: `Delete ${loss}? This cannot be undone.`,
      label: "Delete it for good",
    };
  },
  async run({ credentials }, actor, { credentials_token, confirm }) {
    const { bank } = await credentials.remove(actor, credentials_token, confirm);
    return JSON.stringify({
      message: `The connection to ${bank} and all data stored for it have been deleted.`,
      credentials_token,
    });
  },
});
