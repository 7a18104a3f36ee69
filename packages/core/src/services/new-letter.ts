import { type AuditActor, auditEntry } from "../audit-entry.js";
import type { LetterDocument, LetterRecord } from "../ports/letter-store.js";
import type { TenantStores } from "../ports/storage.js";
import type { Surroundings } from "../ports/surroundings.js";

/** What is known of a letter when it begins. */
export type LetterBeginning = Pick<
  LetterRecord,
  "letter_id" | "connector_id" | "status" | "labels" | "contact_info" | "created_at"
>;

/** Keeps a new letter with its documents and its first move; `event` is that of the move, `action` that of the audit trail. */
export async function keepNewLetter(
  { letters, audit }: Pick<TenantStores, "letters" | "audit">,
  surroundings: Surroundings,
  actor: AuditActor,
  beginning: LetterBeginning,
  documents: readonly LetterDocument[],
  { event, action }: { event: string; action: string },
): Promise<void> {
  const { letter_id, connector_id, status, created_at: at } = beginning;
  const letter: LetterRecord = {
    ...beginning,
    previous_status: null,
    ever_connected: false,
    connection_id: null,
    observations: null,
    updated_at: at,
    status_since: at,
    version: 0,
  };
  const first = { from: null, to: status, note: null };
  const move = { move_id: surroundings.newId(), letter_id, at, actor: actor.application_id, event, ...first };
  await letters.create(letter, documents, move);
  await audit.append(auditEntry(surroundings, actor, action, "letter", letter_id, { connector_id }));
}
