import type { NamedKind } from "@org/core";
import { type LetterStatus, letterStatuses } from "@org/letter-lifecycle";

/** What a sentence can name, besides those that act without being anybody in particular. */
export type ThingKind = NamedKind | "source" | "trusted_issuer";

/** A thing that a sentence names, with the tenant of the line that holds its id; null = the installation's. */
export interface Thing {
  readonly kind: ThingKind;
  readonly id: string;
  readonly tenant_id: string | null;
  /** What it is if nothing of its kind has the id, which then is its name. */
  readonly orElse?: "source";
}

/** Whoever acts without an account. */
export const namelessActors = ["system", "customer", "unknown", "identity-provider"] as const;

/** What stands for a placeholder. */
export type Part =
  | { readonly is: "thing"; readonly thing: Thing }
  | { readonly is: "actor"; readonly actor: (typeof namelessActors)[number] }
  | { readonly is: "installation" | "unknownClient" }
  | { readonly is: "status"; readonly status: LetterStatus }
  | { readonly is: "product"; readonly product: "portfolios" | "holdings" | "transactions" | "figures" }
  | { readonly is: "outcome"; readonly outcome: string }
  | { readonly is: "change"; readonly change: string }
  | { readonly is: "days" | "differences"; readonly count: number }
  | { readonly is: "text"; readonly text: string };

/** The parts of a sentence by placeholder. */
export type Parts = Readonly<Record<string, Part | null>>;

/** The tenant id of the installation's people and log. */
const INSTALLATION = "00000000-0000-0000-0000-000000000000";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A line of the audit trail, as far as its sentence needs it. */
export interface AuditedLine {
  readonly action: string;
  readonly actor: string;
  readonly object_type: string;
  readonly object_id: string;
  readonly tenant_id: string | null;
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
}

/** The parts of an audit line's sentence. */
export function lineParts({ actor, object_type, object_id, tenant_id, facts }: AuditedLine): Parts {
  const { from, to, name, file_id, client_id, detail, tool } = facts;
  return {
    who: actorPart(actor, tenant_id),
    object: objectPart(object_type, object_id, tenant_id),
    from: statusPart(from),
    to: statusPart(to),
    name: text(name) === null ? null : { is: "text", text: `“${name}”` },
    file: thingPart("file", text(file_id), tenant_id),
    client: clientPart(text(client_id), tenant_id),
    token: thingPart("registration_token", text(detail), tenant_id),
    owner: { is: "thing", thing: { kind: "connector", id: object_id, tenant_id, orElse: "source" } },
    product: productOf(text(tool)),
  };
}

/** The parts of an event's sentence. @param log the tenant of its log */
export function eventParts(data: object, log: string): Parts {
  const facts = data as Readonly<Record<string, unknown>>;
  const tenant_id = text(facts.tenant_id) ?? log;
  const connection = thingPart("connection", text(facts.connection_id), tenant_id);
  const letter = thingPart("letter", text(facts.letter_id), tenant_id);
  const connector = thingPart("connector", text(facts.connector_id), tenant_id);
  return {
    connection,
    letter,
    connector,
    feed: connection ?? letter ?? connector,
    session: thingPart("session", text(facts.session_id), tenant_id),
    endpoint: thingPart("webhook_endpoint", text(facts.endpoint_id), tenant_id),
    client: clientPart(text(facts.client_id), tenant_id),
    provider: thingPart("provider", text(facts.provider), null),
    from: statusPart(facts.from),
    to: statusPart(facts.to),
    outcome: { is: "outcome", outcome: String(facts.status ?? "") },
    change: { is: "change", change: String(facts.change ?? "") },
    days: { is: "days", count: Number(facts.days ?? 0) },
    differences: { is: "differences", count: Number(facts.differences ?? 0) },
  };
}

/** Who acted, by the id that stands in the audit trail and in a letter's history. */
function actorPart(actor: string, tenant_id: string | null): Part {
  const nameless = namelessActors.find((one) => one === actor);
  if (nameless) return { is: "actor", actor: nameless };
  if (actor.startsWith("person:"))
    return { is: "thing", thing: { kind: "person", id: actor.slice("person:".length), tenant_id } };
  if (UUID.test(actor)) return { is: "thing", thing: { kind: "application", id: actor, tenant_id } };
  return clientPart(actor, tenant_id);
}

const objectKinds: readonly string[] = [
  "person",
  "application",
  "grant",
  "letter",
  "connection",
  "session",
  "webhook_endpoint",
  "connector",
  "feed_key",
  "source",
  "provider",
  "trusted_issuer",
] satisfies readonly ThingKind[];

function objectPart(type: string, id: string, tenant_id: string | null): Part | null {
  if (type === "client") return clientPart(id, tenant_id);
  if (type === "tenant")
    return UUID.test(id) && id !== INSTALLATION ? thingPart("tenant", id, tenant_id) : { is: "installation" };
  return objectKinds.includes(type) ? thingPart(type as ThingKind, id, tenant_id) : null;
}

function thingPart(kind: ThingKind, id: string | null, tenant_id: string | null): Part | null {
  return id === null ? null : { is: "thing", thing: { kind, id, tenant_id } };
}

function clientPart(id: string | null, tenant_id: string | null): Part {
  return id === null || id === "" ? { is: "unknownClient" } : { is: "thing", thing: { kind: "client", id, tenant_id } };
}

function statusPart(value: unknown): Part | null {
  const status = letterStatuses.find((one) => one === value);
  return status ? { is: "status", status } : null;
}

function productOf(tool: string | null): Part {
  if (tool === "svc-investments" || tool === "holdings-at") return { is: "product", product: "holdings" };
  if (tool === "gains" || tool?.startsWith("wealth-")) return { is: "product", product: "figures" };
  return { is: "product", product: tool === "svc-investment-transactions" ? "transactions" : "portfolios" };
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
