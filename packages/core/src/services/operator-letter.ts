import { LetterTransitionError } from "@org/letter-lifecycle";
import { CoreError, invalid, invalidValue } from "../errors.js";
import type { DocumentFacts, LetterMove, LetterRecord } from "../ports/letter-store.js";
import type { Runtime } from "../ports/runtime.js";
import type { Storage, TenantStores } from "../ports/storage.js";
import { isStorableText } from "../schemas/identifier.js";
import type { LetterView } from "../schemas/letter.js";
import type { LetterDetails } from "../schemas/letter-details.js";
import type { MailView } from "../schemas/mail.js";
import { openDetails } from "./letter-generation.js";
import { mailRemarks } from "./letter-mail.js";
import { letterNotFound, locateLetter } from "./letter-moves.js";
import { letterView } from "./letters.js";
import { mailView } from "./mails.js";

/** A letter as an operator sees it. */
export interface OperatorLetter extends LetterView {
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
  /** Oldest first. */
  readonly history: readonly (Omit<LetterMove, "at"> & { readonly at: string })[];
}

/** What work on letters of any tenant needs. */
export interface OperatorLetterDeps {
  readonly storage: Storage;
  readonly runtime: Runtime;
  /** The name of a connector's bank. */
  readonly bankOf: (connectorId: string) => Promise<string | null>;
  /** Whether mail is configured: a letter says when it is not. */
  readonly sendsMail: boolean;
}

/**
 * Works on a letter in one transaction of its tenant and answers it as it is then.
 * @throws CoreError NOT_FOUND with message `LetterNotFound`, CONFLICT when the table refuses the move
 */
export async function onLetter(
  deps: OperatorLetterDeps,
  letterId: string,
  work: (stores: TenantStores, letter: LetterRecord, bank: string) => Promise<LetterRecord>,
): Promise<OperatorLetter> {
  const { tenant_id, letter_id, bank } = await locateLetter(deps, letterId);
  return deps.storage.inTenant(tenant_id, async (stores) => {
    const letter = await stores.letters.find(letter_id);
    if (!letter) throw letterNotFound();
    const result = await work(stores, letter, bank).catch((error: unknown) => {
      if (!(error instanceof LetterTransitionError)) throw error;
      throw new CoreError("CONFLICT", `a letter that is ${error.status} cannot be moved by ${error.event}`, {
        cause: error,
      });
    });
    return operatorLetter(deps, stores, tenant_id, result);
  });
}

async function operatorLetter(
  deps: OperatorLetterDeps,
  stores: TenantStores,
  tenant_id: string,
  letter: LetterRecord,
): Promise<OperatorLetter> {
  const history = await stores.letters.history(letter.letter_id);
  const mails = await stores.mails.ofLetter(letter.letter_id);
  const sealed = await stores.letters.details(letter.letter_id);
  return {
    ...letterView(letter),
    tenant_id,
    contact_info: letter.contact_info,
    status_since: letter.status_since.toISOString(),
    details: sealed === null ? null : await openDetails(deps.runtime.vault, letter.letter_id, sealed),
    documents: await stores.letters.documents(letter.letter_id),
    mails: mails.map((mail) => mailView({ tenant_id, ...mail })),
    remarks: mailRemarks(letter, mails, deps.sendsMail),
    history: history.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
  };
}

/** Refuses a text of an operator that is too long or cannot be stored. */
export function checkText(field: string, text: string | null | undefined): void {
  if (text != null && (text.length > 2_000 || !isStorableText(text)))
    throw invalid(invalidValue(field, "must be text of at most 2000 characters"));
}
