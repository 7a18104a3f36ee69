import type { FilledLetter } from "./fill-template.js";
import { typeset, unprintable } from "./typeset.js";

/** A letter to write. */
export interface LetterToWrite {
  readonly letter: FilledLetter;
  /** The values in it, by the field that they come from. */
  readonly values: Readonly<Record<string, string>>;
  readonly date: Date;
}

/** A PDF, or the characters that cannot be printed, by field. */
export type WrittenLetter =
  | { readonly bytes: Uint8Array }
  | { readonly unprintable: readonly (readonly [field: string, characters: readonly string[]])[] };

/** Typesets a letter. A letter with boxes instead of a name would be worse than none. */
export async function writeLetter({ letter, values, date }: LetterToWrite): Promise<WrittenLetter> {
  const faults = Object.entries(values)
    .map(([field, text]) => [field, unprintable(text)] as const)
    .filter(([, characters]) => characters.length > 0);
  return faults.length > 0 ? { unprintable: faults } : { bytes: await typeset(letter, date) };
}
