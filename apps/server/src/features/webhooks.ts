import { createEndpointOperations, endpointUrlFault } from "@org/events";
import type { Platform } from "../feature.js";

/** Endpoints of tenants as their applications manage them. What is sent to them is another feature's. */
export function webhooks({ config, database, runtime }: Pick<Platform, "config" | "database" | "runtime">) {
  const isThisMachineAllowed = config.webhookPrivateNetworks.some((block) => /^(127\.|::1\/)/.test(block));

  return createEndpointOperations({
    store: database.endpointStore,
    runtime,
    urlFault(url) {
      const fault = endpointUrlFault(url);
      if (fault !== null || isThisMachineAllowed || !url.toLowerCase().startsWith("http:")) return fault;
      return "must be https: WEBHOOK_PRIVATE_NETWORKS does not name this machine";
    },
  });
}
