import type { FormFault } from "./form-faults.js";
import type { Messages } from "./messages/messages.js";

/** The faults of a form in words, for the page that it stood on; `field` is null where no field of the page is at fault. */
export function inWords(
  messages: Messages,
  faults: readonly FormFault[],
): { readonly field: string | null; readonly message: string }[] {
  const missing = new Map([
    ["username", messages.enterUsername],
    ["password", messages.enterPassword],
    ["answer", messages.enterAnswer],
  ]);
  return faults.map((fault) => {
    const enter = missing.get(fault.field);
    if (enter === undefined) return { field: null, message: messages.bankRefused };
    return { field: fault.field, message: fault.missing ? enter : messages.unusableValue };
  });
}
