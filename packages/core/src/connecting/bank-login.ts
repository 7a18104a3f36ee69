import type { AccessRefusal, BankProvider, FetchedData, FetchResult, LoginRequest, LoginStep } from "@org/provider-kit";
import { auditEntry } from "../audit-entry.js";
import type { Connectors } from "../catalogue/connectors.js";
import type { Outcome } from "../catalogue/institution-figures.js";
import {
  accessContext,
  createConnection,
  keepClient,
  publishData,
  saveConnection,
  statusAfter,
  statusAfterLogin,
} from "../connections/connection-changes.js";
import type { ConnectionRecord } from "../connections/connection-store.js";
import { openProgress } from "../connections/pending-fetch.js";
import { identityOf, refreshPlanAfterLogin, userKeyIn } from "../connections/refresh-plan.js";
import type { RevocableConnection, Revocations } from "../connections/revocations.js";
import { type PreparedPublication, publicationSteps } from "../data/publication.js";
import { staleAt } from "../data/stale-at.js";
import { createEventLoopYielder, runInSteps, waitOf } from "../event-loop-yielder.js";
import { customerActor } from "../ports/actor.js";
import type { Runtime, Sleep } from "../ports/runtime.js";
import type { ProviderDirectory } from "../providers/provider-directory.js";
import type { CatalogueConnector } from "../schemas/connector.js";
import { type CredentialStatus, pendingStatus } from "../schemas/credential-status.js";
import type { Uuid } from "../schemas/identifier.js";
import type { SessionRemark } from "../schemas/session.js";
import { clearedSecrets, createSessionVerdicts, SessionMovedError } from "./session-moves.js";
import { canPoll, createSessionSteps, type Located, type ProviderFault, type TypedFields } from "./session-steps.js";
import type { SessionRecord } from "./session-store.js";
import type { ConnectingStorage } from "./storage.js";

const LOGIN_TIMEOUT_MS = 60_000;
const FETCH_TIMEOUT_MS = 120_000;

/** What every call to a bank during a login contains. */
type Question = Omit<LoginRequest, "fields" | "existing_access">;

/** The bank's first answer after a login: data, or a reason to wait for them. */
type FirstFetch = Exclude<FetchResult, { refused: AccessRefusal } | { failed: { message: string } }>;

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
  /** Takes accesses whose login became no connection, because the customer has one or repairs another's. */
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
      exchange(found, async (provider, request) => {
        const existing_access = await accessOf(found);
        return provider.login({ ...request, fields, existing_access });
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
  };

  async function exchange(
    found: Located,
    ask: (provider: BankProvider, request: Question) => Promise<LoginStep>,
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
      const step = await ask(provider, {
        ...bankOf(found, connector),
        callback_url: deps.callbackUrl,
        callback_state,
        language: found.language,
        signal: AbortSignal.timeout(LOGIN_TIMEOUT_MS),
      });
      const outcome = await take(found, step, { provider, connector, callback_state });
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
    at: { provider: BankProvider; connector: CatalogueConnector; callback_state: string },
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
        await reject(tenantId, session);
        return "customer";
      case "failed":
        await finish(tenantId, session, "fail", step.error_code);
        return step.error_code === "UserInteractionNeeded" ? "customer" : "failed";
      case "throttled":
        throw new Error(`the institution wants fewer requests, and the next one in ${step.retry_after} s`);
      case "authenticated": {
        const { provider, connector } = at;
        const since = await historyStart(found);
        let { access } = step;
        const result = await provider.fetch({
          ...bankOf(found, connector),
          access: step.access,
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
        if (result.refused !== undefined) {
          await refuse(tenantId, session, result.refused);
          return "customer";
        }
        if (result.failed !== undefined) throw new Error(`the first fetch failed: ${result.failed.message}`);
        const identify = (userKey: string) => identityOf(runtime.mac, tenantId, connector.id, userKey);
        const userKey = userKeyIn(result);
        const identity = identify(step.user_key);
        const stated = userKey === undefined ? null : identify(userKey);
        const entered = {
          identity,
          stated,
          access: result.access ?? access,
          step,
          result,
          since,
          provider: provider.name,
        };
        await (session.relogin ? renew(found, entered) : connect(found, { ...entered, connector }));
        return "succeeded";
      }
    }
  }

  /** Creates the connection with its first snapshot, if there already is one, and completes the session, all in one transaction. */
  async function connect(
    { tenant_id: tenantId, session, trace_id }: Located,
    { connector, ...entered }: Entered & { connector: CatalogueConnector },
  ): Promise<void> {
    const now = runtime.clock();
    const connectionId = runtime.newId();
    const sealedAccess = await runtime.vault.seal(JSON.stringify(entered.access), accessContext(connectionId));
    const plan = await refreshPlanAfterLogin(runtime, { ...entered, connection_id: connectionId });
    const publication = await publicationFor(connectionId, tenantId, entered.result);
    const login = { connection_id: connectionId, connector_id: connector.id, provider: entered.provider };
    const existing = await settling(tenantId, async (stores) => {
      // The client may have been renamed or removed since the session was read.
      const client_ref = await keepClient(
        stores,
        async () => (await stores.sessions.find(session.session_id))?.client_ref ?? null,
      );
      const connection = {
        ...login,
        bank: connector.name,
        labels: session.labels,
        status: statusOf(pendingStatus(now.toISOString()), entered, now),
        identity_hash: entered.stated ?? entered.identity,
        sealed_access: sealedAccess,
        created_at: now,
        client_ref,
      };
      const made = await createConnection(stores, connection, { source: "login", letter_id: null });
      if (!made.created) {
        await moveIn(stores, session, "fail", {
          error_code: "AlreadyExists",
          connection_id: made.existing,
          ...clearedSecrets,
        });
        return stores.connections.find(made.existing);
      }
      if (publication) await publishData(stores, connection, publication);
      await stores.refreshes.plan(connectionId, plan);
      await moveIn(stores, session, "succeed", {
        connection_id: connectionId,
        error_code: null,
        remark: remarkOn(entered.result),
        ...clearedSecrets,
      });
      await stores.audit.append(
        auditEntry(runtime, customerActor(trace_id), "connection.create", "connection", connectionId, {
          connector_id: connector.id,
        }),
      );
      return null;
    });
    if (existing) deps.revocations?.of(tenantId, [{ ...login, sealed_access: sealedAccess }], [existing])();
  }

  /**
   * Renews a connection, which keeps its id, its accounts' ids and its history. A login of another bank user is refused like a
   * wrong password.
   */
  async function renew({ tenant_id: tenantId, session, trace_id }: Located, entered: Entered): Promise<void> {
    const now = runtime.clock();
    const connectionId = session.connection_id as Uuid;
    const sealedAccess = await runtime.vault.seal(JSON.stringify(entered.access), accessContext(connectionId));
    const plan = await refreshPlanAfterLogin(runtime, { ...entered, connection_id: connectionId });
    const publication = await publicationFor(connectionId, tenantId, entered.result);
    const refused = await settling(tenantId, async (stores): Promise<LoginOfAnother | null> => {
      const connection = await stores.connections.find(connectionId);
      if (!connection) throw new SessionMovedError();
      const { identity, stated } = entered;
      if (connection.identity_hash !== identity && connection.identity_hash !== stated) {
        const own = await stores.connections.findIdentified(connection.connector_id, stated ?? identity);
        return new LoginOfAnother(connection, own, null);
      }
      // Write in the same order as a concurrent refresh: data, plan, connection. The new plan voids the lease of such a refresh.
      if (publication) await publishData(stores, connection, publication);
      await stores.refreshes.plan(connectionId, plan);
      const renewed = { status: statusOf(connection.status, entered, now), sealed_access: sealedAccess };
      await saveConnection(stores, connection, renewed, {
        source: "login",
        letter_id: null,
        isFresh: publication !== null,
      });
      const existing = stated === null ? null : await stores.connections.identify(connectionId, stated);
      if (existing !== null) throw new LoginOfAnother(connection, await stores.connections.find(existing), existing);
      await moveIn(stores, session, "succeed", {
        error_code: null,
        remark: remarkOn(entered.result),
        ...clearedSecrets,
      });
      await stores.audit.append(
        auditEntry(runtime, customerActor(trace_id), "connection.renew", "connection", connectionId),
      );
      return null;
    }).catch((error: unknown) => {
      if (error instanceof LoginOfAnother) return error;
      throw error;
    });
    if (refused === null) return;
    const { existing, repaired, own } = refused;
    const login: RevocableConnection = { ...repaired, provider: entered.provider, sealed_access: sealedAccess };
    deps.revocations?.of(tenantId, [login], own === null ? [repaired] : [repaired, own])();
    if (existing === null) await reject(tenantId, session, "InvalidCredentials", "other_login");
    else
      await settle(tenantId, session, "fail", {
        error_code: "AlreadyExists",
        connection_id: existing,
        ...clearedSecrets,
      });
  }

  /** Prepares the publication of the first data, before anything is locked; null if there are none yet. */
  async function publicationFor(
    connectionId: Uuid,
    tenantId: string,
    result: FirstFetch,
  ): Promise<PreparedPublication | null> {
    const snapshot = dataOf(result)?.snapshot;
    if (!snapshot) return null;
    const pace = createEventLoopYielder(waitOf(runtime.loop, tenantId));
    const publication = await runInSteps(publicationSteps(connectionId, snapshot, runtime.clock()), pace);
    return { ...publication, stale_at: staleAt(snapshot.as_of, runtime.staleAfterDays) };
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

/** A re-login by another customer than the connection's, or whose data belong to another connection; nothing of it is stored. */
class LoginOfAnother extends Error {
  constructor(
    readonly repaired: ConnectionRecord,
    /** The connection of whoever logged in; null if they have none. */
    readonly own: ConnectionRecord | null,
    /** The connection to which the data belong; null if the login itself is another's. */
    readonly existing: Uuid | null,
  ) {
    super("the login is another customer's");
  }
}

/** A successful login, and what the bank returned for it. */
interface Entered {
  readonly identity: string;
  /** The identity that the data state, if the login could not know it; null if the data do not. */
  readonly stated: string | null;
  readonly access: unknown;
  readonly step: Extract<LoginStep, { kind: "authenticated" }>;
  readonly result: FirstFetch;
  /** What it was asked for. */
  readonly since: Date | null;
  /** The provider's name. */
  readonly provider: string;
}

function bankOf({ tenant_id }: Located, { id, provider_ref }: CatalogueConnector) {
  return { connector_id: id, provider_ref, for_tenant: tenant_id };
}

function dataOf(result: FirstFetch): FetchedData | null {
  return result.snapshot === undefined ? null : result;
}

function statusOf(before: CredentialStatus, { step, result }: Entered, now: Date): CredentialStatus {
  const entered = statusAfterLogin(before, step);
  const data = dataOf(result);
  return data ? statusAfter(entered, data, now, data.more !== undefined) : entered;
}

/** Returns the remark for the customer when the bank shows no accounts, has no data yet, or only part of the data can be read. */
function remarkOn(result: FirstFetch): SessionRemark | null {
  const data = dataOf(result);
  if (!data) return "data_pending";
  const { portfolios, holdings, transactions } = data.snapshot;
  if (data.more === undefined && [portfolios, holdings, transactions].includes(null)) return "data_incomplete";
  return portfolios?.length === 0 ? "no_accounts" : null;
}
