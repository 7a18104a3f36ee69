import type { TenantActor } from "@org/core";
import type { RouteFacts } from "@org/http";
import {
  clientsFamily,
  connectFamily,
  dataFamily,
  type Endpoint,
  eventsFamily,
  type Family,
  lettersFamily,
  operatorFamily,
  pathsOf,
  type RestLimits,
} from "@org/rest-api";
import type { z } from "zod";
import { accountEndpoints } from "./endpoints/account.js";
import { ownApplicationEndpoints } from "./endpoints/applications.js";
import { findEndpoints } from "./endpoints/find.js";
import { nameEndpoints } from "./endpoints/names.js";
import { peopleEndpoints } from "./endpoints/people.js";
import { profileEndpoints } from "./endpoints/profile.js";
import { signInEndpoints } from "./endpoints/sign-in.js";
import { viewEndpoints } from "./endpoints/views.js";
import { MAX_LOGOUT_BYTES, providerPages } from "./provider-pages.js";

/** Prefix of every path of the console's backend. */
export const PREFIX = "/console/api";

/** The only path that takes GET: the event stream. */
export const EVENTS = "/events";

/** Catches every other path of the backend. */
export const NOTHING = `${PREFIX}/*`;

/** Omits the links from the list of sessions: whoever has a link can act for the customer, and this list is open to people who may only read. */
const connectFamilyForPeople: Family<TenantActor> = {
  ...connectFamily,
  endpoints: connectFamily.endpoints.map((each) => (each.operation === "listSessions" ? withoutLinks(each) : each)),
};

/** REST families that a tenant's people may call. */
export const tenantFamilies = [lettersFamily, connectFamilyForPeople, clientsFamily, dataFamily, eventsFamily] as const;

/** The REST family that operators may call. */
export { operatorFamily };

/** Endpoints that REST does not have. */
export const ownEndpoints = [
  ...signInEndpoints,
  ...accountEndpoints,
  ...peopleEndpoints,
  ...ownApplicationEndpoints,
  ...nameEndpoints,
  ...findEndpoints,
  ...viewEndpoints,
  ...profileEndpoints,
] as const;

/** Body and answer of each of these paths, for the console. */
export type OwnPaths = {
  [E in (typeof ownEndpoints)[number] as E["path"]]: {
    readonly body: z.input<E["input"]["schema"]>;
    readonly answer: AsJson<Awaited<ReturnType<E["run"]>>>;
  };
};

/** A value after a JSON round trip: dates are strings, and strings are not branded. */
type AsJson<T> = T extends Date | z.$brand ? string : T extends object ? { [K in keyof T]: AsJson<T[K]> } : T;

const shared = { family: "console", scopes: [], origins: "none" } as const;

/** Returns the routes of the backend, for a server's route table. */
export function consoleApiRoutes(limits: RestLimits): readonly RouteFacts[] {
  const posted = { ...shared, methods: ["POST"] };
  return [
    ...ownEndpoints.map(({ path, summary, input }) => ({
      ...posted,
      path: PREFIX + path,
      summary,
      maxBodyBytes: input.limit(limits).bytes,
    })),
    ...[...tenantFamilies, operatorFamily].flatMap(({ endpoints }) =>
      endpoints.flatMap((endpoint) =>
        pathsOf(endpoint).map((path) => ({
          ...posted,
          path: PREFIX + path,
          summary: `${endpoint.summary}, for people`,
          maxBodyBytes: endpoint.input.limit(limits).bytes,
        })),
      ),
    ),
    ...Object.entries(providerPages).map(([path, { method, summary }]) => ({
      ...shared,
      path,
      summary,
      methods: [method],
      maxBodyBytes: method === "POST" ? MAX_LOGOUT_BYTES : null,
    })),
    { ...shared, methods: ["GET"], path: PREFIX + EVENTS, maxBodyBytes: null, summary: "What happens, as it happens" },
    { ...shared, methods: [], path: NOTHING, maxBodyBytes: null, summary: "No such endpoint" },
  ];
}

function withoutLinks<Who>(endpoint: Endpoint<Who>): Endpoint<Who> {
  return {
    ...endpoint,
    async run(...call) {
      const page = (await endpoint.run(...call)) as { readonly items: readonly object[] };
      return { ...page, items: page.items.map((session) => ({ ...session, widget_url: null })) };
    },
  };
}
