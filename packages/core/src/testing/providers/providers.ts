import { nextTurn, withTurn } from "@org/provider-kit";
import type { AuditEntry } from "../../ports/audit-log.js";
import type { ProviderCircuit, ProviderCircuits } from "../../providers/provider-circuits.js";
import type {
  CallTurns,
  ProviderSettingsStore,
  StoredProviderSettings,
} from "../../providers/provider-settings-store.js";
import { type NewEvent, providerEvent } from "../../schemas/event.js";

/** {@link ProviderSettingsStore} in memory. @param keepEntry records a line of the audit trail */
export function memoryProviderSettings(
  keepEntry: (tenantId: string | null, entry: AuditEntry) => Promise<void>,
): ProviderSettingsStore {
  let revision = 0;
  const kept = new Map<string, StoredProviderSettings>();
  const keyOf = (tenantId: string | null, provider: string) => `${tenantId} ${provider}`;
  return {
    revision: async () => String(revision),
    all: async () => ({ revision: String(revision), settings: [...kept.values()] }),
    async keep(settings, entry, precondition = () => true) {
      const key = keyOf(settings.tenant_id, settings.provider);
      if (!precondition(kept.get(key) ?? null)) return false;
      kept.set(key, settings);
      revision += 1;
      await keepEntry(settings.tenant_id, entry);
      return true;
    },
    async remove(tenantId, provider, entry) {
      if (!kept.delete(keyOf(tenantId, provider))) return false;
      await keepEntry(tenantId, entry);
      revision += 1;
      return true;
    },
  };
}

/** {@link CallTurns} in memory, by the machine's clock. */
export function memoryCallTurns(): CallTurns {
  const turns = new Map<string, number[]>();
  return {
    async take(key, limits, longestMs) {
      const known = turns.get(key) ?? [];
      const now = performance.now();
      const turn = nextTurn(known, limits, now);
      const wait_ms = Math.ceil(turn - now);
      if (wait_ms > longestMs) return { granted: false, wait_ms };
      turns.set(key, withTurn(known, turn).slice(-Math.max(...limits.map(({ calls }) => calls))));
      return { granted: true, wait_ms };
    },
  };
}

/** {@link ProviderCircuits} in memory. @param tell appends an event to the installation's log */
export function memoryProviderCircuits(tell: (event: NewEvent) => void): ProviderCircuits {
  const open = new Map<string, ProviderCircuit & { readonly seen_at: Date }>();
  const keyOf = ({ connector_id, tenant_id }: Pick<ProviderCircuit, "connector_id" | "tenant_id">) =>
    JSON.stringify([connector_id, tenant_id]);
  const close = (key: string) => {
    const circuit = open.get(key);
    if (circuit) tell(providerEvent("provider.recovered", circuit));
    return open.delete(key);
  };
  return {
    async opened(circuit, seen_at) {
      const isFirst = !open.has(keyOf(circuit));
      open.set(keyOf(circuit), { ...circuit, seen_at });
      if (isFirst) tell(providerEvent("provider.degraded", circuit));
      return isFirst;
    },
    closed: async (circuit) => close(keyOf(circuit)),
    async forget(before) {
      const gone = [...open].filter(([, { seen_at }]) => seen_at < before);
      for (const [key] of gone) close(key);
      return gone.length;
    },
  };
}
