import { hasEnded, isTerminal, type LetterEvent, LetterTransitionError, nextStatus } from "@org/letter-lifecycle";
import type { AuditedAction } from "../audit-actions.js";
import { auditEntry } from "../audit-entry.js";
import {
  createConnection,
  keepClient,
  noteClient,
  removeConnection,
  saveConnection,
} from "../connections/connection-changes.js";
import type { ConnectionRecord } from "../connections/connection-store.js";
import { versionConflict } from "../content-version.js";
import { CoreError } from "../errors.js";
import type { Actor } from "../ports/actor.js";
import { inLimit, type LimitedActor } from "../ports/client-limit.js";
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

/** Additional input of a move. */
export interface LetterChange {
  readonly note?: string | undefined;
  /** Why the letter is blocked, for the event; omitted when an operator blocks it. */
  readonly reason?: "silent";
  readonly connection_id?: Uuid | null;
  /** Where the letter is sent to be signed. */
  readonly client_email?: string | undefined;
  /** How long the mail of the move waits, so that it can be taken back. */
  readonly mail_delay_ms?: number | undefined;
}

/**
 * Moves a letter by one event of the lifecycle table and records the move. The same transaction also does what the new status
 * requires: it queues mail, and deletes what an ended letter must not keep (contract §7).
 * @throws LetterTransitionError when the table refuses the event
 * @throws CoreError CONFLICT when the letter was moved concurrently
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
  // An ended letter no longer has its connection; the history entry still says which one it was.
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
  // Mail of the previous status that was not sent is withdrawn.
  await stores.mails.withdraw(letter.letter_id, now, isEnd);
  if (isEnd) await stores.letterDocuments.erase(letter.letter_id);
  await queueMail(stores, runtime, moved, change.client_email, change.mail_delay_ms);
  const facts = { from: letter.status, to: status, ...(connection_id !== null && { connection_id }) };
  await stores.audit.append(auditEntry(runtime, actor, `letter.${event}`, "letter", letter.letter_id, facts));
  const { reason } = change;
  const move = { from: letter.status, ...(reason && { reason }) };
  await stores.events.append([letterEvent(typeOf(event), moved, move)]);
  if (event === "block" || event === "resolve") await showBlocked(stores, moved, event === "block");
  return { ...moved, version: letter.version + 1 };
}

/**
 * Changes a letter without moving it, and records who did it.
 * @throws CoreError CONFLICT when the letter was changed concurrently
 */
export async function noteOnLetter(
  stores: LetterStores,
  runtime: Runtime,
  actor: Actor,
  letter: LetterRecord,
  event: keyof typeof changes,
  change: Partial<Pick<LetterRecord, "observations" | "contact_info" | "client_ref">> = {},
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

/** The `change` that the event of each note reports. */
const changes = {
  observe: "observations",
  correct_details: "details",
  correct_contacts: "contacts",
  mail_again: "mail",
  assign: "client",
} as const;

function typeOf(event: LetterEvent) {
  if (event === "block") return "letter.blocked";
  return event === "resolve" ? "letter.resolved" : "letter.moved";
}

/** Builds an event about a letter. It contains the status, never personal data or the letter's text. */
export function letterEvent(
  type: Extract<EventType, `letter.${string}`>,
  { letter_id, connector_id, client_ref, status, labels }: LetterRecord,
  more: Partial<Pick<EventData<"letter.moved">, "from" | "reason" | "document" | "change">> = {},
): NewEvent {
  const data = { letter_id, connector_id, client_ref, status, from: null, to: status, ...more, ...shownLabels(labels) };
  return { type, object_id: letter_id, labels, data };
}

/**
 * Stores additional documents of a letter.
 * @param letter the letter in its current state
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

/** Contacts are deleted when the letter ends; a discontinued letter keeps only the address of its revocation notice. */
function contactAfter({ contact_info }: LetterRecord, status: LetterRecord["status"]): ContactInfo {
  if (isTerminal(status)) return {};
  if (!hasEnded(status)) return contact_info;
  const { banker_email } = contact_info;
  return banker_email === undefined ? {} : { banker_email };
}

/** Blocks the letter's connection too, so that the tools show its client that something needs attention. */
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
 * Discontinues a letter: it becomes Cancelled if it was never Connected, else Discontinued, with its connection and data removed
 * (S2 §3). Its documents are deleted in both cases. Only the notice to the custodian waits, and can be withdrawn meanwhile.
 * @throws CoreError VALIDATION_ERROR on `letter_id` when the letter has already ended
 */
export async function discontinueLetter(
  stores: LetterStores,
  runtime: Runtime,
  actor: Actor,
  letter: LetterRecord,
  options: Pick<LetterChange, "note" | "mail_delay_ms">,
): Promise<LetterRecord> {
  try {
    const moved = await moveLetter(stores, runtime, actor, letter, "discontinue", { connection_id: null, ...options });
    const { letter_id, connection_id } = letter;
    if (connection_id !== null) await removeConnection(stores, { ...letter, connection_id }, letter_id);
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

/** Returns the letter's connection, or creates one with the letter's labels and client that waits for its first file. */
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
    client_ref: await clientNow(stores, letter),
  };
  await createConnection(stores, connection, { source: "feed", letter_id: letter.letter_id });
  return connection;
}

/** Returns the letter's client, who may have been renamed or removed since the letter was read. Another client would have changed the letter's version. */
async function clientNow(stores: LetterStores, { letter_id, client_ref }: LetterRecord): Promise<string | null> {
  if (client_ref === null) return null;
  return keepClient(stores, async () => (await stores.letters.find(letter_id))?.client_ref ?? null);
}

/** A letter with its tenant and the name of its bank, looked up before a transaction begins. */
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

/** Returns the tenant that a letter belongs to. @throws CoreError NOT_FOUND with message `LetterNotFound` */
export async function tenantOfLetter(directory: Directory, letterId: Uuid): Promise<string> {
  const tenantId = await directory.tenantOfLetter(letterId);
  if (tenantId === null) throw letterNotFound();
  return tenantId;
}

/** @param limit whose limit of clients holds @throws CoreError NOT_FOUND with message `LetterNotFound` */
export async function letterIn(
  { letters }: LetterStores,
  letterId: Uuid,
  limit: LimitedActor = {},
): Promise<LetterRecord> {
  const letter = inLimit(limit, await letters.find(letterId));
  if (!letter) throw letterNotFound();
  return letter;
}

export function letterNotFound(): CoreError {
  return new CoreError("NOT_FOUND", "LetterNotFound");
}

/** The fields of a letter that are given when it is created. */
export type LetterBeginning = Pick<
  LetterRecord,
  "letter_id" | "connector_id" | "status" | "labels" | "contact_info" | "client_ref" | "created_at"
>;

/** Checks the tenant's letter limits in the transaction that added to them. @throws CoreError RATE_LIMITED */
export async function requireLetterCapacity(
  letters: Pick<LetterStores["letters"], "used">,
  limits: Pick<Limits, "letters" | "document_bytes">,
): Promise<void> {
  const used = await letters.used();
  for (const name of ["letters", "document_bytes"] as const)
    if (used[name] > limits[name]) throw tenantLimitRefusal(name, limits[name]);
}

/**
 * Stores a new letter with its documents and its first move. `event` is recorded in the history, `action` in the audit trail.
 * @throws CoreError RATE_LIMITED beyond the tenant's limits
 */
export async function insertLetter(
  { clients, letters, audit, events }: Pick<LetterStores, "clients" | "letters" | "audit" | "events">,
  runtime: Runtime,
  actor: Actor & LimitedActor,
  beginning: LetterBeginning,
  documents: readonly LetterDocument[],
  { event, action }: { event: string; action: AuditedAction },
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
  if (letter.client_ref !== null) await noteClient({ clients }, actor, letter.client_ref, at, limits?.clients);
  await letters.create(letter, documents, move);
  if (limits) await requireLetterCapacity(letters, limits);
  await audit.append(auditEntry(runtime, actor, action, "letter", letter_id, { connector_id }));
  await events.append([letterEvent("letter.created", letter)]);
  return letter;
}
