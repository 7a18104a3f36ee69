import type { SessionErrorCode, SessionView } from "@org/core";

const again = "call svc-create-connect-session again and show the new widget_url";

/** What to tell the user and do next, by the reason for which a session failed (contract §5). */
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

/** How to go on after a session that has finished; undefined while it has not. */
export function nextStepOf({ status, error_code }: Pick<SessionView, "status" | "error_code">): string | undefined {
  if (!status.startsWith("Finished:")) return undefined;
  if (status === "Finished:OK")
    return "The bank is connected: connection_id is its credentials_token. The first data may take a minute; read them with svc-portfolios.";
  return afterFailure[error_code ?? "InternalError"];
}
