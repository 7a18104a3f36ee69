import type { AuditTrail, OwnedAuditEntry } from "@org/core";
import type { ApplicationStore, AuditEvent } from "@org/oauth-server";

const MAX_BATCH = 1_000;
const MAX_WAITING = 10_000;

/** Where events and troubles are written; a pino logger is one. */
interface Log {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

interface Waiting {
  readonly audit_id: string;
  readonly event: AuditEvent;
}

/**
 * Takes the authorization server's events off its request path: each is logged at once and written to the audit trail a moment
 * later, in order, many with one statement. What cannot be written waits for the database, up to a bound; `onLost` and one line
 * of the log say how many were lost beyond it.
 */
export function createAuditTrail(deps: {
  trail: Pick<AuditTrail, "append">;
  applications: Pick<ApplicationStore, "ownersOf">;
  newId: () => string;
  log: Log;
  onLost: (events: number) => void;
  /** How often what waits is written, in ms; left out, in full batches and at the end. */
  everyMs?: number;
}) {
  const { trail, applications, newId, log, everyMs } = deps;
  let waiting: Waiting[] = [];
  let lost = 0;
  let failing = false;
  let writing: Promise<void> | undefined;
  const timer = everyMs === undefined ? undefined : setInterval(flush, everyMs).unref();

  return {
    audit(event: AuditEvent): void {
      const { trace_id, ...audit } = event;
      log.info({ audit, trace_id }, event.action);
      if (waiting.length >= MAX_WAITING) {
        lost += 1;
        return;
      }
      // Named here, so that a batch that has to be written again is the same batch.
      waiting.push({ audit_id: newId(), event });
      if (waiting.length % MAX_BATCH === 0) flush();
    },
    /** Writes what waits and stops. */
    async close(): Promise<void> {
      clearInterval(timer);
      await writing;
      flush();
      await writing;
      lost += waiting.length;
      waiting = [];
      reportLost();
    },
  };

  function flush(): void {
    reportLost();
    writing ??= writeAll().finally(() => {
      writing = undefined;
    });
  }

  function reportLost(): void {
    if (lost === 0) return;
    log.error({ events: lost }, "audit trail: events were lost, they are in the log only");
    deps.onLost(lost);
    lost = 0;
  }

  async function writeAll(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, MAX_BATCH);
        await write(batch);
        waiting = waiting.slice(batch.length);
        failing = false;
      }
    } catch (error) {
      if (!failing) log.error({ err: error, events: waiting.length }, "audit trail not written; it is tried again");
      failing = true;
    }
  }

  /** One line that the database refuses must not hold up the others for ever. */
  async function write(batch: readonly Waiting[]): Promise<void> {
    const lines = await linesOf(batch);
    try {
      await trail.append(lines);
    } catch (error) {
      if (isOutage(error)) throw error;
      for (const line of lines)
        await trail.append([line]).catch((refusal: unknown) => {
          if (isOutage(refusal)) throw refusal;
          log.error({ err: refusal, action: line.action }, "audit trail: a line was refused");
          lost += 1;
        });
    }
  }

  async function linesOf(batch: readonly Waiting[]): Promise<OwnedAuditEntry[]> {
    const claimed = new Set(batch.flatMap(({ event }) => (isClaim(event) ? [event.client_id] : [])));
    const owners = claimed.size === 0 ? new Map() : await applications.ownersOf([...claimed]);
    return batch.flatMap(({ audit_id, event }) => {
      const owner = isClaim(event) ? owners.get(event.client_id) : undefined;
      try {
        return [lineOf(audit_id, owner === undefined ? event : { ...event, ...owner }, isClaim(event))];
      } catch (error) {
        log.error({ err: error, action: event.action }, "audit trail: an event cannot be written down");
        lost += 1;
        return [];
      }
    });
  }
}

/** A client id that came from outside and of which the event knows nothing more: whose it is, if anybody's, is looked up. */
function isClaim(event: AuditEvent): event is AuditEvent & { readonly client_id: string } {
  const { client_id, tenant_id, application_id } = event;
  return tenant_id === null && application_id === null && client_id !== null && /^wca_[\w-]{22}$/.test(client_id);
}

function lineOf(audit_id: string, event: AuditEvent, claimed: boolean): OwnedAuditEntry {
  const { action, actor, application_id, client_id, detail } = event;
  const named = (client_id === null ? null : storable(client_id)) as string | null;
  return {
    audit_id,
    tenant_id: event.tenant_id,
    at: event.at,
    actor: actor ?? (claimed || action.endsWith(".refused") ? "unknown" : (application_id ?? named ?? "system")),
    action,
    ...objectOf(event, named),
    trace_id: event.trace_id,
    address: event.address,
    facts: { client_id: named, detail: detail === null ? null : storable(detail) },
  };
}

function objectOf(
  { action, grant_id, tenant_id, application_id, detail }: AuditEvent,
  clientId: string | null,
): Pick<OwnedAuditEntry, "object_type" | "object_id"> {
  const [subject = ""] = action.split(".");
  if (grant_id !== null) return { object_type: "grant", object_id: grant_id };
  if (subject === "tenant" && tenant_id !== null) return { object_type: "tenant", object_id: tenant_id };
  if (subject === "signing_key") return { object_type: "signing_key", object_id: detail ?? "" };
  if (application_id !== null) return { object_type: "application", object_id: application_id };
  return { object_type: "client", object_id: clientId ?? "" };
}

/** Text from outside as PostgreSQL can keep it and a terminal can show it. */
function storable(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}/gu, "\ufffd");
}

function isOutage(error: unknown): boolean {
  return error instanceof Error && error.name === "StorageError";
}
