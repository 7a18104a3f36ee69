import type { ProviderCircuit, ProviderCircuits } from "../../ports/provider-circuits.js";
import { type NewEvent, providerEvent } from "../../schemas/event.js";

/** {@link ProviderCircuits} in memory. @param tell appends to the installation's log */
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
