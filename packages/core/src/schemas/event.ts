import { calendarDate } from "@org/provider-kit";
import { z } from "zod";
import type { Uuid } from "./identifier.js";
import type { Labels } from "./labels.js";
import { documentKinds, letterStatusSchema } from "./letter.js";
import { mailKinds } from "./mail.js";
import { sessionErrorCodes } from "./session.js";

/*
 * Events contain ids, statuses, labels, references of clients, codes and counts. They never contain amounts, names of persons or files, account numbers, documents
 * or secrets, because they leave the installation. Every text and list has a bound, so that an event stays below 20 kB.
 */

const id = z.string().max(100);
const code = z.string().max(100);
const shortCode = code.optional();
const client_ref = z
  .string()
  .max(160)
  .nullable()
  .describe("The tenant's reference of the client whose it is; null if none.");

/** The condition of a connection, derived from its status (blocked or not) and the re-login evaluation. */
export const connectionConditions = ["pending", "ready", "needs_relogin", "blocked", "removed"] as const;
export type ConnectionCondition = (typeof connectionConditions)[number];

const connection = {
  connection_id: id,
  connector_id: id,
  client_ref,
  status: z.enum(connectionConditions).describe("How the connection stands from now on."),
  letter_id: id.nullable().describe("Of the letter whose custodian sends the data; null for a bank login."),
  reason: shortCode.describe("Why, as a code."),
  source: z.enum(["login", "refresh", "feed"]).optional().describe("What brought the news."),
};

/** What can change on a letter while its status stays the same. */
const letterChanges = ["observations", "details", "contacts", "mail", "client"] as const;

const letter = {
  letter_id: id,
  connector_id: id,
  client_ref,
  status: letterStatusSchema.describe("The letter's status from now on."),
  from: letterStatusSchema.nullable().describe("Null where it had none, or keeps the one that it has."),
  to: letterStatusSchema,
  labels: z.record(z.string(), z.string()),
  more_labels: z.literal(true).optional().describe("The letter has labels that do not fit in here."),
  document: z.enum(documentKinds).optional().describe("Which document was added."),
  change: z
    .enum(letterChanges)
    .optional()
    .describe("What was changed while it keeps its status; ask for the letter to see it."),
  reason: shortCode.describe("Why, as a code."),
};

const feed = {
  connection_id: id.nullable(),
  letter_id: id.nullable(),
  connector_id: id,
  client_ref,
  format: shortCode.describe("The format that the file was read as."),
};

const mail = {
  tenant_id: id,
  mail_id: id,
  letter_id: id,
  kind: z.enum(mailKinds),
};

const provider = {
  tenant_id: id.nullable().describe("Whose settings it works with; null = the installation's."),
  provider: code,
  connector_id: id.nullable(),
};

/** The data of each event type. The descriptions are the documentation of the types. */
export const eventDataSchemas = {
  "session.opened": z
    .object({ session_id: id, connection_id: id.nullable(), connector_id: id.nullable(), client_ref })
    .describe("The link of a Connect session was opened for the first time."),
  "session.finished": z
    .object({
      session_id: id,
      status: z.enum(["Finished:OK", "Finished:Error", "Finished:Expired", "Finished:Aborted"]),
      error_code: z.enum(sessionErrorCodes).nullable(),
      connection_id: id.nullable(),
      client_ref,
    })
    .describe("A Connect session has come to its end."),
  "connection.created": z.object(connection).describe("There is a new connection."),
  "connection.refreshed": z.object(connection).describe("The data of a connection were fetched again."),
  "connection.needs_relogin": z
    .object(connection)
    .describe("The bank wants the customer to log in again, or to enter a new key."),
  "connection.recovered": z
    .object(connection)
    .describe("A connection that was blocked or needed a login is well again."),
  "connection.blocked": z.object(connection).describe("A connection was blocked: its data are no longer updated."),
  "connection.removed": z.object(connection).describe("A connection was deleted with all of its data."),
  "connection.consent_expiring": z
    .object({
      connection_id: id,
      connector_id: id,
      client_ref,
      status: connection.status,
      consent_expires_at: z.string().max(40).describe("RFC 3339."),
      days: z.union([z.literal(7), z.literal(1)]),
    })
    .describe("The customer's consent ends in seven days, and in one day; once each."),
  "data.changed": z
    .object({
      connection_id: id,
      client_ref,
      snapshot_revision: z.int().min(0).describe("The tenant's revision from which the new data are read."),
      products: z.array(z.enum(["portfolios", "holdings", "transactions"])).max(3),
      corrected_transactions: z.int().min(1).optional().describe("How many known transactions have other content now."),
      withdrawn_transactions: z.int().min(1).optional().describe("How many known transactions are gone."),
    })
    .describe("New data of a connection can be read."),
  "letter.created": z.object(letter).describe("There is a new letter."),
  "letter.moved": z.object(letter).describe("A letter has another status."),
  "letter.blocked": z.object(letter).describe("A letter was blocked."),
  "letter.resolved": z.object(letter).describe("A letter is not blocked any more."),
  "letter.document_added": z.object(letter).describe("A letter has a further document."),
  "letter.changed": z
    .object(letter)
    .describe(
      "A letter that keeps its status has other observations, details or contacts, is of another client, or is mailed again.",
    ),
  "feed.file_taken": z.object(feed).describe("A file of a custodian was read, and its data are published."),
  "feed.file_refused": z
    .object({ ...feed, place: code.optional().describe("Where the fault is, such as line 12."), reason: shortCode })
    .describe("A file of a custodian could not be read."),
  "feed.silent": z.object(feed).describe("A custodian whose files are expected has not sent any."),
  "feed.differences": z
    .object({ ...feed, date: calendarDate, differences: z.int().min(0), gap_days: z.int().min(0) })
    .describe(
      "Positions of a statement are not those of the one before with the movements between, or days are missing.",
    ),
  "grant.ended": z
    .object({ grant_id: id, client_id: z.string().max(2_000), reason: code })
    .describe("What a person or program was allowed has ended."),
  "webhook.endpoint_disabled": z
    .object({ endpoint_id: id, reason: code })
    .describe("An endpoint gets no more deliveries until it is enabled again."),
  "webhook.test": z.object({ endpoint_id: id }).describe("Sent on demand, to try an endpoint."),
  "work.changed": z
    .object({
      kind: code,
      lines: z.int().min(1),
      change: z.enum(["taken", "handed_over", "let_go", "snoozed", "woken"]),
    })
    .describe("People took lines of their work queue, handed them over, put them aside or brought them back."),
  "mail.failed": z.object(mail).describe("For operators: a mail server refused a mail for good, or too often."),
  "mail.in_doubt": z.object(mail).describe("For operators: a mail may have been sent or not."),
  "provider.degraded": z.object(provider).describe("For operators: calls of a provider fail too often."),
  "provider.recovered": z.object(provider).describe("For operators: a provider answers again."),
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** The name of an event type, such as `letter.moved`: the object, then what happened to it. */
export type EventType = keyof typeof eventDataSchemas;

/** Every {@link EventType}. */
export const EVENT_TYPES: readonly EventType[] = Object.keys(eventDataSchemas) as EventType[];

/** Types that only operators see. They are kept in the log of {@link INSTALLATION_LOG}, whichever tenant's transaction writes them. */
export const OPERATOR_EVENT_TYPES = [
  "mail.failed",
  "mail.in_doubt",
  "provider.degraded",
  "provider.recovered",
] as const satisfies readonly EventType[];

/** The tenant id under which the installation's own events are kept. */
export const INSTALLATION_LOG = "00000000-0000-0000-0000-000000000000" as Uuid;

/** The log of an event of this type that concerns a tenant: {@link INSTALLATION_LOG} for operators' types, else the tenant's own. */
export function logOf(tenantId: string, type: EventType): string {
  return (OPERATOR_EVENT_TYPES as readonly EventType[]).includes(type) ? INSTALLATION_LOG : tenantId;
}

/** The data of an event of this type. */
export type EventData<Type extends EventType> = Readonly<z.output<(typeof eventDataSchemas)[Type]>>;

/** An event to append in the transaction that causes it. */
export type NewEvent = {
  readonly [Type in EventType]: {
    readonly type: Type;
    /** The id of the session, connection, letter, grant, endpoint or mail that it happened to; for a provider, the id of the connector; for work, its kind. */
    readonly object_id: string;
    /** All labels of that object, by which endpoints choose their events; none if absent. */
    readonly labels?: Labels | undefined;
    readonly data: EventData<Type>;
  };
}[EventType];

/** The event that a provider fails too often at a connector, or that it answers again. */
export function providerEvent(
  type: "provider.degraded" | "provider.recovered",
  { connector_id, provider, tenant_id }: { connector_id: string; provider: string; tenant_id: string | null },
): NewEvent {
  return { type, object_id: connector_id, data: { tenant_id, provider, connector_id } };
}

/** Maximum size of the labels in an event, in bytes of JSON. */
const MAX_LABEL_BYTES = 8_000;

/** The labels that an object's event shows: as many as fit, in the order of their keys. */
export function shownLabels(labels: Labels): { labels: Labels; more_labels?: true } {
  const all = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  const shown: [string, string][] = [];
  let bytes = 0;
  for (const label of all) {
    bytes += Buffer.byteLength(JSON.stringify(label));
    if (bytes > MAX_LABEL_BYTES) return { labels: Object.fromEntries(shown), more_labels: true };
    shown.push(label);
  }
  return { labels };
}

/** An event of a type as it is listed and delivered. */
export function eventSchemaOf<Type extends EventType>(type: Type) {
  return z.object({
    id: z.guid(),
    type: z.literal(type),
    created_at: z.string().describe("RFC 3339."),
    tenant_id: z.guid(),
    sequence: z
      .int()
      .min(1)
      .describe("Rises by one from event to event of a tenant: whoever has seen n has missed nothing below it."),
    data: eventDataSchemas[type],
  });
}

/** Any event as it is listed and delivered. */
export const eventSchema = z.discriminatedUnion(
  "type",
  EVENT_TYPES.map((type) => eventSchemaOf(type)) as [
    ReturnType<typeof eventSchemaOf<EventType>>,
    ...ReturnType<typeof eventSchemaOf<EventType>>[],
  ],
);

/** An event on the wire. */
export interface EventView {
  readonly id: string;
  readonly type: EventType;
  readonly created_at: string;
  readonly tenant_id: string;
  readonly sequence: number;
  readonly data: Readonly<Record<string, unknown>>;
}
