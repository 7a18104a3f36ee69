import { createRestApi, type DocumentSpool, restRoutes } from "@org/rest-api";
import { collectAfter } from "../collect-garbage.js";
import { answeredBy, type Feature, type Platform } from "../feature.js";
import type { oauth } from "./oauth.js";

/** The letters, connect and operator APIs and the document that describes them; `served` is what the console serves people, too. */
export async function rest({
  config,
  publicUrl,
  clock,
  log,
  services,
  access,
  spool,
}: Pick<Platform, "config" | "publicUrl" | "clock" | "log"> & {
  services: Parameters<typeof createRestApi>[0]["services"];
  access: Pick<ReturnType<typeof oauth>, "authenticateRest">;
  spool: DocumentSpool;
}) {
  const limits = {
    letterMaxBytes: config.letterMaxBytes,
    onLetterArriving: (bytes: number) => collectAfter(bytes, "minor"),
    spool,
  };
  const { admit } = services.tenantLimits;
  const handle = createRestApi({
    ...{ services, ...limits, publicUrl, clock, admit, log },
    authenticate: access.authenticateRest,
    allowedOrigins: config.allowedOrigins,
  });
  const feature: Feature = { routes: { byRoute: answeredBy(restRoutes(limits), handle) } };
  return { ...feature, served: { services, limits, admit } };
}
