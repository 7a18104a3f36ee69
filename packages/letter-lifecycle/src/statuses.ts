/** Every status of a letter, in the order of S2 §3: the main line up to Connected, then the interruptions and ends. */
export const letterStatuses = [
  "NewRequest",
  "UsersDetail",
  "Generated",
  "SentToUser",
  "Signed",
  "SentToCustodian",
  "AcceptedByCustodian",
  "ConnectionSetup",
  "WaitingForData",
  "Connected",
  "Blocked",
  "Cancelled",
  "Discontinued",
  "Revoked",
] as const;

/** One of {@link letterStatuses}. */
export type LetterStatus = (typeof letterStatuses)[number];

/** Everything that can happen to a letter. The first nine are the steps of the main line. */
export const letterEvents = [
  "collect_details",
  "generate",
  "send_to_user",
  "sign",
  "send_to_custodian",
  "accept",
  "start_setup",
  "await_data",
  "connect",
  "block",
  "resolve",
  "discontinue",
  "revoke",
] as const;

/** One of {@link letterEvents}. */
export type LetterEvent = (typeof letterEvents)[number];
