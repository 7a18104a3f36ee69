import type { AccessRefusal, BankProvider, LoginRequest, LoginStep } from "@org/provider-kit";
import { auditEntry } from "../audit-entry.js";
import type { Connectors } from "../catalogue/connectors.js";
import type { Outcome } from "../catalogue/institution-figures.js";
import {
  accessContext,
  createConnection,
  keepClient,
  publishData,
  saveConnection,
} from "../connections/connection-changes.js";
import { openProgress } from "../connections/pending-fetch.js";
import { identityOf, notifiedHashes, refreshPlanAfterLogin, userKeyIn } from "../connections/refresh-plan.js";
import type { Revocations } from "../connections/revocations.js";
import { customerActor } from "../ports/actor.js";
import type { Runtime, Sleep } from "../ports/runtime.js";
import type { ProviderDirectory } from "../providers/provider-directory.js";
import type { CatalogueConnector } from "../schemas/connector.js";
import { pendingStatus } from "../schemas/credential-status.js";
import type { Uuid } from "../schemas/identifier.js";
import { type Authenticated, type Entered, LoginOfAnother, publicationFor, remarkOn, statusOf } from "./first-data.js";
import { createLoginAccesses, type LoginAccesses } from "./saved-accesses.js";
import { clearedSecrets, createSessionVerdicts, SessionMovedError, statusAt } from "./session-moves.js";
import { canPoll, createSessionSteps, type Located, type ProviderFault, type TypedFields } from "./session-steps.js";
import type { SessionRecord } from "./session-store.js";
import type { ConnectingStorage } from "./storage.js";

const LOGIN_TIMEOUT_MS = 60_000;
const FETCH_TIMEOUT_MS = 120_000;

/** What every call to a bank during a login contains. */
type Question = Omit<LoginRequest, "fields" | "existing_access" | "saveAccess">;

/** The bank of a login, and what the login keeps there. */
interface Place {
  readonly provider: BankProvider;
  readonly connector: CatalogueConnector;
  readonly accesses: LoginAccesses;
}

/** Takes a session from `Processing:*` through its exchange with the bank to its next state. Never throws. */
export function createBankLogin(deps: {
  storage: ConnectingStorage;
  runtime: Runtime;
  connectors: Connectors;
  providers: ProviderDirectory;
  /** The URL to which banks send customers back. */
  callbackUrl: string;
  /** Called when a bank call fails for a reason that is not the customer's. */
  onProviderFault: (fault: ProviderFault) => void;
  /** Takes accesses whose login became no connection. */
  revocations?: Pick<Revocations, "of">;
  /** Called when a login at a bank ends, not when it continues with a question. */
  onLogin?: (login: { readonly connector_id: string; readonly outcome: Outcome }) => void;
  /** Waits while the storage is unavailable; tests pass one that returns immediately. */
  sleep?: Sleep;
}) {
  const { storage, runtime } = deps;
  const steps = createSessionSteps(runtime);
  const { settle, reject, finish, settling, moveIn } = createSessionVerdicts(deps);

  return {
    login: (found: Located, fields: TypedFields): Promise<void> =>
      exchange(found, async (provider, request, accesses) => {
        const existing_access = await accessOf(found);
        await accesses.begin();
        return provider.login({ ...request, fields, existing_access, saveAccess: accesses.save });
      }),

    /** @param answer a text, or the fields of an `ask` */
    answer: (found: Located, answer: string | TypedFields): Promise<void> =>
      exchange(found, async (provider, request) => {
        if (!provider.answer) throw new Error(`${provider.name} takes no answers`);
        const state = await steps.stateOf(found.session);
        const given = typeof answer === "string" ? { answer, fields: {} } : { answer: "", fields: answer };
        return provider.answer({ ...request, ...given, state });
      }),

    /** @param params what the bank's own page sent back with the customer */
    resume: (found: Located, params: TypedFields): Promise<void> =>
      exchange(found, async (provider, request) => {
        if (!provider.resume) throw new Error(`${provider.name} sends nobody to a page`);
        return provider.resume({ ...request, params, state: await steps.stateOf(found.session) });
      }),

    /** Continues with the result of a poll of its challenge. */
    conclude: (found: Located, step: LoginStep): Promise<void> => exchange(found, async () => step),

    /** Gives back what a poll brought to a session that has ended meanwhile. One that goes on may have got the same with an answer. */
    async discard(found: Located, step: LoginStep): Promise<void> {
      const { tenant_id, session } = found;
      if (step.kind !== "authenticated" || session.connector_id === null) return;
      const { session_id } = session;
      const now = await settling(tenant_id, ({ sessions }) => sessions.find(session_id));
      const status = now && statusAt(now, runtime.clock());
      if (status !== "Finished:Aborted" && status !== "Finished:Expired") return;
      const connector = await deps.connectors.find(session.connector_id);
      const provider = connector && deps.providers.for(connector, tenant_id);
      if (connector && provider) await giveBack(tenant_id, authenticatedAs(found, step, { provider, connector }));
    },
  };

  async function exchange(
    found: Located,
    ask: (provider: BankProvider, request: Question, accesses: LoginAccesses) => Promise<LoginStep>,
  ): Promise<void> {
    const { tenant_id, session, trace_id } = found;
    const { session_id } = session;
    let providerName = "unknown";
    try {
      const connector = session.connector_id === null ? null : await deps.connectors.find(session.connector_id);
      const provider = connector && deps.providers.for(connector, tenant_id);
      if (!connector || !provider) throw new Error(`no provider for connector ${session.connector_id}`);
      providerName = provider.name;
      const callback_state = runtime.newSecret();
      const at = { connector_id: connector.id, provider: provider.name };
      const accesses = createLoginAccesses(runtime.vault, session, at, (sealed) =>
        settling(tenant_id, async ({ sessions }) => {
          if (!(await sessions.keepAccesses(session, sealed))) throw new SessionMovedError();
        }),
      );
      const request = {
        ...bankOf(found, connector),
        callback_url: deps.callbackUrl,
        callback_state,
        language: found.language,
        signal: AbortSignal.timeout(LOGIN_TIMEOUT_MS),
      };
      const step = await ask(provider, request, accesses);
      const outcome = await take(found, step, { provider, connector, callback_state, accesses });
      if (outcome !== null) deps.onLogin?.({ connector_id: connector.id, outcome });
    } catch (error) {
      if (error instanceof SessionMovedError) return;
      if (session.connector_id !== null) deps.onLogin?.({ connector_id: session.connector_id, outcome: "failed" });
      deps.onProviderFault({ session_id, provider: providerName, error, trace_id });
      await finish(tenant_id, session, "fail", "InternalError").catch((cause: unknown) =>
        deps.onProviderFault({ session_id, provider: providerName, error: cause, trace_id }),
      );
    }
  }

  /** Returns how the login ended; null while it continues. A customer's existing connection (`AlreadyExists`) is not a failure. */
  async function take(
    found: Located,
    step: LoginStep,
    at: Place & { readonly callback_state: string },
  ): Promise<Outcome | null> {
    const { tenant_id: tenantId, session } = found;
    switch (step.kind) {
      case "challenge":
      case "redirect":
      case "ask":
        await settle(tenantId, session, "challenge", {
          ...(await steps.keep(session, step, at.callback_state)),
          // From now on the bank can be polled, even if no page is open.
          poll_after: step.kind === "challenge" && canPoll(at.provider) ? runtime.clock() : null,
        });
        return null;
      case "rejected":
        await reject(tenantId, session, step.declined ? "AbortedByUser" : undefined);
        return "customer";
      case "failed":
        await finish(tenantId, session, "fail", step.error_code);
        return step.error_code === "UserInteractionNeeded" ? "customer" : "failed";
      case "throttled":
        throw new Error(`the institution wants fewer requests, and the next one in ${step.retry_after} s`);
      case "authenticated":
        return enter(found, step, at);
    }
  }

  /** Goes on with a customer whom the bank has let in. Their access becomes a connection's, or is given back. */
  async function enter(
    found: Located,
    step: Authenticated["step"],
    { provider, connector, accesses }: Place,
  ): Promise<Outcome> {
    const { tenant_id: tenantId, session } = found;
    const before = authenticatedAs(found, step, { provider, connector });
    let { access } = before;
    let stated: string | null = null;
    let isKept = false;
    try {
      if (step.user_key_is_final && (await endBeforeRead(found, before))) return "succeeded";
      const since = await historyStart(found);
      const result = await provider.fetch({
        ...bankOf(found, connector),
        access,
        refresh: false,
        awaited: true,
        since,
        pending_state: null,
        // There is no connection yet: whoever is cut off here logs in again.
        saveAccess: async (renewed) => {
          access = renewed;
        },
        signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
      });
      access = result.access ?? access;
      if (result.refused !== undefined) {
        await refuse(tenantId, session, result.refused);
        return "customer";
      }
      if (result.failed !== undefined) throw new Error(`the first fetch failed: ${result.failed.message}`);
      const userKey = userKeyIn(result);
      stated = userKey === undefined ? null : identityOf(runtime.mac, tenantId, connector.id, userKey);
      const entered = { ...before, access, stated, result, since, sealed_accesses: await accesses.ofEarlier() };
      isKept = await (session.relogin ? renew(found, entered) : connect(found, entered));
      return "succeeded";
    } finally {
      if (!isKept) await giveBack(tenantId, { ...before, access, stated });
    }
  }

  function authenticatedAs(
    { tenant_id, session }: Located,
    step: Authenticated["step"],
    { provider, connector }: Pick<Place, "provider" | "connector">,
  ): Authenticated {
    return {
      connection_id: session.relogin && session.connection_id !== null ? session.connection_id : runtime.newId(),
      connector,
      provider: provider.name,
      step,
      identity: identityOf(runtime.mac, tenant_id, connector.id, step.user_key),
      stated: null,
      access: step.access,
    };
  }

  /**
   * Gives an access back, unless a connection has it: the transaction that fails may have been committed. Connections that may be of
   * the same customer are looked up at each attempt, since the customer may log in again meanwhile.
   */
  async function giveBack(tenantId: string, { connection_id, connector, ...login }: Authenticated): Promise<void> {
    if (deps.revocations === undefined) return;
    const { identity, stated, provider, step } = login;
    const [referenced = null] = notifiedHashes(runtime.mac, provider, {
      references: [step.reference ?? []].flat(),
    }).reference_hashes;
    const sealed_access = await runtime.vault.seal(JSON.stringify(login.access), accessContext(connection_id));
    deps.revocations.of(tenantId, [{ connection_id, connector_id: connector.id, provider, sealed_access }], () =>
      storage.inTenant(tenantId, async ({ connections }) => {
        const found = [
          await connections.find(connection_id),
          await connections.findIdentified(connector.id, identity),
          stated === null ? null : await connections.findIdentified(connector.id, stated),
          ...(referenced === null ? [] : await connections.findReferenced(referenced)),
        ];
        return [...new Map(found.flatMap((one) => (one === null ? [] : [[one.connection_id, one]]))).values()];
      }),
    )();
  }

  /** Ends a login that is known to become no connection. Returns whether it did. */
  async function endBeforeRead({ tenant_id, session }: Located, login: Authenticated): Promise<boolean> {
    const { connection_id, connector, identity } = login;
    if (!session.relogin)
      return settling(tenant_id, async (stores) => {
        const existing = await stores.connections.findIdentified(connector.id, identity);
        if (existing) await moveIn(stores, session, "fail", ofExisting(existing.connection_id));
        return existing !== null;
      });
    const repaired = await settling(tenant_id, ({ connections }) => connections.find(connection_id));
    if (!repaired) throw new SessionMovedError();
    if (repaired.identity_hash === identity) return false;
    await reject(tenant_id, session, "InvalidCredentials", "other_login");
    return true;
  }

  /**
   * Creates the connection with its first snapshot, if there already is one, and completes the session, all in one transaction.
   * Returns false if the customer has a connection.
   */
  async function connect({ tenant_id: tenantId, session, trace_id }: Located, entered: Entered): Promise<boolean> {
    const now = runtime.clock();
    const { connection_id: connectionId, connector } = entered;
    const sealed_access = await runtime.vault.seal(JSON.stringify(entered.access), accessContext(connectionId));
    const plan = await refreshPlanAfterLogin(runtime, entered);
    const publication = await publicationFor(tenantId, entered, runtime);
    return settling(tenantId, async (stores) => {
      // The client may have been renamed or removed since the session was read.
      const client_ref = await keepClient(
        stores,
        async () => (await stores.sessions.find(session.session_id))?.client_ref ?? null,
      );
      const connection = {
        connection_id: connectionId,
        connector_id: connector.id,
        provider: entered.provider,
        bank: connector.name,
        labels: session.labels,
        status: statusOf(pendingStatus(now.toISOString()), entered, now),
        identity_hash: entered.stated ?? entered.identity,
        sealed_access,
        created_at: now,
        client_ref,
      };
      const made = await createConnection(stores, connection, { source: "login", letter_id: null });
      if (!made.created) {
        await moveIn(stores, session, "fail", ofExisting(made.existing));
        return false;
      }
      if (publication) await publishData(stores, connection, publication);
      await stores.refreshes.plan(connectionId, plan);
      await moveIn(stores, session, "succeed", {
        connection_id: connectionId,
        error_code: null,
        remark: remarkOn(entered),
        ...clearedSecrets,
        sealed_accesses: entered.sealed_accesses,
      });
      await stores.audit.append(
        auditEntry(runtime, customerActor(trace_id), "connection.create", "connection", connectionId, {
          connector_id: connector.id,
        }),
      );
      return true;
    });
  }

  /**
   * Renews a connection, which keeps its id, its accounts' ids and its history. A login of another bank user is refused like a
   * wrong password, and false is returned.
   */
  async function renew({ tenant_id: tenantId, session, trace_id }: Located, entered: Entered): Promise<boolean> {
    const now = runtime.clock();
    const { connection_id: connectionId, identity, stated } = entered;
    const sealed_access = await runtime.vault.seal(JSON.stringify(entered.access), accessContext(connectionId));
    const plan = await refreshPlanAfterLogin(runtime, entered);
    const publication = await publicationFor(tenantId, entered, runtime);
    try {
      await settling(tenantId, async (stores) => {
        const connection = await stores.connections.find(connectionId);
        if (!connection) throw new SessionMovedError();
        if (connection.identity_hash !== identity && connection.identity_hash !== stated)
          throw new LoginOfAnother(null);
        // Write in the same order as a concurrent refresh: data, plan, connection. The new plan voids the lease of such a refresh.
        if (publication) await publishData(stores, connection, publication);
        await stores.refreshes.plan(connectionId, plan);
        await saveConnection(
          stores,
          connection,
          { status: statusOf(connection.status, entered, now), sealed_access },
          { source: "login", letter_id: null, isFresh: publication !== null },
        );
        const existing = stated === null ? null : await stores.connections.identify(connectionId, stated);
        if (existing !== null) throw new LoginOfAnother(existing);
        await moveIn(stores, session, "succeed", {
          error_code: null,
          remark: remarkOn(entered),
          ...clearedSecrets,
          sealed_accesses: entered.sealed_accesses,
        });
        await stores.audit.append(
          auditEntry(runtime, customerActor(trace_id), "connection.renew", "connection", connectionId),
        );
      });
      return true;
    } catch (error) {
      if (!(error instanceof LoginOfAnother)) throw error;
      if (error.existing === null) await reject(tenantId, session, "InvalidCredentials", "other_login");
      else await settle(tenantId, session, "fail", ofExisting(error.existing));
      return false;
    }
  }

  /** Handles a bank that accepted the login but refused its data. */
  function refuse(tenantId: string, session: SessionRecord, reason: AccessRefusal): Promise<void> {
    return reason === "rejected"
      ? reject(tenantId, session, "InvalidCredentials")
      : finish(tenantId, session, "fail", "UserInteractionNeeded");
  }

  /** Returns the date of the stored transactions of the connection being repaired; null for a new one. */
  async function historyStart({ tenant_id, session }: Located): Promise<Date | null> {
    const { connection_id } = session;
    if (!session.relogin || connection_id === null) return null;
    const { latest, plan } = await storage.inTenant(tenant_id, async ({ snapshots, refreshes }) => ({
      latest: await snapshots.latest(connection_id, "transaction"),
      plan: await refreshes.find(connection_id),
    }));
    const { history } = await openProgress(runtime.vault, connection_id, plan?.pending ?? null);
    return history ? history.since : (latest?.as_of ?? null);
  }

  /** Returns the stored access of the connection being repaired; null for a new one. */
  async function accessOf({ tenant_id, session }: Located): Promise<unknown> {
    const { connection_id } = session;
    if (!session.relogin || connection_id === null) return null;
    const connection = await storage.inTenant(tenant_id, ({ connections }) => connections.find(connection_id));
    if (!connection?.sealed_access) return null;
    return JSON.parse(await runtime.vault.open(connection.sealed_access, accessContext(connection_id)));
  }
}

/** The end of a session whose customer has a connection already. */
function ofExisting(connection_id: Uuid) {
  return { error_code: "AlreadyExists", connection_id, ...clearedSecrets } as const;
}

function bankOf({ tenant_id }: Located, { id, provider_ref }: CatalogueConnector) {
  return { connector_id: id, provider_ref, for_tenant: tenant_id };
}
