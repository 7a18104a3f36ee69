import { CoreError } from "@org/core";
import { INSTALLATION } from "@org/people";
import { z } from "zod";
import { type OwnEndpoint, ownEndpoint } from "../own-endpoint.js";

/** How a tenant appears on what its people hand to clients. */
export const profileEndpoints = [
  ownEndpoint({
    path: "/profile",
    summary: "The name and logo under which one's own tenant appears, for printed reports; operators have none",
    body: z.strictObject({}),
    async handle({ services }, { signedIn: { person } }) {
      if (person.tenant_id === INSTALLATION) throw new CoreError("NOT_FOUND", "TenantNotFound");
      const { name, display_name, logo } = await services.tenantProfiles.show(person.tenant_id);
      return {
        name: display_name ?? name,
        logo: logo && { path: `/logos/${logo.sha256}`, width: logo.width, height: logo.height },
      };
    },
  }),
] as const satisfies readonly OwnEndpoint[];
