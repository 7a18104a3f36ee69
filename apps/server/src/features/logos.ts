import type { TenantProfiles } from "@org/core";
import { answerEmpty, answerJson, answerText, exchangeOf, networkOf, nothingHere, type RouteFacts } from "@org/http";
import { type Request, type Response, Router } from "express";
import type { Feature } from "../feature.js";

const DAY_SECONDS = 86_400;

/** The routes of {@link logos}. */
export const logoRoutes: readonly RouteFacts[] = [
  {
    methods: ["GET", "HEAD"],
    path: "/logos/:sha256",
    family: "widget",
    scopes: [],
    maxBodyBytes: null,
    origins: "none",
    summary: "The logo of a tenant, by its hash",
  },
];

/** Tenants' logos, for pages of this server. The content of an address never changes, so browsers need not ask again. */
export function logos({ tenantProfiles }: { tenantProfiles: Pick<TenantProfiles, "logo"> }): Feature {
  const router = Router();
  router.get("/logos/:sha256", async (request: Request, response: Response) => {
    const sha256 = String(request.params.sha256);
    const logo = await tenantProfiles.logo(sha256, networkOf(exchangeOf(request).address));
    if (logo === null) return answerJson(response, 404, nothingHere);
    const headers = {
      "Cache-Control": `public, max-age=${DAY_SECONDS}, immutable`,
      "Content-Security-Policy": "default-src 'none'",
      "Cross-Origin-Resource-Policy": "same-origin",
      ETag: `"${sha256}"`,
    };
    // `fresh`: the browser's copy has the same entity tag.
    response.set(headers);
    if (request.fresh) answerEmpty(response, 304, headers);
    else answerText(response, 200, logo.media_type, logo.content, headers);
  });
  return { routes: { handle: router } };
}
