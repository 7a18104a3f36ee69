import { hasEnded, isTerminal, type LetterEvent, LetterTransitionError, nextStatus } from "@org/letter-lifecycle";
import { auditEntry } from "../audit-entry.js";
import { createConnection, removeConnection, saveConnection } from "../connections/connection-changes.js";
import type { ConnectionRecord } from "../connections/connection-store.js";
import { versionConflict } from "../content-version.js";
import { CoreError } from "../errors.js";
import type { Actor } from "../ports/actor.js";
import type { Runtime } from "../ports/runtime.js";
import { pendingStatus } from "../schemas/credential-status.js";
import { type EventData, type EventType, type NewEvent, shownLabels } from "../schemas/event.js";
import type { Uuid } from "../schemas/identifier.js";
import type { ContactInfo } from "../schemas/letter.js";
import type { Directory } from "../tenants/directory.js";
import type { Limits } from "../tenants/limits.js";
import { tenantLimitRefusal } from "../tenants/tenant-limits.js";
import { queueMail } from "./letter-mail.js";
import type { LetterDocument, LetterRecord } from "./letter-store.js";
import type { LetterStorage, LetterStores } from "./storage.js";

/** What a move brings along. */
export interface LetterChange {
  readonly note?: string | undefined;
  /** Why it is blocked, for its event; left out: an operator knows. */
  readonly reason?: "silent";
  readonly connection_id?: Uuid | null;
  /** Where the client gets the letter to be signed. */
  readonly client_email?: string | undefined;
}

/**
 * Moves a letter by one event of the lifecycle table, records the move, and does what belongs to its new status in the same
 * transaction: mail is queued, and what an ended letter leaves behind is deleted (contract §7).
 * @throws LetterTransitionError when the table refuses the event
 * @throws CoreError CONFLICT when the letter was moved meanwhile
 */
export async function moveLetter(
  stores: LetterStores,
  runtime: Runtime,
  actor: Actor,
  letter: LetterRecord,
  event: LetterEvent,
  change: LetterChange = {},
): Promise<LetterRecord> {
  const status = nextStatus(letter, event);
  const now = runtime.clock();
  const moved: LetterRecord = {
    ...letter,
    status,
    previous_status: event === "block" ? letter.status : null,
    ever_connected: letter.ever_connected || status === "Connected",
    connection_id: change.connection_id === undefined ? letter.connection_id : change.connection_id,
    contact_info: contactAfter(letter, status),
    updated_at: now,
    status_since: now,
  };
  // An ended letter lets go of its connection, and whoever asks later which one it was reads it here.
  const connection_id = moved.connection_id ?? letter.connection_id;
  const saved = await stores.letterMoves.record(moved, {
    move_id: runtime.newId(),
    letter_id: letter.letter_id,
    at: now,
    actor: actor.application_id,
    event,
    from: letter.status,
    to: status,
    note: change.note ?? null,
    connection_id,
  });
  if (!saved) throw versionConflict("letter");
  const isEnd = hasEnded(status);
  // What was not sent for the former status is not sent any more.
  await stores.mails.withdraw(letter.letter_id, now, isEnd);
  if (isEnd) await stores.letterDocuments.erase(letter.letter_id);
  await queueMail(stores, runtime, moved, change.client_email);
  const facts = { from: letter.status, to: status, ...(connection_id !== null && { connection_id }) };
  await stores.audit.append(auditEntry(runtime, actor, `letter.${event}`, "letter", letter.letter_id, facts));
  const { reason } = change;
  const move = { from: letter.status, ...(reason && { reason }) };
  await stores.events.append([letterEvent(typeOf(event), moved, move)]);
  if (event === "block" || event === "resolve") await showBlocked(stores, moved, event === "block");
  return { ...moved, version: letter.version + 1 };
}

/**
 * Changes a letter where it stands, and records who did it.
 * @throws CoreError CONFLICT when the letter was changed meanwhile
 */
export async function noteOnLetter(
  stores: LetterStores,
  runtime: Runtime,
  actor: Actor,
  letter: LetterRecord,
  event: keyof typeof changes,
  change: Partial<Pick<LetterRecord, "observations" | "contact_info">> = {},
): Promise<LetterRecord> {
  const { letter_id, status } = letter;
  const now = runtime.clock();
  const changed = { ...letter, ...change, updated_at: now };
  const saved = await stores.letterMoves.record(changed, {
    move_id: runtime.newId(),
    letter_id,
    at: now,
    actor: actor.application_id,
    event,
    from: status,
    to: status,
    note: null,
    connection_id: letter.connection_id,
  });
  if (!saved) throw versionConflict("letter");
  await stores.audit.append(auditEntry(runtime, actor, `letter.${event}`, "letter", letter_id));
  await stores.events.append([letterEvent("letter.changed", changed, { change: changes[event] })]);
  return { ...changed, version: letter.version + 1 };
}

/** What is told of a note. */
const changes = {
  observe: "observations",
  correct_details: "details",
  correct_contacts: "contacts",
  mail_again: "mail",
} as const;

function typeOf(event: LetterEvent) {
  if (event === "block") return "letter.blocked";
  return event === "resolve" ? "letter.resolved" : "letter.moved";
}

/** What is told of a letter: where it stands, never who it is of or what it says. */
function letterEvent(
  type: Extract<EventType, `letter.${string}`>,
  { letter_id, connector_id, status, labels }: LetterRecord,
  more: Partial<Pick<EventData<"letter.moved">, "from" | "reason" | "document" | "change">> = {},
): NewEvent {
  const data = { letter_id, connector_id, status, from: null, to: status, ...more, ...shownLabels(labels) };
  return { type, object_id: letter_id, labels, data };
}

/**
 * Keeps more documents of a letter.
 * @param letter as it is now
 */
export async function attachDocuments(
  { letterDocuments, events }: LetterStores,
  letter: LetterRecord,
  documents: readonly LetterDocument[],
): Promise<void> {
  for (const document of documents) {
    await letterDocuments.attach(letter.letter_id, document);
    await events.append([letterEvent("letter.document_added", letter, { document: document.kind })]);
  }
}

/** Whom to contact is forgotten with the letter's end; of a discontinued one stays where its notice goes. */
function contactAfter({ contact_info }: LetterRecord, status: LetterRecord["status"]): ContactInfo {
  if (isTerminal(status)) return {};
  if (!hasEnded(status)) return contact_info;
  const { banker_email } = contact_info;
  return banker_email === undefined ? {} : { banker_email };
}

/** A blocked letter's connection is blocked, too: its client sees in the tools that something needs attention. */
async function showBlocked(
  stores: LetterStores,
  { letter_id, connection_id }: LetterRecord,
  blocked: boolean,
): Promise<void> {
  const connection = connection_id === null ? null : await stores.connections.find(connection_id);
  if (connection)
    await saveConnection(stores, connection, { status: { ...connection.status, blocked } }, { letter_id });
}

/**
 * Discontinues a letter: Cancelled if it was never Connected, else Discontinued with its connection and data removed (S2 §3). Its
 * documents go either way.
 * @throws CoreError VALIDATION_ERROR on `letter_id` when the letter has ended already
 */
export async function discontinueLetter(
  stores: LetterStores,
  runtime: Runtime,
  actor: Actor,
  letter: LetterRecord,
  note?: string,
): Promise<LetterRecord> {
  try {
    const moved = await moveLetter(stores, runtime, actor, letter, "discontinue", { connection_id: null, note });
    const { letter_id, connector_id, labels, connection_id } = letter;
    if (connection_id !== null) await removeConnection(stores, { connection_id, connector_id, labels }, letter_id);
    return moved;
  } catch (error) {
    if (!(error instanceof LetterTransitionError)) throw error;
    const rule = `a letter that is ${letter.status} cannot be discontinued`;
    throw new CoreError("VALIDATION_ERROR", rule, {
      details: [{ field: "letter_id", error_type: "InvalidValue", message: rule, rule }],
      cause: error,
    });
  }
}

/** The connection that a letter leads to: the one it has, or a new one with the letter's labels that waits for its first file. */
export async function connectLetter(
  stores: LetterStores,
  runtime: Runtime,
  bank: string,
  letter: LetterRecord,
): Promise<ConnectionRecord> {
  const existing = letter.connection_id === null ? null : await stores.connections.find(letter.connection_id);
  if (existing) return existing;
  const now = runtime.clock();
  const connection: ConnectionRecord = {
    connection_id: runtime.newId(),
    connector_id: letter.connector_id,
    bank,
    provider: "datafeed",
    labels: letter.labels,
    status: pendingStatus(now.toISOString()),
    identity_hash: null,
    sealed_access: null,
    created_at: now,
  };
  await createConnection(stores, connection, { source: "feed", letter_id: letter.letter_id });
  return connection;
}

/** Where a letter is: its tenant, and the name of its bank, looked up before a transaction begins. */
export interface LocatedLetter {
  readonly tenant_id: string;
  readonly letter_id: Uuid;
  readonly bank: string;
}

/** @throws CoreError NOT_FOUND with message `LetterNotFound` (S2 §7) */
export async function locateLetter(
  deps: { storage: LetterStorage; bankOf: (connectorId: string) => Promise<string | null> },
  letter_id: Uuid,
): Promise<LocatedLetter> {
  const tenant_id = await tenantOfLetter(deps.storage.directory, letter_id);
  const letter = await deps.storage.inTenant(tenant_id, ({ letters }) => letters.find(letter_id));
  if (!letter) throw letterNotFound();
  return { tenant_id, letter_id, bank: (await deps.bankOf(letter.connector_id)) ?? letter.connector_id };
}

/** The tenant that a letter belongs to. @throws CoreError NOT_FOUND with message `LetterNotFound` */
export async function tenantOfLetter(directory: Directory, letterId: Uuid): Promise<string> {
  const tenantId = await directory.tenantOfLetter(letterId);
  if (tenantId === null) throw letterNotFound();
  return tenantId;
}

export function letterNotFound(): CoreError {
  return new CoreError("NOT_FOUND", "LetterNotFound");
}

/** What is known of a letter when it begins. */
export type LetterBeginning = Pick<
  LetterRecord,
  "letter_id" | "connector_id" | "status" | "labels" | "contact_info" | "created_at"
>;

/** Refuses what a tenant has too much of now, in the transaction that added it. @throws CoreError RATE_LIMITED */
export async function requireLetterCapacity(
  letters: Pick<LetterStores["letters"], "used">,
  limits: Pick<Limits, "letters" | "document_bytes">,
): Promise<void> {
  const used = await letters.used();
  for (const name of ["letters", "document_bytes"] as const)
    if (used[name] > limits[name]) throw tenantLimitRefusal(name, limits[name]);
}

/**
 * Keeps a new letter with its documents and its first move; `event` is that of the move, `action` that of the audit trail.
 * @throws CoreError RATE_LIMITED beyond the tenant's limits
 */
export async function insertLetter(
  { letters, audit, events }: Pick<LetterStores, "letters" | "audit" | "events">,
  runtime: Runtime,
  actor: Actor,
  beginning: LetterBeginning,
  documents: readonly LetterDocument[],
  { event, action }: { event: string; action: string },
  limits: Limits | undefined,
): Promise<LetterRecord> {
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
  const first = { from: null, to: status, note: null, connection_id: null };
  const move = { move_id: runtime.newId(), letter_id, at, actor: actor.application_id, event, ...first };
  await letters.create(letter, documents, move);
  if (limits) await requireLetterCapacity(letters, limits);
  await audit.append(auditEntry(runtime, actor, action, "letter", letter_id, { connector_id }));
  await events.append([letterEvent("letter.created", letter)]);
  return letter;
}
