import { singleFlight } from "@org/admission";
import type {
  ProviderDirectory,
  ProviderGuard,
  ProviderSettingsStore,
  Runtime,
  ServedConnector,
  Sleep,
  StoredProviderSettings,
} from "@org/core";
import type { ProviderDefinition } from "@org/provider-kit";
import { type MadeProvider, makeProvider, NotMade, type ServicesFor } from "./make-provider.js";
import { needsNoSettings, settingsContext } from "./settings-schema.js";

/** The state of a provider under the settings of the installation (tenant null) or of a tenant. */
export interface ProviderStanding {
  readonly name: string;
  readonly tenant_id: string | null;
  readonly state: "available" | "starting" | "unavailable" | "no_settings" | "not_loaded";
  /** Why it could not be started, without a secret. */
  readonly reason: string | null;
  /** When its settings were set; null = there are none. */
  readonly changed_at: Date | null;
}

/** A {@link ProviderDirectory} over the stored settings, and the state of its providers. */
export interface ProviderRegistry extends ProviderDirectory {
  readonly definitions: ReadonlyMap<string, ProviderDefinition>;
  /**
   * For every loaded provider its state for the installation, then for tenants with settings of their own; after these, providers that have
   * stored settings and are not loaded. Both parts are sorted by name.
   */
  standings(): readonly ProviderStanding[];
  /**
   * Reads the stored settings and retries providers that could not be started. Returns when every provider that is starting has started or
   * failed, and after `waitMs` at the latest.
   */
  load(waitMs: number): Promise<void>;
}

/** After how long a provider that could not be started is retried. */
const RETRY_DELAY_MS = 60_000;

/** A provider under one set of settings. */
interface Slot {
  readonly tenant_id: string | null;
  readonly name: string;
  /** Undefined for a provider that needs no settings and has none. */
  stored: StoredProviderSettings | undefined;
  /** The provider that serves now. While one with new settings starts, the previous one serves. */
  made: MadeProvider | null;
  state: "available" | "starting" | "unavailable";
  reason: string | null;
  /** The number of the latest attempt, so that a provider that starts late does not replace a newer one. */
  attempt: number;
  triedAt: number;
}

/**
 * @param deps.servicesFor creates what a provider gets from the server, limited to the hosts of its settings
 * @param deps.onStanding called when a provider could not be started, once for each reason, and when it has started afterwards
 */
export function createProviderRegistry(deps: {
  definitions: readonly ProviderDefinition[];
  store: ProviderSettingsStore;
  runtime: Pick<Runtime, "vault" | "clock">;
  guard: Pick<ProviderGuard, "guard">;
  servicesFor: ServicesFor;
  sleep: Sleep;
  onStanding?: (standing: ProviderStanding) => void;
}): ProviderRegistry {
  const { store, runtime, sleep } = deps;
  const definitions = new Map(deps.definitions.map((definition) => [definition.name, definition]));
  /** By provider, then by tenant. */
  const slots = new Map<string, Map<string | null, Slot>>(deps.definitions.map(({ name }) => [name, new Map()]));
  const comingUp = new Set<Promise<void>>();
  let strangers: readonly StoredProviderSettings[] = [];
  let revision: string | undefined;
  const load = singleFlight(reloadProviders);
  let attempts = 0;
  let generation = 0;
  let offerings = new Map<string | null, string>();

  return {
    definitions,
    for(connector, tenantId) {
      const slot = slotFor(connector.provider, tenantId);
      return slot && servesUnder(slot, connector) ? (slot.made?.provider ?? null) : null;
    },
    ownOf: (name, tenantId) => slots.get(name)?.get(tenantId)?.made?.provider ?? null,
    owners: (name) => [...(slots.get(name)?.keys() ?? [])].filter((tenantId) => tenantId !== null),
    names: [...definitions.keys()],
    has: (name) => definitions.has(name),
    serves(connector, tenantId) {
      if (tenantId !== null) {
        const slot = slotFor(connector.provider, tenantId);
        return slot !== undefined && servesUnder(slot, connector);
      }
      for (const slot of slots.get(connector.provider)?.values() ?? []) if (servesUnder(slot, connector)) return true;
      return false;
    },
    offering(tenantId) {
      // All tenants without settings of their own share one offering, under the empty key.
      const key = tenantId === null || hasOwn(tenantId) ? tenantId : "";
      const known = offerings.get(key);
      if (known !== undefined) return known;
      const made = tenantId === null ? `all ${generation}` : offeringOf(tenantId);
      offerings.set(key, made);
      return made;
    },
    standings() {
      const loaded = [...slots].flatMap(([name, own]) => {
        const all = [...own.values()].map(standingOf);
        if (!own.has(null))
          all.unshift({ name, tenant_id: null, state: "no_settings", reason: null, changed_at: null });
        return all;
      });
      const unknown = strangers.map(({ provider, tenant_id, changed_at }) => ({
        name: provider,
        tenant_id,
        changed_at,
        reason: null,
        state: "not_loaded" as const,
      }));
      return [...loaded.sort(byNameAndTenant), ...unknown.sort(byNameAndTenant)];
    },
    async load(waitMs) {
      await load();
      const over = new AbortController();
      const late = sleep(waitMs, over.signal).catch(() => undefined);
      await Promise.race([Promise.all(comingUp), late]);
      over.abort();
    },
  };

  async function reloadProviders(): Promise<void> {
    if ((await store.revision()) !== revision) {
      const all = await store.all();
      take(all.settings);
      revision = all.revision;
    }
    const now = runtime.clock().getTime();
    for (const own of slots.values())
      for (const slot of own.values())
        if (slot.state === "unavailable" && now - slot.triedAt >= RETRY_DELAY_MS) begin(slot);
  }

  function take(settings: readonly StoredProviderSettings[]): void {
    strangers = settings.filter(({ provider }) => !definitions.has(provider));
    const stored = new Set<Slot>();
    for (const row of settings) {
      const own = slots.get(row.provider);
      if (!own) continue;
      const known = own.get(row.tenant_id);
      const slot = known ?? newSlot(row.provider, row.tenant_id);
      const isNew = known?.stored?.changed_at.getTime() !== row.changed_at.getTime();
      slot.stored = row;
      own.set(row.tenant_id, slot);
      stored.add(slot);
      if (isNew) begin(slot);
    }
    for (const [name, own] of slots) {
      for (const [tenantId, slot] of own) if (slot.stored && !stored.has(slot)) own.delete(tenantId);
      const definition = definitions.get(name);
      if (own.has(null) || !definition || !needsNoSettings(definition)) continue;
      const slot = newSlot(name, null);
      own.set(null, slot);
      begin(slot);
    }
    changed();
  }

  /** Starts a provider; the result becomes its state. */
  function begin(slot: Slot): void {
    attempts += 1;
    const attempt = attempts;
    slot.attempt = attempt;
    slot.triedAt = runtime.clock().getTime();
    if (slot.state !== "available") slot.state = "starting";
    const done = startProvider(slot)
      .then(
        (made) => settle(slot, attempt, made, null),
        (error: unknown) =>
          settle(slot, attempt, null, error instanceof NotMade ? error.message : "a defect of the server"),
      )
      .finally(() => comingUp.delete(done));
    comingUp.add(done);
  }

  async function startProvider({ name, tenant_id, stored }: Slot): Promise<MadeProvider> {
    const definition = definitions.get(name) as ProviderDefinition;
    const made = await makeProvider(
      definition,
      stored === undefined ? {} : await open(stored),
      deps.servicesFor,
      sleep,
    );
    return { ...made, provider: deps.guard.guard(made.provider, tenant_id ?? "") };
  }

  async function open(stored: StoredProviderSettings): Promise<unknown> {
    try {
      return JSON.parse(await runtime.vault.open(stored.sealed, settingsContext(stored.tenant_id, stored.provider)));
    } catch (cause) {
      throw new NotMade("its settings cannot be decrypted with ENCRYPTION_KEYS", { cause });
    }
  }

  function settle(slot: Slot, attempt: number, made: MadeProvider | null, reason: string | null): void {
    if (slot.attempt !== attempt) return;
    const isNews = reason !== slot.reason;
    slot.made = made;
    slot.reason = reason;
    slot.state = made === null ? "unavailable" : "available";
    changed();
    if (isNews && slots.get(slot.name)?.get(slot.tenant_id) === slot) deps.onStanding?.(standingOf(slot));
  }

  function changed(): void {
    generation += 1;
    offerings = new Map();
  }

  function slotFor(name: string, tenantId: string | null): Slot | undefined {
    const own = slots.get(name);
    // A tenant's own settings count even while its provider does not start: the installation's may be another contract.
    return own?.get(tenantId) ?? own?.get(null);
  }

  function hasOwn(tenantId: string): boolean {
    for (const own of slots.values()) if (own.has(tenantId)) return true;
    return false;
  }

  function offeringOf(tenantId: string): string {
    return [...slots.keys()]
      .flatMap((name) => {
        const slot = slotFor(name, tenantId);
        if (!slot?.made) return [];
        return slot.made.serves === null ? name : `${name}#${slot.attempt}`;
      })
      .join(" ");
  }
}

function newSlot(name: string, tenant_id: string | null): Slot {
  return { name, tenant_id, stored: undefined, made: null, state: "starting", reason: null, attempt: 0, triedAt: 0 };
}

function servesUnder({ made }: Slot, { id, provider_ref }: ServedConnector): boolean {
  if (made === null) return false;
  return made.serves === null || provider_ref === undefined || made.serves({ connector_id: id ?? "", provider_ref });
}

function standingOf({ name, tenant_id, state, reason, stored }: Slot): ProviderStanding {
  return { name, tenant_id, state, reason, changed_at: stored?.changed_at ?? null };
}

function byNameAndTenant(one: ProviderStanding, other: ProviderStanding): number {
  const keyOf = ({ name, tenant_id }: ProviderStanding) => `${name} ${tenant_id ?? ""}`;
  return keyOf(one) < keyOf(other) ? -1 : 1;
}
