import type { TenantLimits } from "@org/core";
import { createEndpointDesk, createEndpointOperations, endpointUrlFault } from "@org/events";
import type { Platform } from "../feature.js";
import { addressRule, loopbackOf } from "../webhooks/address-rule.js";

/** Endpoints of tenants as their applications and operators manage them. What is sent to them is another feature's. */
export function webhooks({
  config,
  database,
  runtime,
  onQueued,
  limits,
}: Pick<Platform, "config" | "database" | "runtime"> & {
  limits: Pick<TenantLimits, "of" | "admitResend">;
  /** Told when there may be something to number or to send. */
  onQueued: () => void;
}) {
  const rule = addressRule(config.webhookPrivateNetworks);

  const store = database.endpointStore;
  const endpoints = createEndpointOperations({
    store,
    runtime,
    onQueued,
    limits,
    urlFault(url) {
      const fault = endpointUrlFault(url);
      if (fault !== null || !url.toLowerCase().startsWith("http:")) return fault;
      const host = new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
      const addresses = loopbackOf(host)?.map(({ address }) => address) ?? [host];
      if (addresses.some(rule.mayReachInClear)) return null;
      return "must be https: WEBHOOK_PRIVATE_NETWORKS does not name this machine";
    },
  });
  return { endpoints, desk: createEndpointDesk({ store, runtime, endpoints }) };
}
