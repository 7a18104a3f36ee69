import { auditEntry } from "../audit-entry.js";
import type { LetterRecord } from "../ports/letter-store.js";
import type { TenantStores } from "../ports/storage.js";
import type { Actor, Surroundings } from "../ports/surroundings.js";
import type { Vault } from "../ports/vault.js";
import type { Labels } from "../schemas/labels.js";
import type { ContactInfo } from "../schemas/letter.js";
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

/** Creates a letter that is still to be generated (S2 §1, the other entry point). */
export async function createRequest(
  stores: TenantStores,
  surroundings: Surroundings,
  actor: Actor,
  request: { connector_id: string; labels: Labels; contact_info: ContactInfo },
): Promise<LetterRecord> {
  const now = surroundings.clock();
  const letter: LetterRecord = {
    letter_id: surroundings.newId(),
    ...request,
    status: "NewRequest",
    previous_status: null,
    ever_connected: false,
    connection_id: null,
    observations: null,
    created_at: now,
    updated_at: now,
    status_since: now,
    version: 0,
  };
  const move = {
    move_id: surroundings.newId(),
    letter_id: letter.letter_id,
    at: now,
    actor: actor.application_id,
    event: "request",
    from: null,
    to: letter.status,
    note: null,
  };
  await stores.letters.create(letter, [], move);
  await stores.audit.append(
    auditEntry(surroundings, actor, "letter.request", "letter", letter.letter_id, {
      connector_id: letter.connector_id,
    }),
  );
  return letter;
}

/** Opens the details of a letter. */
export async function openDetails(vault: Vault, letterId: string, sealed: string): Promise<LetterDetails> {
  return JSON.parse(await vault.open(sealed, detailsContext(letterId)));
}

/** Seals the details of a letter. */
export function sealDetails(vault: Vault, letterId: string, details: LetterDetails): Promise<string> {
  return vault.seal(JSON.stringify(details), detailsContext(letterId));
}

const detailsContext = (letterId: string) => ({ purpose: "letter-details", row: letterId });
