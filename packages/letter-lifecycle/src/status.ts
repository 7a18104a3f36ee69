/** The statuses of a letter (S2 §3): the main line from NewRequest to Connected, the interruption, the three ends. */
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

export type LetterStatus = (typeof letterStatuses)[number];

/** What can happen to a letter: the nine steps of the main line in their order, then what leaves it. */
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

export type LetterEvent = (typeof letterEvents)[number];
