import { CoreError, type Uuid } from "@org/core";
import type { World } from "./world.js";

export const pdf = (text = ""): string => Buffer.from(`%PDF-1.7\n${text}\n%%EOF\n`).toString("base64");

export const submission = (more: object = {}) => ({ connector_id: "fra:custody", data: pdf(), ...more });

type Letters = Pick<World, "letters" | "letterOperations" | "alice" | "operator">;

/** Submits a signed letter for alice's tenant; returns its id. */
export async function submitTo({ letters, alice }: Letters, more: object = {}): Promise<Uuid> {
  return (await letters.createSigned(alice, submission(more), null)).letter_id;
}

/** Advances a letter step by step until it has the status. */
export async function advanceIn({ letterOperations, operator }: Letters, letterId: Uuid, status: string) {
  for (;;) {
    const letter = await letterOperations.advance(operator, letterId, {});
    if (letter.status === status) return letter;
  }
}

/** Returns code, message and faults if `work` fails with a CoreError, any other error unchanged, and null if it succeeds. */
export async function failure(work: Promise<unknown>) {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof CoreError
    ? {
        code: error.code,
        message: error.message,
        fields: error.details?.map((fault) => [fault.field, fault.error_type]),
      }
    : error;
}
