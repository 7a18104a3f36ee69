import { join } from "node:path";
import { createRestApi } from "@org/rest-api";
import { collectAfter } from "../collect-garbage.js";
import { createDocumentSpool } from "../document-spool.js";
import type { Feature, Platform } from "../feature.js";
import type { oauth } from "./oauth.js";

/** The letters, connect and operator APIs and the document that describes them. */
export async function rest({
  config,
  publicUrl,
  clock,
  log,
  services,
  access,
}: Pick<Platform, "config" | "publicUrl" | "clock" | "log"> & {
  services: Parameters<typeof createRestApi>[0]["services"];
  access: Pick<ReturnType<typeof oauth>, "authenticateRest">;
}): Promise<Feature> {
  const handle = createRestApi({
    services,
    authenticate: access.authenticateRest,
    publicUrl,
    allowedOrigins: config.allowedOrigins,
    letterMaxBytes: config.letterMaxBytes,
    onLetterArriving: (bytes) => collectAfter(bytes, "minor"),
    spool: await createDocumentSpool(join(config.dataDir, "uploads")),
    clock,
    admit: services.tenantLimits.admit,
    log,
  });
  return { routes: { handle } };
}
