import type { Authenticate } from "@org/http";
import type { Config } from "@org/installation";
import { collectGarbageAfter } from "@org/letter-documents";
import { createRestApi, type DocumentSpool, restRoutes } from "@org/rest-api";
import type { OpenedStorage } from "@org/storage-postgres";
import { answeredBy, type Feature, type Platform } from "../feature.js";

/** The letters, connect and operator APIs and the OpenAPI document; through `served` the console also serves people. */
export async function rest({
  config,
  publicUrl,
  clock,
  log,
  services,
  authenticate,
  spool,
  runtime,
  keyedRequests,
}: Pick<Platform, "publicUrl" | "clock" | "log" | "runtime"> &
  Pick<OpenedStorage, "keyedRequests"> & {
    config: Pick<Config, "allowedOrigins" | "letterMaxBytes">;
    services: Parameters<typeof createRestApi>[0]["services"];
    authenticate: Authenticate;
    spool: DocumentSpool;
  }) {
  const limits = {
    letterMaxBytes: config.letterMaxBytes,
    onLetterArriving: (bytes: number) => collectGarbageAfter(bytes, "minor"),
    spool,
  };
  const { admit } = services.tenantLimits;
  const idempotency = { store: keyedRequests, runtime };
  const handle = createRestApi({
    services,
    publicUrl,
    clock,
    authenticate,
    admit,
    log,
    idempotency,
    ...limits,
    allowedOrigins: config.allowedOrigins,
  });
  const feature: Feature = { routes: { byRoute: answeredBy(restRoutes(limits), handle) } };
  return { ...feature, served: { services, limits, admit, idempotency } };
}
