import { auditEntry } from "../audit-entry.js";
import { invalid, invalidValue } from "../errors.js";
import type { Actor, TenantActor } from "../ports/actor.js";
import type { OwnedAuditEntry } from "../ports/audit-log.js";
import type { Runtime } from "../ports/runtime.js";
import { type EventData, INSTALLATION_LOG, type NewEvent } from "../schemas/event.js";
import type { Uuid } from "../schemas/identifier.js";
import { type WorkLineRef, type WorkOutcomes, workFacts } from "../schemas/work.js";
import type { WorkKey, WorkMark, WorkMarkStore } from "./work-mark-store.js";
import type { StoredWork } from "./work-reader.js";

/** The people who work on a queue: a tenant's, or operators (`INSTALLATION_LOG`). */
export interface WorkPeople {
  /** The person's name if they may work there now, else null. */
  nameOfWorker(tenantId: Uuid, personId: Uuid): Promise<string | null>;
  /** The name of an actor of the audit trail; null if nobody has this id any more. */
  nameOf(tenantId: Uuid, actorId: string): Promise<string | null>;
}

/** An operator, or someone of a tenant, who works on the queue. */
export type WorkActor = Actor | TenantActor;

/**
 * Who looks after which line of the work queue, and which are put aside. Each line is changed or refused for itself: one that is gone, that somebody
 * else has (`take`), or that was changed since the version that was sent.
 */
export interface WorkMarking {
  /** Makes the actor the owner of lines that nobody has. */
  take(actor: WorkActor, lines: readonly WorkLineRef[]): Promise<WorkOutcomes>;
  /** Gives lines to a person who works on the same queue; null = to nobody. @throws CoreError VALIDATION_ERROR on `person_id` */
  handOver(actor: WorkActor, lines: readonly WorkLineRef[], personId: Uuid | null): Promise<WorkOutcomes>;
  /** Hides lines until then, or until something else is wrong with them. @throws CoreError VALIDATION_ERROR on `until` */
  snooze(actor: WorkActor, lines: readonly WorkLineRef[], until: Date, reason: string): Promise<WorkOutcomes>;
  /** Shows snoozed lines again. */
  wake(actor: WorkActor, lines: readonly WorkLineRef[]): Promise<WorkOutcomes>;
  /** Deletes marks of lines that are gone; each call looks at the next `limit` marks. Returns how many. */
  reapMarks(limit: number): Promise<number>;
}

/** A line may be put aside for so long. */
const MAX_SNOOZE_MS = 366 * 86_400_000;
/** Marks whose lines the clean-up looks for at the same time. */
const MAX_LOOKED_FOR = 200;

type Outcome = WorkOutcomes["items"][number];
type Change = EventData<"work.changed">["change"];
type Changed = Partial<Pick<WorkMark, "owner_id" | "snoozed_until" | "reason" | "cause">>;

/** @param deps.linesOf the lines with these keys that are there now, for operators (null) or a tenant's people; it may return others too */
export function createWorkMarking(deps: {
  marks: WorkMarkStore;
  people: WorkPeople;
  runtime: Pick<Runtime, "clock" | "newId">;
  linesOf: (tenantId: string | null, keys: readonly WorkKey[]) => Promise<readonly StoredWork[]>;
}): WorkMarking {
  const { marks, people, runtime, linesOf } = deps;
  /** The last mark that the clean-up has looked at. */
  let looked: WorkMark | null = null;

  return {
    take: (actor, lines) =>
      mark(actor, lines, "taken", (before) =>
        before.owner_id === null || before.owner_id === actor.application_id
          ? { owner_id: actor.application_id }
          : null,
      ),

    async handOver(actor, lines, personId) {
      if (personId !== null && (await people.nameOfWorker(queueOf(actor), personId)) === null)
        throw invalid(invalidValue("person_id", "must be a person who may work on this queue"));
      const owner_id = personId && `person:${personId}`;
      return mark(actor, lines, owner_id === null ? "let_go" : "handed_over", () => ({ owner_id }));
    },

    async snooze(actor, lines, until, reason) {
      const now = runtime.clock();
      if (until <= now || until.getTime() > now.getTime() + MAX_SNOOZE_MS)
        throw invalid(invalidValue("until", "must be in the future, and within a year"));
      return mark(actor, lines, "snoozed", (_before, { cause = "" }) => ({ snoozed_until: until, reason, cause }));
    },

    wake: (actor, lines) => mark(actor, lines, "woken", () => ({ snoozed_until: null, reason: null, cause: null })),

    async reapMarks(limit) {
      const found = await marks.list(looked, Math.min(limit, MAX_LOOKED_FOR));
      looked = found.at(-1) ?? null;
      const gone: WorkMark[] = [];
      for (const tenantId of new Set(found.map(({ tenant_id }) => tenant_id))) {
        const own = found.filter(({ tenant_id }) => tenant_id === tenantId);
        const there = keysOf(await linesOf(tenantId === INSTALLATION_LOG ? null : tenantId, own));
        gone.push(...own.filter((each) => !there.has(keyOf(each))));
      }
      return gone.length === 0 ? 0 : marks.remove(gone);
    },
  };

  /** Changes the mark of each line to what `next` returns; null = somebody else has it. */
  async function mark(
    actor: WorkActor,
    refs: readonly WorkLineRef[],
    change: Change,
    next: (before: WorkMark, line: StoredWork) => Changed | null,
  ): Promise<WorkOutcomes> {
    const tenant_id = queueOf(actor);
    const asked = [...new Map(refs.map((ref) => [keyOf(ref), ref])).values()];
    const lines = new Map((await linesOf(ownTenantOf(actor), asked)).map((line) => [keyOf(line), line]));
    let outcomes: (Omit<Outcome, "owner"> & { readonly owner_id: string | null })[] = [];
    await marks.change(tenant_id, asked, (stored, newest) => {
      outcomes = [];
      const before = new Map(stored.map((each) => [keyOf(each), each]));
      const changed: WorkMark[] = [];
      const entries: OwnedAuditEntry[] = [];
      for (const ref of asked) {
        const line = lines.get(keyOf(ref));
        const { kind, id } = ref;
        const known = before.get(keyOf(ref)) ?? unmarked(tenant_id, { kind, id }, runtime.clock());
        const { owner_id, version } = known;
        const refused = (code: "NOT_FOUND" | "CONFLICT", message: string) =>
          outcomes.push({ kind, id, outcome: "refused", owner_id, version, error: { code, message } });
        if (!line) {
          refused("NOT_FOUND", "this line is gone: nothing is wrong there any more");
          continue;
        }
        const made = next(known, line);
        if (made === null) refused("CONFLICT", "somebody else has it");
        else if (ref.version !== undefined && ref.version !== version)
          refused("CONFLICT", "somebody changed it meanwhile");
        else {
          const mark = { ...known, ...made, version: newest, changed_at: runtime.clock() };
          const isDeleted = mark.owner_id === null && mark.snoozed_until === null;
          changed.push(mark);
          entries.push({ tenant_id: line.tenant_id, ...entryOf(actor, change, mark) });
          const now = isDeleted ? 0 : mark.version;
          outcomes.push({ kind, id, outcome: "done", owner_id: mark.owner_id, version: now, error: null });
        }
      }
      return { marks: changed, entries, events: eventsOf(change, changed) };
    });
    const items = await Promise.all(
      outcomes.map(async ({ owner_id, error, ...outcome }): Promise<Outcome> => {
        const name = owner_id === null ? null : ((await people.nameOf(tenant_id, owner_id)) ?? owner_id);
        const owner = owner_id === null || name === null ? null : { id: owner_id, name };
        const message = error?.code === "CONFLICT" && name !== null ? `${error.message}: ${name}` : error?.message;
        return { ...outcome, owner, error: error && { ...error, message: message ?? error.message } };
      }),
    );
    const done = items.filter(({ outcome }) => outcome === "done").length;
    return { items, done, refused: items.length - done };
  }

  function entryOf(actor: Actor, change: Change, { kind, id, owner_id, snoozed_until }: WorkMark) {
    const facts = {
      kind,
      ...(change === "handed_over" && { to: owner_id }),
      ...(change === "snoozed" && { until: snoozed_until?.toISOString() ?? null }),
    };
    // Ids of statements contain account numbers.
    const objectId = kind === "pages_overdue" ? (id.split(" ")[0] ?? "") : id;
    return auditEntry(runtime, actor, `work.${change}`, workFacts[kind].subject, objectId, facts);
  }
}

function eventsOf(change: Change, marks: readonly WorkMark[]): NewEvent[] {
  return [...new Set(marks.map(({ kind }) => kind))].map((kind) => ({
    type: "work.changed",
    object_id: kind,
    data: { kind, change, lines: marks.filter((mark) => mark.kind === kind).length },
  }));
}

function unmarked(tenant_id: Uuid, key: WorkKey, changed_at: Date): WorkMark {
  return { tenant_id, ...key, owner_id: null, snoozed_until: null, reason: null, cause: null, version: 0, changed_at };
}

function keyOf({ kind, id }: WorkKey): string {
  return `${kind} ${id}`;
}

function keysOf(lines: readonly WorkKey[]): ReadonlySet<string> {
  return new Set(lines.map(keyOf));
}

function ownTenantOf(actor: WorkActor): string | null {
  return "tenant_id" in actor ? actor.tenant_id : null;
}

/** Whose marks an actor's are. */
function queueOf(actor: WorkActor): Uuid {
  return (ownTenantOf(actor) ?? INSTALLATION_LOG) as Uuid;
}
