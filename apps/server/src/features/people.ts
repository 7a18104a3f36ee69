import { callbackOf } from "@org/console-api";
import { CoreError, parseUuid, type Tenants, type Uuid } from "@org/core";
import { type Config, type Finding, hasProviderOnly, ok, warn } from "@org/installation";
import {
  createIdentityProvider,
  createPeopleOperations,
  createPeopleSessions,
  createProviderFetch,
  createProviderSignIn,
  createSavedViews,
  createSigningIn,
  type IdentityProvider,
  INSTALLATION,
  type PeopleCount,
  PeopleError,
} from "@org/people";
import type { People } from "@org/rest-api";
import type { OpenedStorage } from "@org/storage-postgres";
import type { Feature, Platform } from "../feature.js";
import { gauges } from "../measures.js";
import { tracedFetch } from "../tracing/traced-calls.js";

/** Maximum number of identity providers that an examination contacts, since each may take some seconds. */
const MAX_EXAMINED = 20;

/** People who sign in. The console calls the same services; operators reach them over REST. */
export function people({
  peopleStores: stores,
  runtime,
  publicUrl,
  config,
  tenants,
}: Pick<Platform, "runtime" | "publicUrl"> &
  Pick<OpenedStorage, "peopleStores"> & {
    config: Pick<Config, "identityProviderOnly" | "identityProviders" | "identityProvidersPrivate" | "tracing">;
    tenants: Pick<Tenants, "find">;
  }) {
  const isProviderOnly = (tenantId: Uuid) => hasProviderOnly(config, tenantId);
  const common = { runtime, publicUrl, hasProviderOnly: isProviderOnly };
  const operations = createPeopleOperations({ store: stores.directory, ...common });
  const sessions = createPeopleSessions({ store: stores.sessions, ...common });
  const signingIn = createSigningIn({ stores, sessions, ...common });
  const providers = config.identityProviders.map((settings) =>
    createIdentityProvider({
      settings,
      redirectUri: publicUrl + callbackOf(settings.tenant_id),
      clock: runtime.clock,
      fetch: tracedFetch(
        createProviderFetch({
          isPrivate: config.identityProvidersPrivate,
          isLocal: config.identityProvidersPrivate || settings.issuer.startsWith("http:"),
        }),
        config,
      ),
    }),
  );
  const providerSignIn = providers.length > 0 ? createProviderSignIn({ providers, stores, sessions, runtime }) : null;
  const service: People = {
    list: async (tenantId, search) => operations.list(await ownerOf(tenantId), search),
    invite: async (operator, tenantId, person) => operations.invite(operator, await ownerOf(tenantId), person),
    reinvite: async (operator, tenantId, personId) =>
      operations.inviteAgain(operator, await ownerOf(tenantId), personId),
    change: async (operator, tenantId, personId, change) =>
      operations.change(operator, { tenant_id: await ownerOf(tenantId), isOwn: false }, personId, change),
    end: async (operator, tenantId, personId) =>
      operations.end(operator, { tenant_id: await ownerOf(tenantId), isOwn: false }, personId),
  };
  const count = () => stores.count(runtime.clock(), sessions.seenAfter());
  const feature: Feature = {
    metrics: gauges(count, [
      {
        name: "wealth_connect_people",
        help: "People who may sign in, by role and state",
        labelNames: ["role", "state"],
        set: (gauge, counts) => {
          gauge.reset();
          for (const { role, state, people } of counts) gauge.set({ role, state }, people);
        },
      },
      {
        name: "wealth_connect_people_sessions",
        help: "Sessions of people that live, by role",
        labelNames: ["role"],
        set: (gauge, counts) => {
          gauge.reset();
          for (const { role, state, sessions: live } of counts) if (state === "active") gauge.set({ role }, live);
        },
      },
    ]),
    check: async () => [...checkPeople(await count()), ...(await checkProviders(providers))],
    reap: async (now, limit) => ({ people: await stores.ceremonies.reap(now, sessions.seenAfter(), limit) }),
  };
  const savedViews = createSavedViews({ store: stores.views });
  return { ...feature, people: service, peopleOperations: operations, savedViews, sessions, signingIn, providerSignIn };

  /** @throws CoreError NOT_FOUND */
  async function ownerOf(tenantId: string | null): Promise<Uuid> {
    if (tenantId === null) return INSTALLATION;
    const id = parseUuid((await tenants.find(tenantId))?.tenant_id ?? "");
    if (!id) throw new CoreError("NOT_FOUND", "TenantNotFound");
    return id;
  }
}

/** What `wealth-connect doctor` reports on the identity providers of people. */
export async function checkProviders(
  providers: readonly Pick<IdentityProvider, "settings" | "look">[],
): Promise<readonly Finding[]> {
  const check = "identity providers";
  const faults = await Promise.all(
    providers.slice(0, MAX_EXAMINED).map(({ settings, look }) =>
      look().then(
        () => [],
        (error: unknown) => [
          `${settings.issuer}: ${error instanceof PeopleError ? error.reason : "cannot be examined"}`,
        ],
      ),
    ),
  );
  const found = faults.flat();
  if (providers.length === 0) return [];
  if (found.length > 0) return [warn(check, found.join("; ").slice(0, 1_000), "see docs/how-to/identity-providers.md")];
  return [ok(check, `people can sign in with ${providers.length} of them`)];
}

/** What `wealth-connect doctor` reports on people. */
export function checkPeople(counts: readonly PeopleCount[]): readonly Finding[] {
  const check = "people";
  const sum = (of: "people" | "with_one_passkey", isMeant: (count: PeopleCount) => boolean) =>
    counts.filter(isMeant).reduce((total, count) => total + count[of], 0);
  const isOperator = ({ role, state }: PeopleCount) => role === "operator" && state === "active";
  if (sum("people", isOperator) === 0)
    return [
      warn(
        check,
        "no operator has signed in to the console yet",
        "open the link in DATA_DIR/credentials.json, or make one with wealth-connect people invite EMAIL (people reinvite where it ran out)",
      ),
    ];
  const all = sum("people", ({ state }) => state === "active");
  const atRisk = sum("with_one_passkey", () => true);
  if (atRisk === 0) return [ok(check, `${all} may sign in`)];
  return [
    warn(
      check,
      `${atRisk} of the ${all} who may sign in have one passkey only, ${sum("with_one_passkey", isOperator)} of them operators: they are locked out when it is lost`,
      "ask them to add a second one in the console; wealth-connect people reinvite lets somebody in who has lost theirs",
    ),
  ];
}
