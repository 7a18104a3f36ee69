import { createConsoleCookies } from "@org/console-api";
import type { Uuid } from "@org/core";
import { type Config, hasProviderOnly } from "@org/installation";
import type { SignedInPeople } from "@org/oauth-server";
import {
  actorIdOf,
  createPeopleSessions,
  INSTALLATION,
  MAX_PEOPLE,
  PeopleError,
  powerOf,
  type SignedIn,
} from "@org/people";
import type { OpenedStorage } from "@org/storage-postgres";
import { cacheFor } from "../cache-for.js";
import type { Platform } from "../feature.js";

/** Tenants' people on the authorization pages: the person who has signed in to the console with this browser. */
export function approvingPeople({
  config,
  publicUrl,
  storage,
  peopleStores: stores,
  runtime,
  clock,
}: Pick<Platform, "publicUrl" | "runtime" | "clock"> &
  Pick<OpenedStorage, "storage" | "peopleStores"> & {
    config: Pick<Config, "identityProviderOnly" | "identityProviders">;
  }): SignedInPeople {
  const sessions = createPeopleSessions({
    store: stores.sessions,
    runtime,
    hasProviderOnly: (tenantId) => hasProviderOnly(config, tenantId),
  });
  const cookies = createConsoleCookies(publicUrl);
  const hasProvider = config.identityProviders.some(({ rules }) =>
    rules.some(({ tenant_id }) => tenant_id !== INSTALLATION),
  );
  const counts = cacheFor(clock, () => stores.count(runtime.clock(), sessions.seenAfter()));
  const isOfTenant = (role: string) => !role.startsWith("operator");

  return {
    async find(request) {
      const cookie = cookies.session(request);
      const found = cookie === undefined ? null : await sessions.open(cookie).catch(noneSignedIn);
      if (!found || cookie === undefined) return null;
      const { person, session } = found;
      const isOperator = person.tenant_id === INSTALLATION;
      const tenant = isOperator ? null : await storage.tenants.find(person.tenant_id);
      if (!isOperator && !tenant) return null;
      return {
        person_id: person.person_id,
        session_id: session.session_id,
        cookie,
        name: person.name,
        tenant: tenant && { id: tenant.tenant_id, name: tenant.name },
        role: person.role,
        power: powerOf(person.role),
        actor: actorIdOf(person.person_id),
      };
    },
    areThere: async () => hasProvider || (await counts()).some(({ role }) => isOfTenant(role)),
    signInPath: (request) => (request === null ? "/console/authorize" : `/console/authorize#${request}`),
    async signOut(request) {
      const found = await sessions.open(cookies.session(request)).catch(noneSignedIn);
      if (found) await sessions.end(found, found.session.session_id, { trace_id: null, address: null, device: "" });
      return [cookies.clearedSession()];
    },
    async namesOf(tenantId) {
      // Only active people: what the others approved ended with them.
      const query = { tenant_id: tenantId as Uuid, after: null, limit: MAX_PEOPLE, ended: false };
      return new Map((await stores.directory.list(query)).map(({ person_id, name }) => [person_id, name]));
    },
  };
}

function noneSignedIn(error: unknown): SignedIn | null {
  if (error instanceof PeopleError && error.code === "not_signed_in") return null;
  throw error;
}
