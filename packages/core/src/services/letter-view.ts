import { systemActor } from "../ports/actor.js";
import type { DocumentFacts, LetterMove, LetterRecord } from "../ports/letter-store.js";
import type { TenantStores } from "../ports/storage.js";
import type { OwnProfile } from "../ports/tenant-profile-store.js";
import type { Vault } from "../ports/vault.js";
import type { LetterView } from "../schemas/letter.js";
import type { LetterDetails } from "../schemas/letter-details.js";
import type { MailView } from "../schemas/mail.js";
import { type LetterText, openDetails } from "./letter-documents.js";
import { mailRemarks } from "./letter-mail.js";
import { type ToDo, toDoOf } from "./letter-to-do.js";
import { mailView } from "./mails.js";
import { type PossibleMove, possibleMoves } from "./planned-moves.js";

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
  /** Goes up with every change: given back with a change, that is refused where somebody made another meanwhile. */
  readonly version: number;
  /** What an operator may do to move it now. */
  readonly moves: readonly PossibleMove[];
  /** Oldest first. */
  readonly history: readonly HistoryEntry[];
}

/** Whom a generated letter of this tenant authorizes: by its legal name where that is known. */
export function authorizedBy(profile: OwnProfile | null): LetterText["authorized"] {
  const { legal_name = null, display_name = null, name = "", postal_address = null } = profile ?? {};
  return { name: legal_name ?? display_name ?? name, address: postal_address ?? [] };
}

/** What is missing for a letter that is to be written, or has been, to name who is authorized. */
async function authorizedRemarks({ profile }: TenantStores, { status }: LetterRecord): Promise<string[]> {
  if (!namingStatuses.has(status)) return [];
  const found = await profile.find();
  const missing = [
    ...(found?.legal_name == null ? ["legal name (--legal-name)"] : []),
    ...(found?.postal_address == null ? ["postal address (--address)"] : []),
  ];
  if (missing.length === 0) return [];
  const { name } = authorizedBy(found);
  return [`the tenant has no ${missing.join(" and no ")}: the letter authorizes ${name}; see tenants update`];
}

/** Statuses of a letter that is to be written, or may still be written anew. */
const namingStatuses: ReadonlySet<LetterRecord["status"]> = new Set(["NewRequest", "UsersDetail", "Generated"]);

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
    remarks: [...(await authorizedRemarks(stores, letter)), ...mailRemarks(letter, mails, sendsMail)],
    to_do: toDoOf(letter, mails, sendsMail),
    version: letter.version,
    moves: possibleMoves(letter),
    history: history.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
  };
}

/** Ids of the applications that acted on a letter. */
export function applicationsIn({ history }: TenantLetter): readonly string[] {
  return [...new Set(history.map(({ actor }) => actor))].filter((actor) => !(actor in standIns));
}

/** A letter with the names of whatever it refers to; `applications` are by their ids. */
export function withNames(
  letter: TenantLetter,
  names: {
    readonly tenant: string;
    readonly custodian: string;
    readonly applications: ReadonlyMap<string, string> | undefined;
  },
): OperatorLetter {
  const { tenant, custodian, applications } = names;
  const nameOf = (actor: string) => standIns[actor] ?? applications?.get(actor) ?? null;
  const history = letter.history.map((entry) => ({ ...entry, actor_name: nameOf(entry.actor) }));
  return { ...letter, tenant, custodian, history };
}

/** Who acts without being an application. */
const standIns: Readonly<Record<string, string>> = {
  [systemActor.application_id]: "the service itself",
  customer: "the bank customer",
};
