import type { Connectors } from "../catalogue/connectors.js";
import { factsOfStatus } from "../letters/letter-facts.js";
import { createPager } from "../pager.js";
import type { TenantActor } from "../ports/actor.js";
import type { Runtime } from "../ports/runtime.js";
import {
  MAX_COUNTED,
  tenantWorkKinds,
  type WorkAction,
  type WorkDetails,
  type WorkKind,
  type WorkLine,
  type WorkSearch,
  workFacts,
  workKinds,
} from "../schemas/work.js";
import type { StoredWork, WorkPlace, WorkReader } from "./work-reader.js";

/** Finds lines that are not in the database, such as files on this server's disk. */
export interface WorkSource {
  /** The kinds of lines that it finds. */
  readonly kinds: readonly WorkKind[];
  /** All lines of these kinds, or as many as anyone looks at, in no order. @param tenantId null = of all tenants and of the installation */
  find(tenantId: string | null): Promise<readonly StoredWork[]>;
}

/** A page of the work queue. */
export interface WorkPage {
  readonly items: readonly WorkLine[];
  /** Number of lines of every kind that may be requested, up to {@link MAX_COUNTED}. */
  readonly counts: Readonly<Record<string, number>>;
  readonly next_page_token: string | null;
}

/** What needs action now: the most urgent kind first, and the oldest line first within a kind. A line exists as long as its problem does. */
export interface WorkQueue {
  /** @throws CoreError VALIDATION_ERROR on `page_token` */
  list(search: WorkSearch): Promise<WorkPage>;
  /** Only what a tenant's own staff can act on. @throws CoreError VALIDATION_ERROR on `page_token` */
  listOf(actor: Pick<TenantActor, "tenant_id">, search: Omit<WorkSearch, "tenant_id">): Promise<WorkPage>;
}

/** @param deps.overdueDays after how many days in its status a letter needs action; never in a status that is not named */
export function createWorkQueue(deps: {
  reader: WorkReader;
  sources: readonly WorkSource[];
  connectors: Pick<Connectors, "find">;
  runtime: Pick<Runtime, "clock" | "mac">;
  overdueDays: Readonly<Record<string, number>>;
}): WorkQueue {
  const { reader, sources, connectors, runtime, overdueDays } = deps;
  const page = createPager(runtime.mac);
  const elsewhere = new Set(sources.flatMap(({ kinds }) => kinds));
  /** Tenants remind their own clients and leave custodians to the operator. */
  const tenantDays = pick(overdueDays, "SentToUser");

  return {
    list: ({ tenant_id, ...search }) => find(search, { tenant_id: tenant_id ?? null, kinds: workKinds, isOwn: false }),
    listOf: ({ tenant_id }, search) => find(search, { tenant_id, kinds: tenantWorkKinds, isOwn: true }),
  };

  async function find(
    { kinds: asked, page_token, page_size }: Omit<WorkSearch, "tenant_id">,
    { tenant_id, kinds, isOwn }: { tenant_id: string | null; kinds: readonly WorkKind[]; isOwn: boolean },
  ): Promise<WorkPage> {
    const listed = kinds.filter((kind) => asked?.includes(kind) ?? true);
    const others = (
      await Promise.all(
        sources
          .filter((source) => source.kinds.some((kind) => kinds.includes(kind)))
          .map((each) => each.find(tenant_id)),
      )
    ).flat();
    let counts: Readonly<Partial<Record<WorkKind, number>>> = {};
    const { rows, next_page_token } = await page({
      query: ["work", tenant_id, listed, isOwn],
      token: page_token,
      size: page_size,
      async rows(after: WorkPlace | null, limit) {
        const found = await reader.find({
          tenant_id,
          kinds: kinds.filter((kind) => !elsewhere.has(kind)),
          listed,
          overdue_days: isOwn ? tenantDays : overdueDays,
          now: runtime.clock(),
          max_counted: MAX_COUNTED,
          after: after && storedPlace(after, kinds),
          limit,
        });
        counts = found.counts;
        const more = others.filter((line) => listed.includes(line.kind) && (!after || inOrder(after, line) < 0));
        return [...found.lines, ...more].sort(inOrder).slice(0, limit);
      },
      keyOf: ({ kind, since, id }) => JSON.stringify([kind, since.toISOString(), id]),
      readKey: placeOf,
    });
    const items = await Promise.all(rows.map((row) => lineOf(row, isOwn)));
    return {
      items,
      counts: Object.fromEntries(
        kinds.map((kind) => [kind, counts[kind] ?? others.filter((line) => line.kind === kind).length]),
      ),
      next_page_token,
    };
  }

  /** Where the database continues after a line that may come from a {@link WorkSource}: after all lines of the last stored kind before it. */
  function storedPlace(after: WorkPlace, kinds: readonly WorkKind[]): WorkPlace | null {
    if (!elsewhere.has(after.kind)) return after;
    const before = kinds.slice(0, kinds.indexOf(after.kind)).findLast((kind) => !elsewhere.has(kind));
    return before === undefined ? null : { kind: before, since: LAST, id: LAST_ID };
  }

  async function lineOf(row: StoredWork, isOwn: boolean): Promise<WorkLine> {
    const { kind, id, tenant_id, tenant, since } = row;
    const { subject, severity, action } = workFacts[kind];
    const { connector_id } = row.details;
    const institution = connector_id && ((await connectors.find(connector_id))?.name ?? connector_id);
    // Tenants do not see why an operator blocked a letter.
    const { note, ...own } = row.details;
    const details: WorkDetails = {
      ...(isOwn || note === undefined ? own : row.details),
      ...(institution && { institution }),
    };
    return {
      kind,
      subject: { type: subject, id },
      tenant_id,
      tenant,
      since: since.getTime() === 0 ? null : since.toISOString(),
      action: action ?? actionFor(kind, details),
      severity,
      details,
    };
  }
}

/** The action for a line about a letter or a held file. */
function actionFor(kind: WorkKind, { status, letter_id, connection_id }: WorkDetails): WorkAction {
  if (kind === "file_held") return letter_id || connection_id ? "retry_file" : "route_file";
  return (status && factsOfStatus(status).overdue?.action) ?? "ask_custodian";
}

/** Sorts after every line of its kind. */
const LAST = new Date("9999-01-01T00:00:00.000Z");
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

const placeInQueue = new Map(workKinds.map((kind, index) => [kind, index]));

function inOrder(a: WorkPlace, b: WorkPlace): number {
  const byKind = (placeInQueue.get(a.kind) ?? 0) - (placeInQueue.get(b.kind) ?? 0);
  if (byKind !== 0) return byKind;
  return a.since.getTime() - b.since.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function placeOf(text: string): WorkPlace | null {
  const [kind, since, id] = JSON.parse(text) as [WorkKind, string, string];
  return { kind, since: new Date(since), id };
}

function pick(days: Readonly<Record<string, number>>, status: string): Readonly<Record<string, number>> {
  const found = days[status];
  return found === undefined ? {} : { [status]: found };
}
