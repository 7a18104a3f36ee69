import { type LetterStatus, letterStatuses } from "@org/letter-lifecycle";
import { systemActor } from "../ports/actor.js";
import type { Vault } from "../ports/vault.js";
import type { LetterView } from "../schemas/letter.js";
import type { MailKind, MailView } from "../schemas/mail.js";
import type { OwnProfile } from "../tenants/tenant-profile-store.js";
import type { LetterDetails } from "./letter-details.js";
import { type LetterText, openDetails } from "./letter-documents.js";
import { factsOfStatus, letterFacts } from "./letter-facts.js";
import { mailRemarks, mailView, type Remark } from "./letter-mail.js";
import type { DocumentFacts, LetterMove, LetterRecord } from "./letter-store.js";
import { undoableMove } from "./letter-undo.js";
import type { MailRecord } from "./mail-store.js";
import { type LetterWithEffects, type PossibleMove, possibleMoves } from "./operator-moves.js";
import type { LetterStores } from "./storage.js";

/** Returns a letter as the API shows it. */
export function letterView(letter: LetterRecord): LetterView {
  return {
    id: letter.letter_id,
    connector_id: letter.connector_id,
    status: letter.status,
    labels: { ...letter.labels },
    client_ref: letter.client_ref,
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
  /** The custodian's name, or the connector's id if the catalogue does not have it. */
  readonly custodian: string;
  /** Oldest first. */
  readonly history: readonly (HistoryEntry & {
    /** Name of the application that acted, or what stands in for one; null when the name is no longer known. */
    readonly actor_name: string | null;
  })[];
}

interface LetterUndo {
  readonly mail_id: string;
  /** The status that the letter would have again. */
  readonly to: LetterStatus;
  readonly until: string;
}

type HistoryEntry = Omit<LetterMove, "at"> & { readonly at: string };

/** What an operator sees of a letter that the tenant's stores know. */
export interface TenantLetter extends LetterView {
  readonly tenant_id: string;
  readonly client_name: string | null;
  readonly contact_info: Readonly<Record<string, string | undefined>>;
  /** When it entered its status; RFC 3339. */
  readonly status_since: string;
  /** Only of a generated letter, until it ends. */
  readonly details: LetterDetails | null;
  /** Facts about its documents, never their contents. */
  readonly documents: readonly DocumentFacts[];
  /** Oldest first. */
  readonly mails: readonly MailView[];
  readonly remarks: readonly Remark[];
  readonly to_do: ToDo;
  /** Increases with every change. A change that sends an outdated version is refused. */
  readonly version: number;
  /** The moves that an operator can make now. */
  readonly moves: readonly PossibleMove[];
  /** The last move, while it can be undone together with its mail; `until` is when the mail leaves, RFC 3339. */
  readonly undo: LetterUndo | null;
  /** Oldest first. */
  readonly history: readonly HistoryEntry[];
}

/** Returns whom a generated letter of this tenant authorizes: the tenant's legal name if known, else its display name or name. */
export function authorizedBy(profile: OwnProfile | null): LetterText["authorized"] {
  const { legal_name = null, display_name = null, name = "", postal_address = null } = profile ?? {};
  return { name: legal_name ?? display_name ?? name, address: postal_address ?? [] };
}

/** Remarks about what the tenant's profile lacks to be named in a letter that is to be generated or was generated. */
async function authorizedRemarks({ profile }: LetterStores, { status }: LetterRecord): Promise<Remark[]> {
  if (!namingStatuses.has(status)) return [];
  const found = await profile.find();
  const missing = [
    ...(found?.legal_name == null ? ["legal name"] : []),
    ...(found?.postal_address == null ? ["postal address"] : []),
  ];
  if (missing.length === 0) return [];
  const { name } = authorizedBy(found);
  const code =
    missing.length > 1 ? "no_name_nor_address" : found?.legal_name == null ? "no_legal_name" : "no_postal_address";
  return [{ code, what: `the tenant has no ${missing.join(" and no ")}: the letter authorizes ${name}`, detail: name }];
}

/** Statuses in which the letter is still to be generated, or may be generated again. */
const namingStatuses: ReadonlySet<LetterRecord["status"]> = new Set(["NewRequest", "UsersDetail", "Generated"]);

/**
 * Reads what an operator sees of a letter besides its record.
 * @param sendsMail whether mail is configured; if not, affected letters say so
 */
export async function tenantLetterOf(
  stores: LetterStores,
  { vault, sendsMail, now }: { readonly vault: Vault; readonly sendsMail: boolean; readonly now: Date },
  tenant_id: string,
  letter: LetterRecord,
): Promise<TenantLetter> {
  const { letter_id } = letter;
  const history = await stores.letterMoves.history(letter_id);
  const found = await withEffects(stores, vault, letter);
  const { mails, details, documents } = found;
  const undoable = undoableMove(letter, history, mails, now);
  return {
    ...letterView(letter),
    tenant_id,
    client_name: letter.client_ref === null ? null : ((await stores.clients.find(letter.client_ref))?.name ?? null),
    contact_info: letter.contact_info,
    status_since: letter.status_since.toISOString(),
    details,
    documents,
    mails: mails.map((mail) => mailView({ tenant_id, ...mail })),
    remarks: [...(await authorizedRemarks(stores, letter)), ...mailRemarks(letter, mails, sendsMail)],
    to_do: toDoOf(letter, mails, sendsMail),
    version: letter.version,
    moves: possibleMoves(found),
    undo: undoable && {
      mail_id: undoable.mail.mail_id,
      to: undoable.move.from,
      until: undoable.mail.due_at.toISOString(),
    },
    history: history.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
  };
}

/** Reads what the moves of a letter have an effect on. */
export async function withEffects(
  stores: LetterStores,
  vault: Vault,
  letter: LetterRecord,
): Promise<LetterWithEffects> {
  const { letter_id } = letter;
  const mails = await stores.mails.ofLetter(letter_id);
  const sealed = await stores.letterDocuments.details(letter_id);
  const details = sealed === null ? null : await openDetails(vault, letter_id, sealed);
  return { letter, mails, details, documents: await stores.letterDocuments.documents(letter_id) };
}

/** Returns the ids of the applications that acted on a letter. */
export function applicationsIn({ history }: TenantLetter): readonly string[] {
  return [...new Set(history.map(({ actor }) => actor))].filter((actor) => !(actor in standIns));
}

/** Adds the names of everything a letter refers to; `applications` maps ids to names. */
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

/** Names of actors that are not applications. */
const standIns: Readonly<Record<string, string>> = {
  [systemActor.application_id]: "the service itself",
  customer: "the bank customer",
};

/** Who has to act next. `service` is this installation, which acts without an operator. */
export const letterParties = ["operator", "client", "custodian", "service", "nobody"] as const;

/** What can be next about a letter, for readers that have words of their own for it. */
export const letterToDoCodes = [
  "collect_details",
  "generate",
  "send_to_client",
  "sign",
  "send_to_custodian",
  "accept",
  "start_setup",
  "finish_setup",
  "send_file",
  "nothing",
  "resolve",
  "deliver_notice",
  "ended",
  "unmailed_signature_request",
  "unmailed_authorization_letter",
  "unmailed_revocation_notice",
  "client_mail_failed",
  "custodian_mail_failed",
  "mail_in_doubt",
  "mail_waits",
] as const;

/** What has to be done next about a letter, and by whom. */
export interface ToDo {
  readonly by: (typeof letterParties)[number];
  readonly code: (typeof letterToDoCodes)[number];
  /** In English, with the commands that do it. */
  readonly what: string;
}

/** What has to be done next in each status when nothing went wrong. Commands are those of `wealth-connect`. */
export const letterToDo: Readonly<Record<LetterStatus, ToDo>> = {
  NewRequest: { by: "operator", code: "collect_details", what: "collect the client's details (letters details)" },
  UsersDetail: {
    by: "operator",
    code: "generate",
    what: "check the details and generate the letter (letters advance)",
  },
  Generated: { by: "operator", code: "send_to_client", what: "send the letter to the client (letters advance)" },
  SentToUser: { by: "client", code: "sign", what: "sign the letter and send it back; then attach it (letters sign)" },
  Signed: { by: "operator", code: "send_to_custodian", what: "send the letter to the custodian (letters advance)" },
  SentToCustodian: { by: "custodian", code: "accept", what: "accept the letter; then note it (letters advance)" },
  AcceptedByCustodian: {
    by: "operator",
    code: "start_setup",
    what: "begin the setup with the custodian (letters advance)",
  },
  ConnectionSetup: { by: "operator", code: "finish_setup", what: "finish the setup (letters advance)" },
  WaitingForData: { by: "custodian", code: "send_file", what: "send the first file, which connects the letter" },
  Connected: { by: "nobody", code: "nothing", what: "nothing: the custodian sends files" },
  Blocked: { by: "operator", code: "resolve", what: "find out why no data comes, then resume (letters resolve)" },
  Cancelled: { by: "nobody", code: "ended", what: "nothing: it has ended" },
  Discontinued: {
    by: "service",
    code: "deliver_notice",
    what: "deliver the notice to the custodian, which ends the letter",
  },
  Revoked: { by: "nobody", code: "ended", what: "nothing: it has ended" },
};

/**
 * Returns what has to be done next about this letter: what {@link letterToDo} says, unless the mail that its status calls for was
 * not sent.
 * @param sendsMail whether mail is configured
 */
export function toDoOf(
  { status }: Pick<LetterRecord, "status">,
  mails: readonly MailRecord[],
  sendsMail: boolean,
): ToDo {
  const kind = factsOfStatus(status).mail;
  if (kind === null) return letterToDo[status];
  const sent = mails.filter((mail) => mail.kind === kind && mail.state !== "withdrawn").at(-1);
  if (sent === undefined) return { by: "operator", code: `unmailed_${kind}`, what: unmailed[kind] };
  if (sent.state === "failed" && kind === "signature_request")
    return {
      by: "operator",
      code: "client_mail_failed",
      what: `the mail failed: send it to another address (mails retry ${sent.mail_id} --to …)`,
    };
  if (sent.state === "failed")
    return {
      by: "operator",
      code: "custodian_mail_failed",
      what: "the mail failed: correct the address (letters contacts --banker-email … --mail)",
    };
  if (sent.state === "in_doubt")
    return {
      by: "operator",
      code: "mail_in_doubt",
      what: `ask whether the mail arrived (mails confirm, retry or withdraw ${sent.mail_id})`,
    };
  if (sent.state === "queued" && !sendsMail)
    return {
      by: "operator",
      code: "mail_waits",
      what: "mail is not configured (SMTP_URL), and this one waits: send it yourself",
    };
  return letterToDo[status];
}

/** What an operator has to do when no mail was queued. */
const unmailed: Readonly<Record<MailKind, string>> = {
  signature_request: "not mailed: hand the letter to the client yourself; attach it when it is back (letters sign)",
  authorization_letter:
    "not mailed: give an address (letters contacts --banker-email … --mail), or send the letter yourself",
  revocation_notice: "not mailed: tell the custodian yourself, then letters advance; or letters contacts --mail",
};

/** Statuses that need attention when the given mail is missing; null means the status (Blocked) always needs attention. */
export const missingForMove: Readonly<Partial<Record<LetterStatus, MailKind | null>>> = {
  ...Object.fromEntries(
    letterStatuses.flatMap((status) => {
      const { mail } = letterFacts[status];
      return mail === null ? [] : [[status, mail]];
    }),
  ),
  Blocked: null,
};
