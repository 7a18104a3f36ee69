import { type Connectors, nameOfConnector } from "../catalogue/connectors.js";
import { fileCauseOf, stepOfCause } from "../file-steps.js";
import { factsOfStatus } from "../letters/letter-facts.js";
import { createPager } from "../pager.js";
import type { Actor, TenantActor } from "../ports/actor.js";
import type { Runtime } from "../ports/runtime.js";
import { INSTALLATION_LOG } from "../schemas/event.js";
import type { Uuid } from "../schemas/identifier.js";
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
import type { WorkMarkStore } from "./work-mark-store.js";
import { createWorkMarking, type WorkMarking, type WorkPeople } from "./work-marking.js";
import type { StoredMark, StoredWork, WorkFilter, WorkPlace, WorkReader } from "./work-reader.js";

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

type Search<Whole = WorkSearch> = Omit<Whole, "tenant_id">;

/** What needs action now: the most urgent kind first, and the oldest line first within a kind. A line exists as long as its problem does. */
export interface WorkQueue extends WorkMarking {
  /** @throws CoreError VALIDATION_ERROR on `page_token` */
  list(actor: Pick<Actor, "application_id">, search: WorkSearch): Promise<WorkPage>;
  /** Only what a tenant's own staff can act on. @throws CoreError VALIDATION_ERROR on `page_token` */
  listOf(actor: Pick<TenantActor, "application_id" | "tenant_id">, search: Search): Promise<WorkPage>;
}

/** Whose queue it is: an operator's, over all tenants or one, or that of a tenant's own people. */
interface Scope {
  readonly tenant_id: string | null;
  readonly marks_of: Uuid;
  readonly kinds: readonly WorkKind[];
  readonly isOwn: boolean;
}

/** @param deps.overdueDays after how many days in its status a letter needs action; never in a status that is not named */
export function createWorkQueue(deps: {
  reader: WorkReader;
  sources: readonly WorkSource[];
  connectors: Pick<Connectors, "find">;
  marks: WorkMarkStore;
  people: WorkPeople;
  runtime: Pick<Runtime, "clock" | "mac" | "newId">;
  overdueDays: Readonly<Record<string, number>>;
}): WorkQueue {
  const { reader, sources, connectors, runtime, overdueDays } = deps;
  const page = createPager(runtime.mac);
  const elsewhere = new Set(sources.flatMap(({ kinds }) => kinds));
  /** Tenants remind their own clients and leave custodians to the operator. */
  const tenantDays = pick(overdueDays, "SentToUser");

  const scopeOf = (tenantId: string | null): Scope =>
    tenantId === null
      ? { tenant_id: null, marks_of: INSTALLATION_LOG, kinds: workKinds, isOwn: false }
      : { tenant_id: tenantId, marks_of: tenantId as Uuid, kinds: tenantWorkKinds, isOwn: true };

  return {
    list: ({ application_id }, { tenant_id, ...search }) =>
      list(application_id, search, { ...scopeOf(null), tenant_id: tenant_id ?? null }),
    listOf: ({ application_id, tenant_id }, search) => list(application_id, search, scopeOf(tenant_id)),
    ...createWorkMarking({
      ...deps,
      linesOf: async (tenantId, keys) => {
        const scope = scopeOf(tenantId);
        const filter = { ...ANY, ids: keys.map(({ id }) => id) };
        const kinds = scope.kinds.filter((kind) => keys.some((key) => key.kind === kind));
        const others = await fromElsewhere({ ...scope, kinds }, filter);
        const found = await read({ ...scope, kinds }, kinds, filter, {
          after: null,
          limit: keys.length * kinds.length,
        });
        return [...found.lines, ...others];
      },
    }),
  };

  async function list(
    actorId: string,
    { kinds: asked, page_token, page_size, ...search }: Search,
    scope: Scope,
  ): Promise<WorkPage> {
    const { kinds } = scope;
    const filter = filterOf(search, actorId);
    const listed = kinds.filter((kind) => asked?.includes(kind) ?? true);
    const others = await fromElsewhere(scope, filter);
    let counts: Readonly<Partial<Record<WorkKind, number>>> = {};
    const { rows, next_page_token } = await page({
      query: ["work", scope.tenant_id, listed, scope.isOwn, filter],
      token: page_token,
      size: page_size,
      async rows(after: WorkPlace | null, limit) {
        const found = await read(scope, listed, filter, { after: after && storedPlace(after, kinds), limit });
        counts = found.counts;
        const more = others.filter((line) => listed.includes(line.kind) && (!after || inOrder(after, line) < 0));
        return [...found.lines, ...more].sort(inOrder).slice(0, limit);
      },
      keyOf: ({ kind, since, id }) => JSON.stringify([kind, since.toISOString(), id]),
      readKey: placeOf,
    });
    const items = await Promise.all(rows.map((row) => lineOf(row, scope.isOwn)));
    return {
      items,
      counts: Object.fromEntries(
        kinds.map((kind) => [kind, counts[kind] ?? others.filter((line) => line.kind === kind).length]),
      ),
      next_page_token,
    };
  }

  function read(
    { tenant_id, marks_of, kinds, isOwn }: Scope,
    listed: readonly WorkKind[],
    filter: WorkFilter,
    page: { readonly after: WorkPlace | null; readonly limit: number },
  ) {
    return reader.find({
      tenant_id,
      marks_of,
      filter,
      kinds: kinds.filter((kind) => !elsewhere.has(kind)),
      listed,
      overdue_days: isOwn ? tenantDays : overdueDays,
      now: runtime.clock(),
      max_counted: MAX_COUNTED,
      ...page,
    });
  }

  /** Lines of other sources that pass the filter, with their marks. */
  async function fromElsewhere(
    { tenant_id, marks_of, kinds }: Scope,
    filter: WorkFilter,
  ): Promise<readonly StoredWork[]> {
    const asked = sources.filter((source) => source.kinds.some((kind) => kinds.includes(kind)));
    const found = (await Promise.all(asked.map((each) => each.find(tenant_id)))).flat();
    if (found.length === 0) return [];
    const stored = await deps.marks.find(marks_of, found);
    const marked = found.map((line): StoredWork => {
      const cause = `${line.since.getTime()} ${line.details.reason}`;
      const mark = stored.find(({ kind, id }) => kind === line.kind && id === line.id);
      const is_snoozed = mark?.snoozed_until != null && mark.snoozed_until > runtime.clock() && mark.cause === cause;
      return { ...line, cause, mark: mark ? { ...mark, owner_name: null, is_snoozed } : null };
    });
    const passing = marked.filter((line) => passes(line, filter));
    return Promise.all(
      passing.map(async ({ mark, ...line }) => ({
        ...line,
        mark: mark?.owner_id
          ? { ...mark, owner_name: await deps.people.nameOf(marks_of, mark.owner_id) }
          : (mark ?? null),
      })),
    );
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
    const institution = connector_id && (await nameOfConnector(connectors, connector_id));
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
      ...marksOf(row.mark ?? null),
    };
  }
}

/** Every line, snoozed or not. */
const ANY: WorkFilter = {
  owner: null,
  snoozed: null,
  connector_ids: null,
  custodian: null,
  client_refs: null,
  words: null,
  ids: null,
};

function filterOf(
  { connector_ids, custodian, client_refs, owner, snoozed, search }: Search<Partial<WorkSearch>>,
  actorId: string,
): WorkFilter {
  const owner_id = owner === "me" ? actorId : owner === "nobody" ? null : `person:${owner}`;
  return {
    owner: owner === undefined ? null : { owner_id },
    snoozed: snoozed ?? false,
    connector_ids: connector_ids ?? null,
    custodian: custodian || null,
    client_refs: client_refs ?? null,
    words: search || null,
    ids: null,
  };
}

/** Whether a line from elsewhere than the database passes. These lines concern no institution and no client. */
function passes({ id, details, mark }: StoredWork, filter: WorkFilter): boolean {
  const texts = [id, details.provider, details.reason].map((text) => text?.toLowerCase() ?? "");
  return (
    (filter.owner === null || filter.owner.owner_id === (mark?.owner_id ?? null)) &&
    (filter.snoozed === null || filter.snoozed === (mark?.is_snoozed ?? false)) &&
    filter.connector_ids === null &&
    filter.custodian === null &&
    filter.client_refs === null &&
    (filter.words === null || texts.some((text) => text.includes(filter.words?.toLowerCase() ?? ""))) &&
    (filter.ids === null || filter.ids.includes(id))
  );
}

function marksOf(mark: StoredMark | null): Pick<WorkLine, "owner" | "snoozed" | "version"> {
  const { owner_id = null, owner_name = null, is_snoozed = false, snoozed_until, reason, version = 0 } = mark ?? {};
  return {
    owner: owner_id === null ? null : { id: owner_id, name: owner_name ?? owner_id },
    snoozed: is_snoozed && snoozed_until ? { until: snoozed_until.toISOString(), reason: reason ?? "" } : null,
    version,
  };
}

/** The action for a line about a letter or a held file. */
function actionFor(kind: WorkKind, { status, cause }: WorkDetails): WorkAction {
  if (kind === "file_held") return stepOfCause[fileCauseOf(cause)];
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
