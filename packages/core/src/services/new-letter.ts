import { auditEntry } from "../audit-entry.js";
import type { Actor } from "../ports/actor.js";
import type { LetterDocument, LetterRecord } from "../ports/letter-store.js";
import type { Runtime } from "../ports/runtime.js";
import type { TenantStores } from "../ports/storage.js";

/** What is known of a letter when it begins. */
export type LetterBeginning = Pick<
  LetterRecord,
  "letter_id" | "connector_id" | "status" | "labels" | "contact_info" | "created_at"
>;

/** Keeps a new letter with its documents and its first move; `event` is that of the move, `action` that of the audit trail. */
export async function keepNewLetter(
  { letters, audit }: Pick<TenantStores, "letters" | "audit">,
  runtime: Runtime,
  actor: Actor,
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
  const move = { move_id: runtime.newId(), letter_id, at, actor: actor.application_id, event, ...first };
  await letters.create(letter, documents, move);
  await audit.append(auditEntry(runtime, actor, action, "letter", letter_id, { connector_id }));
}
