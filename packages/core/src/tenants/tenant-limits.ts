import { createTokenBuckets, type TokenBuckets } from "@org/admission";
import { auditEntry } from "../audit-entry.js";
import { contentVersion, ifVersion, versionConflict } from "../content-version.js";
import { CoreError } from "../errors.js";
import type { Actor } from "../ports/actor.js";
import type { Runtime } from "../ports/runtime.js";
import type { Uuid } from "../schemas/identifier.js";
import type { LimitOverride, TenantUse } from "./limit-store.js";
import { defaultLimits as builtIn, type LimitName, type Limits, limitNames } from "./limits.js";
import type { TenantsStorage } from "./storage.js";

/** A limit, where its value comes from, and how much of it is used (null for the installation, which uses nothing itself, and of `history_days`). */
export interface LimitView {
  readonly name: LimitName;
  readonly value: number;
  readonly source: "tenant" | "installation" | "default";
  readonly used: number | null;
}

/** All limits of a tenant or the installation, and the version of the values that were set for it. */
export interface LimitsView {
  readonly items: readonly LimitView[];
  readonly version: number;
}

/** How close tenants are to a limit. */
export interface LimitPressure {
  /** Number of tenants that use at least four fifths of it. */
  readonly near: number;
  /** The largest share that any tenant uses; 1 = all of it. */
  readonly highest: number;
}

/** Gives services the limits of a tenant. */
export type LimitsOf = (tenantId: string) => Limits;

/** What tenants may have at most (docs/reference/limits.md). */
export interface TenantLimits {
  /**
   * The limits of a tenant, from memory. They are read again every few seconds, so that a change takes effect within seconds on every
   * replica, and immediately on the one that made it.
   */
  readonly of: LimitsOf;
  /** Counts a request of a tenant on this replica. @throws CoreError RATE_LIMITED with the limit */
  admit(tenantId: string): void;
  /** Counts an MCP session that a client of a tenant ends. @throws CoreError RATE_LIMITED with the limit */
  admitSessionEnd(tenantId: string): void;
  /** Counts a test event or a replay that a tenant asks for. @throws CoreError RATE_LIMITED with the limit */
  admitResend(tenantId: string): void;
  /** Counts a grant that a client of a tenant has ended. After too many, {@link admitGrant} refuses new ones for a while. */
  grantEnded(tenantId: string): void;
  /**
   * Checks whether a tenant may have one more grant. With `exactly`, the store has to count the grants when it adds this one. For large
   * limits the grants are counted once a minute, and those that this replica issues are added.
   * @throws CoreError RATE_LIMITED with the limit
   */
  admitGrant(tenantId: string): { readonly exactly: number } | null;
  /** The limits of a tenant, or of the installation (null). @throws CoreError NOT_FOUND */
  show(tenantId: Uuid | null): Promise<LimitsView>;
  /**
   * Sets and resets limits of a tenant, or of the installation (null).
   * @throws CoreError NOT_FOUND, CONFLICT when `version` is out of date
   */
  change(
    operator: Actor,
    tenantId: Uuid | null,
    change: {
      readonly set: Partial<Limits>;
      readonly reset: readonly LimitName[];
      readonly version?: number | undefined;
    },
  ): Promise<LimitsView>;
  /** How close tenants are to each limit. A limit of 0 is intended, and no tenant counts as near it. */
  pressure(): Promise<Readonly<Record<LimitName, LimitPressure>>>;
  /** Reads the limits that were set; called at the start, so that the first requests find them. */
  load(): Promise<void>;
}

/** How long limits that were read count, in milliseconds. */
const FRESH_MS = 5_000;
const RECOUNT_MS = 60_000;
/** Limits on a rate, with the time in milliseconds in which their budget refills evenly. */
const windows = {
  requests_per_minute: 60_000,
  grants_ended_per_hour: 3_600_000,
  mcp_sessions_ended_per_day: 86_400_000,
  webhook_tests_and_replays_per_hour: 3_600_000,
} as const;
type Flow = keyof typeof windows;
/** Up to this limit, grants are counted for each new one. */
const EXACT_GRANTS = 10_000;
const NEAR = 0.8;
export function createTenantLimits(deps: {
  storage: Pick<TenantsStorage, "limits" | "tenants">;
  runtime: Runtime;
  /** What holds where nothing is set, if it is not what is built in. */
  defaults?: Partial<Limits>;
}): TenantLimits {
  const { storage, runtime } = deps;
  const defaultLimits: Limits = { ...builtIn, ...deps.defaults };
  const now = () => runtime.clock().getTime();
  let known = new Map<string | null, Partial<Limits>>();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;
  const bucketsOf = (name: Flow) => createTokenBuckets(windows[name], (tenantId) => maxOf(tenantId, name));
  const buckets: Readonly<Record<Flow, TokenBuckets>> = {
    requests_per_minute: bucketsOf("requests_per_minute"),
    grants_ended_per_hour: bucketsOf("grants_ended_per_hour"),
    mcp_sessions_ended_per_day: bucketsOf("mcp_sessions_ended_per_day"),
    webhook_tests_and_replays_per_hour: bucketsOf("webhook_tests_and_replays_per_hour"),
  };
  let census: { readonly at: number; readonly grants: Map<string, number> } | null = null;
  let counting: Promise<readonly TenantUse[]> | null = null;

  const limits: TenantLimits = {
    of(tenantId) {
      if (now() - readAt > FRESH_MS) void limits.load().catch(() => undefined);
      return { ...defaultLimits, ...known.get(null), ...known.get(tenantId) };
    },

    admit: (tenantId) => consumeBudget("requests_per_minute", tenantId),

    admitSessionEnd: (tenantId) => consumeBudget("mcp_sessions_ended_per_day", tenantId),

    admitResend: (tenantId) => consumeBudget("webhook_tests_and_replays_per_hour", tenantId),

    grantEnded: (tenantId) => buckets.grants_ended_per_hour.take(tenantId, now()),

    admitGrant(tenantId) {
      requireLeft("grants_ended_per_hour", tenantId);
      const most = maxOf(tenantId, "grants");
      if (most <= EXACT_GRANTS) return { exactly: most };
      if (census === null || now() - census.at > RECOUNT_MS) void count().catch(() => undefined);
      if (census === null) return null;
      const live = census.grants.get(tenantId) ?? 0;
      if (live >= most) throw tenantLimitRefusal("grants", most, RECOUNT_MS / 1_000);
      census.grants.set(tenantId, live + 1);
      return null;
    },

    async show(tenantId) {
      await limits.load();
      if (tenantId === null) return { items: viewsOf(null, null), version: versionFor(null) };
      const id = await requireTenant(tenantId);
      const [use] = await storage.limits.use(id, runtime.clock());
      return { items: viewsOf(id, use ?? null), version: versionFor(id) };
    },

    async change(operator, tenantId, { set, reset, version }) {
      const id = tenantId === null ? null : await requireTenant(tenantId);
      const facts = { ...set, ...Object.fromEntries(reset.map((name) => [name, null])) };
      const entry = auditEntry(runtime, operator, "tenant.limits", "tenant", id ?? "installation", facts);
      const precondition = ifVersion(version, (there: readonly LimitOverride[]) => versionIn(there));
      const change = { set: set as Record<string, number>, reset };
      if (!(await storage.limits.change(id, change, entry, precondition))) throw versionConflict("limits");
      // What is being read may be from before the change.
      await reading?.catch(() => undefined);
      return limits.show(id);
    },

    async pressure() {
      const parts = (await count()).map((use) => {
        const most = limits.of(use.tenant_id);
        return (name: LimitName) => (most[name] > 0 ? (usedOf(name, use.tenant_id, use) ?? 0) / most[name] : 0);
      });
      const pressureOf = (name: LimitName) => {
        let [near, highest] = [0, 0];
        for (const part of parts) {
          if (part(name) >= NEAR) near += 1;
          highest = Math.max(highest, part(name));
        }
        return { near, highest };
      };
      return Object.fromEntries(limitNames.map((name) => [name, pressureOf(name)])) as Record<LimitName, LimitPressure>;
    },

    load() {
      reading ??= storage.limits
        .overrides()
        .then((overrides) => {
          known = byTenant(overrides);
          readAt = now();
        })
        .catch((error: unknown) => {
          // The limits read before stay in use; the next attempt comes when it would have come anyway.
          readAt = now();
          throw error;
        })
        .finally(() => {
          reading = null;
        });
      return reading;
    },
  };
  return limits;

  /** {@link TenantLimits.of} for one limit, without making an object of all limits for every request. */
  function maxOf(tenantId: string, name: LimitName): number {
    if (now() - readAt > FRESH_MS) void limits.load().catch(() => undefined);
    return known.get(tenantId)?.[name] ?? known.get(null)?.[name] ?? defaultLimits[name];
  }

  function consumeBudget(name: Flow, tenantId: string): void {
    requireLeft(name, tenantId);
    buckets[name].take(tenantId, now());
  }

  /** @throws CoreError RATE_LIMITED */
  function requireLeft(name: Flow, tenantId: string): void {
    const seconds = buckets[name].emptyFor(tenantId, now());
    if (seconds > 0) throw tenantLimitRefusal(name, maxOf(tenantId, name), seconds);
  }

  function count(): Promise<readonly TenantUse[]> {
    counting ??= storage.limits
      .use(null, runtime.clock())
      .then((uses) => {
        census = { at: now(), grants: new Map(uses.map(({ tenant_id, grants }) => [tenant_id, grants])) };
        return uses;
      })
      .finally(() => {
        counting = null;
      });
    return counting;
  }

  function versionFor(tenantId: string | null): number {
    const own = Object.entries(known.get(tenantId) ?? {});
    return versionIn(own.map(([name, value]) => ({ name, value })));
  }

  function viewsOf(tenantId: string | null, use: TenantUse | null): LimitView[] {
    const [own, installation] = [tenantId === null ? undefined : known.get(tenantId), known.get(null)];
    return limitNames.map((name) => ({
      name,
      value: own?.[name] ?? installation?.[name] ?? defaultLimits[name],
      source: own?.[name] !== undefined ? "tenant" : installation?.[name] !== undefined ? "installation" : "default",
      used: tenantId === null || use === null ? null : usedOf(name, tenantId, use),
    }));
  }

  function usedOf(name: LimitName, tenantId: string, use: TenantUse): number | null {
    if (name === "history_days") return null;
    return isFlow(name) ? buckets[name].used(tenantId, now()) : use[name];
  }

  async function requireTenant(tenantId: Uuid): Promise<Uuid> {
    const tenant = await storage.tenants.find(tenantId);
    if (!tenant) throw new CoreError("NOT_FOUND", "TenantNotFound");
    return tenant.tenant_id;
  }
}

/** The error for what would exceed a limit of a tenant. Without `seconds` it lasts until something is removed or the limit is raised. */
export function tenantLimitRefusal(name: LimitName, value: number, seconds?: number): CoreError {
  return new CoreError("RATE_LIMITED", `${words[name]}: ${value} at most`, {
    limit: { name, value },
    ...(seconds !== undefined && { retryAfterSeconds: Math.max(1, seconds) }),
  });
}

function versionIn(overrides: readonly Pick<LimitOverride, "name" | "value">[]): number {
  return contentVersion(overrides.map(({ name, value }) => `${name} ${value}`).sort());
}

function isFlow(name: LimitName): name is Flow {
  return Object.hasOwn(windows, name);
}

const words: Readonly<Record<LimitName, string>> = {
  requests_per_minute: "too many requests a minute",
  grants: "the tenant has too many live grants",
  open_sessions: "the tenant has too many open Connect sessions",
  session_bytes: "the filters, labels and notices of the tenant's open Connect sessions are too large together",
  clients: "the tenant has too many clients",
  letters: "the tenant has too many letters",
  document_bytes: "the documents of the tenant's letters are too large together",
  grants_ended_per_hour: "the tenant's clients have ended too many grants within an hour",
  mcp_sessions_ended_per_day: "the tenant's clients have ended too many MCP sessions within a day",
  webhook_endpoints: "the tenant has too many endpoints, of which one has to be deleted first",
  webhook_tests_and_replays_per_hour: "the tenant has asked for too many test events and replays within an hour",
  history_days: "older valuations are not kept",
};

function byTenant(overrides: readonly LimitOverride[]): Map<string | null, Partial<Limits>> {
  const found = new Map<string | null, Partial<Limits>>();
  for (const { tenant_id, name, value } of overrides) {
    // Another version of the server knows this limit, and this one does not.
    if (!Object.hasOwn(builtIn, name)) continue;
    found.set(tenant_id, { ...found.get(tenant_id), [name]: value });
  }
  return found;
}
