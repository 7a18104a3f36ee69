import type { AccessRefusal, Throttled } from "../port.js";

/** Why a read ends early, in the terms of the port: a fetch can return it. */
export type InterruptionReason =
  | { readonly refused: AccessRefusal }
  | { readonly throttled: Throttled }
  | { readonly pending: { readonly retry_after: number; readonly state: unknown } };

/** Ends a read because of an institution's answer, wherever in the read it comes. */
export class ReadInterrupted extends Error {
  override readonly name = "ReadInterrupted";
  readonly end: InterruptionReason;

  constructor(end: InterruptionReason) {
    super(`the institution interrupts this read: ${Object.keys(end).join()}`);
    this.end = end;
  }
}
