import type { LetterEvent, LetterStatus } from "./statuses.js";

/**
 * What an event does in a status: `{to}` moves there, `{resume}` returns to the status before the block, which is one of the
 * listed ones, `{end}` ends the letter as `Discontinued` if it ever was Connected, else as `Cancelled`, and `{refused}` says why it
 * is refused.
 */
export type Transition =
  | { readonly to: LetterStatus }
  | { readonly resume: readonly LetterStatus[] }
  | { readonly end: readonly ["Cancelled", "Discontinued"] }
  | { readonly refused: "not the next step" | "not interruptible" | "not blocked" | "has ended" | "not discontinued" };

const next = <To extends LetterStatus>(to: To) => ({ to }) as const;
const out = { refused: "not the next step" } as const;
const ended = { refused: "has ended" } as const;

/** Refuses every step of the main line. Each status overrides the step that it allows. */
const noStep = {
  collect_details: out,
  generate: out,
  send_to_user: out,
  sign: out,
  send_to_custodian: out,
  accept: out,
  start_setup: out,
  await_data: out,
  connect: out,
} as const;

/** Default for statuses before the wait for the custodian's data, where nothing can be interrupted. */
const underWay = {
  ...noStep,
  block: { refused: "not interruptible" },
  resolve: { refused: "not blocked" },
  discontinue: next("Cancelled"),
  revoke: { refused: "not discontinued" },
} as const;

const over = {
  collect_details: ended,
  generate: ended,
  send_to_user: ended,
  sign: ended,
  send_to_custodian: ended,
  accept: ended,
  start_setup: ended,
  await_data: ended,
  connect: ended,
  block: ended,
  resolve: ended,
  discontinue: ended,
  revoke: ended,
} as const;

/** The table (S2 §3, contract §7). A letter that was never Connected ends as Cancelled, one that was as Discontinued. */
export const transitions = {
  NewRequest: { ...underWay, collect_details: next("UsersDetail") },
  UsersDetail: { ...underWay, generate: next("Generated") },
  Generated: { ...underWay, send_to_user: next("SentToUser") },
  SentToUser: { ...underWay, sign: next("Signed") },
  Signed: { ...underWay, send_to_custodian: next("SentToCustodian") },
  SentToCustodian: { ...underWay, accept: next("AcceptedByCustodian") },
  AcceptedByCustodian: { ...underWay, start_setup: next("ConnectionSetup") },
  ConnectionSetup: { ...underWay, await_data: next("WaitingForData") },
  WaitingForData: { ...underWay, connect: next("Connected"), block: next("Blocked") },
  Connected: { ...underWay, block: next("Blocked"), discontinue: next("Discontinued") },
  Blocked: {
    ...underWay,
    resolve: { resume: ["WaitingForData", "Connected"] },
    discontinue: { end: ["Cancelled", "Discontinued"] },
  },
  Cancelled: over,
  Discontinued: { ...over, revoke: next("Revoked") },
  Revoked: over,
} as const satisfies Record<LetterStatus, Record<LetterEvent, Transition>>;
