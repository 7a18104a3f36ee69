import { completeCredentialsToken } from "../completers.js";
import { connectIcon } from "../icons.js";
import { definePrompt, quoted } from "../prompt.js";

/** Finds out why a connection delivers no data, and has the user log in again if that helps. */
export const repairConnection = definePrompt({
  name: "repair-connection",
  title: "Repair a connection",
  description: "Find the bank connections that need a new login, say why, and open the session that repairs them.",
  icons: connectIcon,
  arguments: {
    credentials_token: {
      title: "Connection",
      description: "The credentials_token of the connection; left out: all of them are looked at.",
      completer: completeCredentialsToken,
    },
  },
  text: ({ credentials_token }) =>
    [
      credentials_token === undefined
        ? "Some of my bank connections may need a repair. svc-credentials with attention_only=true says which, why and what to do about each."
        : `My bank connection ${quoted(credentials_token)} may need a repair. Ask svc-needs-relogin about it, and svc-credential-status since when its data has not been updated (last_update).`,
      "Tell me in plain words which bank it is and what is wrong.",
      "Where a new login is needed, call svc-create-connect-session with connection_id = that credentials_token, show me the widget_url at once as a link, and follow the session with svc-session-status until its status starts with Finished. One bank at a time.",
      "Where it is not, say that a new login would not help. Delete nothing: svc-delete-credentials is not a repair.",
    ].join("\n"),
});
