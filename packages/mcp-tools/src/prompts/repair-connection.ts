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
        ? "Some of my bank connections may need a repair. List those that need somebody with svc-credentials (attention_only=true); ask svc-needs-relogin about each that is blocked or needs_relogin."
        : `My bank connection ${quoted(credentials_token)} may need a repair. Ask svc-needs-relogin about it.`,
      "Tell me in plain words which bank it is, what is wrong, and since when its data has not been updated (last_update of svc-credential-status).",
      "Where needs_relogin is true, call svc-create-connect-session with connection_id = that credentials_token, show me the widget_url at once as a link, and follow the session with svc-session-status until its status starts with Finished. One bank at a time.",
      "Where it is false, say that a new login would not help. Delete nothing: svc-delete-credentials is not a repair.",
    ].join("\n"),
});
