import type { AccessRefusal, BankProvider, FetchedData, LoginStep } from "@org/provider-kit";
import { auditEntry } from "../audit-entry.js";
import { customerActor } from "../ports/actor.js";
import type { ProviderDirectory } from "../ports/provider-directory.js";
import type { Runtime, Sleep } from "../ports/runtime.js";
import type { SessionChange, SessionRecord } from "../ports/session-store.js";
import type { Storage, TenantStores } from "../ports/storage.js";
import { retryWhileUnavailable, sleep } from "../retry.js";
import type { Connector } from "../schemas/connector.js";
import { pendingStatus } from "../schemas/credential-status.js";
import type { Uuid } from "../schemas/identifier.js";
import type { SessionErrorCode, SessionRemark } from "../schemas/session.js";
import type { Located, ProviderFault } from "./challenge-polls.js";
import type { Connectors } from "./connectors.js";
import { accessContext, publicationOf, statusAfter } from "./publication.js";
import { nextDaily } from "./refresh-plan.js";
import { nextSessionStatus, nothingSecret, type SessionEvent, stateContext } from "./session-machine.js";

/** Refused attempts until the session ends, at whichever steps and banks they were (contract §9, §11). */
export const MAX_ATTEMPTS = 3;
const LOGIN_TIMEOUT_MS = 60_000;
const FETCH_TIMEOUT_MS = 120_000;

/** Until sessions have a way back. */
const wayBack = { callback_url: "", callback_state: "", language: "en" } as const;

/** Thrown inside a transaction to undo it when the session has moved on meanwhile. */
class Overtaken extends Error {}

/** Takes a session that is in `Processing:*` through its exchange with the bank to its next state. Never throws. */
export function createBankLogin(deps: {
  storage: Storage;
  runtime: Runtime;
  connectors: Connectors;
  providers: ProviderDirectory;
  onProviderFault: (fault: ProviderFault) => void;
  sleep?: Sleep;
}) {
  const { storage, runtime } = deps;
  const pause = deps.sleep ?? sleep;

  return {
    login: (found: Located, credentials: { username: string; password: string }): Promise<void> =>
      exchange(found, (provider, request) =>
        provider.login({ ...request, ...wayBack, fields: { ...credentials }, existing_access: null }),
      ),

    answer: (found: Located, answer: string): Promise<void> =>
      exchange(found, async (provider, request) => {
        const { session } = found;
        const state =
          session.sealed_state && JSON.parse(await runtime.vault.open(session.sealed_state, stateContext(session)));
        if (!provider.answer) throw new Error(`${provider.name} takes no answers`);
        return provider.answer({ ...request, ...wayBack, state, answer, fields: {} });
      }),

    /** Takes it on with what a poll of its challenge brought. */
    conclude: (found: Located, step: LoginStep): Promise<void> => exchange(found, async () => step),
  };

  async function exchange(
    found: Located,
    ask: (
      provider: BankProvider,
      request: { connector_id: string; provider_ref: string | null; for_tenant: string; signal: AbortSignal },
    ) => Promise<LoginStep>,
  ): Promise<void> {
    const { tenant_id, session, trace_id } = found;
    const { session_id } = session;
    let providerName = "unknown";
    try {
      const connector = session.connector_id === null ? null : await deps.connectors.find(session.connector_id);
      const provider = connector && deps.providers.for(connector, tenant_id);
      if (!connector || !provider) throw new Error(`no provider for connector ${session.connector_id}`);
      providerName = provider.name;
      const step = await ask(provider, {
        connector_id: connector.id,
        provider_ref: connector.provider_ref,
        for_tenant: tenant_id,
        signal: AbortSignal.timeout(LOGIN_TIMEOUT_MS),
      });
      await take(found, step, provider, connector);
    } catch (error) {
      if (error instanceof Overtaken) return;
      deps.onProviderFault({ session_id, provider: providerName, error, trace_id });
      await finish(tenant_id, session, "fail", "InternalError").catch((cause: unknown) =>
        deps.onProviderFault({ session_id, provider: providerName, error: cause, trace_id }),
      );
    }
  }

  async function take(
    found: Located,
    step: LoginStep,
    provider: BankProvider,
    connector: Pick<Connector, "id" | "name" | "provider_ref">,
  ) {
    const { tenant_id: tenantId, session } = found;
    switch (step.kind) {
      case "challenge":
        return settle(tenantId, session, "challenge", {
          challenge: step.challenge,
          sealed_state: await runtime.vault.seal(JSON.stringify(step.state), stateContext(session)),
          poll_after: null,
        });
      case "rejected":
        return reject(tenantId, session);
      case "failed":
        return finish(tenantId, session, "fail", step.error_code);
      case "redirect":
      case "ask":
        return finish(tenantId, session, "fail", "UnsupportedChallengeMethod");
      case "authenticated": {
        const identity = runtime.mac("identity", JSON.stringify([tenantId, connector.id, step.user_key]));
        const result = await provider.fetch({
          connector_id: connector.id,
          provider_ref: connector.provider_ref,
          for_tenant: tenantId,
          access: step.access,
          refresh: false,
          since: null,
          pending_state: null,
          signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
        });
        if (result.refused !== undefined) return refuse(tenantId, session, result.refused);
        if (result.snapshot === undefined) throw new Error("the bank has no data yet");
        const access = result.access ?? step.access;
        if (session.relogin) return renew(found, identity, access, result);
        return connect(found, { identity, access, result, provider, connector });
      }
    }
  }

  /** A new connection with its first snapshot, and the session's success: all or nothing. */
  async function connect(
    { tenant_id: tenantId, session, trace_id }: Located,
    found: {
      identity: string;
      access: unknown;
      result: FetchedData;
      provider: BankProvider;
      connector: { id: string; name: string };
    },
  ) {
    const now = runtime.clock();
    const connectionId = runtime.newId();
    const sealedAccess = await runtime.vault.seal(JSON.stringify(found.access), accessContext(connectionId));
    await settling(tenantId, async (stores) => {
      const made = await stores.connections.create({
        connection_id: connectionId,
        connector_id: found.connector.id,
        bank: found.connector.name,
        provider: found.provider.name,
        labels: session.labels,
        status: statusAfter(pendingStatus(now.toISOString()), found.result, now),
        identity_hash: found.identity,
        sealed_access: sealedAccess,
        created_at: now,
      });
      if (!made.created)
        return moveIn(stores, session, "fail", {
          error_code: "AlreadyExists",
          connection_id: made.existing,
          ...nothingSecret,
        });
      await stores.snapshots.publish(publicationOf(connectionId, found.result.snapshot, now));
      await stores.refreshes.plan(connectionId, nextDaily(connectionId, now));
      await moveIn(stores, session, "succeed", {
        connection_id: connectionId,
        error_code: null,
        remark: remarkOn(found.result),
        ...nothingSecret,
      });
      await stores.audit.append(
        auditEntry(runtime, customerActor(trace_id), "connection.create", "connection", connectionId, {
          connector_id: found.connector.id,
        }),
      );
    });
  }

  /** A re-login: the connection keeps its id, its accounts' ids and its history. Another bank user is refused like a wrong password. */
  async function renew(
    { tenant_id: tenantId, session, trace_id }: Located,
    identity: string,
    access: unknown,
    result: FetchedData,
  ) {
    const now = runtime.clock();
    const connectionId = session.connection_id as Uuid;
    const sealedAccess = await runtime.vault.seal(JSON.stringify(access), accessContext(connectionId));
    const renewed = await settling(tenantId, async (stores) => {
      const connection = await stores.connections.find(connectionId);
      if (!connection) throw new Overtaken();
      if (connection.identity_hash !== identity) return false;
      // In the order of a refresh, which may be under way; the new plan makes its lease void.
      await stores.snapshots.publish(publicationOf(connectionId, result.snapshot, now));
      await stores.connections.save(connectionId, {
        status: statusAfter(connection.status, result, now),
        sealed_access: sealedAccess,
      });
      await stores.refreshes.plan(connectionId, nextDaily(connectionId, now));
      await moveIn(stores, session, "succeed", { error_code: null, remark: remarkOn(result), ...nothingSecret });
      await stores.audit.append(
        auditEntry(runtime, customerActor(trace_id), "connection.renew", "connection", connectionId),
      );
      return true;
    });
    if (!renewed) await reject(tenantId, session, "InvalidCredentials", "other_login");
  }

  /** The bank let the customer in, and then would not give its data. */
  function refuse(tenantId: string, session: SessionRecord, reason: AccessRefusal) {
    return reason === "rejected"
      ? reject(tenantId, session, "InvalidCredentials")
      : finish(tenantId, session, "fail", "UserInteractionNeeded");
  }

  async function reject(
    tenantId: string,
    session: SessionRecord,
    code?: SessionErrorCode,
    remark: SessionRemark | null = null,
  ) {
    const errorCode =
      code ?? (session.status === "Processing:Challenge" ? "InvalidChallengeResponse" : "InvalidCredentials");
    const attempts = session.attempts + 1;
    if (attempts >= MAX_ATTEMPTS) return finish(tenantId, session, "give_up", errorCode, remark);
    return settle(tenantId, session, "reject", { error_code: errorCode, remark, attempts });
  }

  function finish(
    tenantId: string,
    session: SessionRecord,
    event: "fail" | "give_up",
    errorCode: SessionErrorCode,
    remark: SessionRemark | null = null,
  ) {
    return settle(tenantId, session, event, { error_code: errorCode, remark, ...nothingSecret });
  }

  async function settle(
    tenantId: string,
    session: SessionRecord,
    event: SessionEvent,
    change: Omit<SessionChange, "updated_at">,
  ) {
    await settling(tenantId, (stores) => moveIn(stores, session, event, change));
  }

  /** The customer has done their part: a database that is away for a moment is waited for. */
  function settling<T>(tenantId: string, work: (stores: TenantStores) => Promise<T>): Promise<T> {
    return retryWhileUnavailable(pause, () => storage.inTenant(tenantId, work));
  }

  async function moveIn(
    stores: TenantStores,
    session: SessionRecord,
    event: SessionEvent,
    change: Omit<SessionChange, "updated_at">,
  ) {
    const status = nextSessionStatus(session.status, event);
    if (status === null) throw new Error(`a session in ${session.status} cannot ${event}`);
    const now = runtime.clock();
    // Its time is over, even if the clean-up has not come to it yet: what reads as expired stays so.
    if (session.expires_at <= now) throw new Overtaken();
    const moved = await stores.sessions.move(session.session_id, session.version, {
      ...change,
      status,
      working_until: null,
      updated_at: now,
    });
    if (!moved) throw new Overtaken();
  }
}

/** A bank may let somebody in who has nothing there that it shows. What could not be read is no remark. */
function remarkOn({ snapshot: { portfolios } }: FetchedData): SessionRemark | null {
  return portfolios?.length === 0 ? "no_accounts" : null;
}
