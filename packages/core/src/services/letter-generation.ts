import type { Vault } from "../ports/vault.js";
import type { LetterDetails } from "../schemas/letter-details.js";

/** What a generated letter is filled with. */
export interface LetterText {
  readonly letter_id: string;
  readonly connector_id: string;
  /** Name of the custodian. */
  readonly bank: string;
  readonly details: LetterDetails;
  /** The day of the letter. */
  readonly date: Date;
}

/**
 * Writes the letter as a PDF. Injected, so that core has no typesetter.
 * @throws CoreError VALIDATION_ERROR when a text has characters that cannot be printed
 */
export type LetterTemplate = (text: LetterText) => Promise<Uint8Array>;

/** Opens the details of a letter. */
export async function openDetails(vault: Vault, letterId: string, sealed: string): Promise<LetterDetails> {
  return JSON.parse(await vault.open(sealed, detailsContext(letterId)));
}

/** Seals the details of a letter. */
export function sealDetails(vault: Vault, letterId: string, details: LetterDetails): Promise<string> {
  return vault.seal(JSON.stringify(details), detailsContext(letterId));
}

const detailsContext = (letterId: string) => ({ purpose: "letter-details", row: letterId });
