import type { DocumentFacts, LetterMove, LetterRecord } from "../ports/letter-store.js";
import type { TenantStores } from "../ports/storage.js";
import type { Vault } from "../ports/vault.js";
import type { LetterView } from "../schemas/letter.js";
import type { LetterDetails } from "../schemas/letter-details.js";
import type { MailView } from "../schemas/mail.js";
import { openDetails } from "./letter-documents.js";
import { mailRemarks } from "./letter-mail.js";
import { type ToDo, toDoOf } from "./letter-to-do.js";
import { mailView } from "./mails.js";

/** A letter as the API shows it. */
export function letterView(letter: LetterRecord): LetterView {
  return {
    id: letter.letter_id,
    connector_id: letter.connector_id,
    status: letter.status,
    labels: { ...letter.labels },
    connection_id: letter.connection_id,
    observations: letter.observations,
    created_at: letter.created_at.toISOString(),
    updated_at: letter.updated_at.toISOString(),
  };
}

/** A letter as an operator sees it. */
export interface OperatorLetter extends TenantLetter {
  /** The tenant's name. */
  readonly tenant: string;
  /** The custodian's name; the connector's id when the catalogue does not know it. */
  readonly custodian: string;
  /** Oldest first. */
  readonly history: readonly (HistoryEntry & {
    /** Of the application that acted, or what stands for one; null where nobody knows it any more. */
    readonly actor_name: string | null;
  })[];
}

type HistoryEntry = Omit<LetterMove, "at"> & { readonly at: string };

/** What the stores of its tenant know of a letter, for an operator. */
export interface TenantLetter extends LetterView {
  readonly tenant_id: string;
  readonly contact_info: Readonly<Record<string, string | undefined>>;
  /** Since when it has been in its status; RFC 3339. */
  readonly status_since: string;
  /** Of a generated letter, until it ends. */
  readonly details: LetterDetails | null;
  /** What is known of its documents, never what is in them. */
  readonly documents: readonly DocumentFacts[];
  /** Oldest first. */
  readonly mails: readonly MailView[];
  /** What an operator has to know or do, in words. */
  readonly remarks: readonly string[];
  readonly to_do: ToDo;
  /** Oldest first. */
  readonly history: readonly HistoryEntry[];
}

/**
 * Reads what an operator sees of a letter besides its record.
 * @param sendsMail whether mail is configured: a letter says when it is not
 */
export async function tenantLetterOf(
  stores: TenantStores,
  { vault, sendsMail }: { readonly vault: Vault; readonly sendsMail: boolean },
  tenant_id: string,
  letter: LetterRecord,
): Promise<TenantLetter> {
  const { letter_id } = letter;
  const history = await stores.letterMoves.history(letter_id);
  const mails = await stores.mails.ofLetter(letter_id);
  const sealed = await stores.letterDocuments.details(letter_id);
  return {
    ...letterView(letter),
    tenant_id,
    contact_info: letter.contact_info,
    status_since: letter.status_since.toISOString(),
    details: sealed === null ? null : await openDetails(vault, letter_id, sealed),
    documents: await stores.letterDocuments.documents(letter_id),
    mails: mails.map((mail) => mailView({ tenant_id, ...mail })),
    remarks: mailRemarks(letter, mails, sendsMail),
    to_do: toDoOf(letter, mails, sendsMail),
    history: history.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
  };
}
