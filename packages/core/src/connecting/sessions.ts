import { createHash } from "node:crypto";
import type { ConnectorFilter } from "@org/connector-filter";
import type { z } from "zod";
import { auditEntry } from "../audit-entry.js";
import { type Connectors, parseFilterOrRefuse, type TokenPage } from "../catalogue/connectors.js";
import { noteClient } from "../connections/connection-changes.js";
import { CoreError, conflict, type Fault, invalidAll, invalidValue } from "../errors.js";
import { checkInput, collectFaults, faultsOf, parseOrRefuse } from "../faults.js";
import { createPager } from "../pager.js";
import type { TenantActor } from "../ports/actor.js";
import { clientsWithin, inLimit, limitFaults } from "../ports/client-limit.js";
import type { Runtime } from "../ports/runtime.js";
import { clientRefOf } from "../schemas/client.js";
import { DATAFEED_TYPE } from "../schemas/connector.js";
import { parseUuid, type Uuid } from "../schemas/identifier.js";
import {
  type ListedSessionView,
  type SessionView,
  sessionConfigurationSchema,
  sessionLanguageOf,
  sessionListSchema,
} from "../schemas/session.js";
import { type LimitsOf, tenantLimitRefusal } from "../tenants/tenant-limits.js";
import { connectionsSeen, seen } from "./session-limit.js";
import { endSession, noChallenge } from "./session-moves.js";
import type { ListedSession, SessionRecord, SessionStore } from "./session-store.js";
import { createSessionViewer, linkContext, widgetUrl } from "./session-view.js";
import type { ConnectingStorage, ConnectingStores } from "./storage.js";

/** Creates and lists Connect sessions for programs; the customer's side is {@link CustomerSessions}. */
export interface Sessions {
  /**
   * Opens a session. `configuration` is the body as sent (contract §5): connector_id, connection_id or neither, and a filter only
   * with neither. `at` prefixes the paths of faults (`configuration` for REST).
   * @throws CoreError VALIDATION_ERROR with every fault, unknown ids included; RATE_LIMITED beyond the tenant's `open_sessions`
   * or `session_bytes`.
   */
  create(
    actor: TenantActor,
    configuration: unknown,
    at?: string,
  ): Promise<{ session: SessionView; widget_url: string }>;
  /**
   * Opens a session for a tool: exactly one of the two ids. `language` is a BCP 47 tag; the widget uses the language it supports
   * that matches.
   * @throws CoreError VALIDATION_ERROR naming both, NOT_FOUND for an unknown id
   */
  createFor(
    actor: TenantActor,
    target: {
      connector_id?: string | undefined;
      connection_id?: string | undefined;
      client_ref?: string | undefined;
      language?: string | undefined;
    },
  ): Promise<{ session: SessionView; widget_url: string }>;
  /** @throws CoreError NOT_FOUND */
  status(actor: TenantActor, sessionId: string): Promise<SessionView>;
  /** `body` = `{query?, page_token?}`, newest first, 100 at a time. */
  list(actor: TenantActor, body: unknown): Promise<TokenPage<ListedSessionView>>;
  /**
   * Ends a session whose link is not to be used any more, as `Finished:Aborted` without an error code.
   * @throws CoreError NOT_FOUND; CONFLICT when it has ended
   */
  end(actor: TenantActor, sessionId: string): Promise<SessionView>;
  /**
   * Ends an open session and opens another one for the same, in one transaction: for whoever has lost its link.
   * @throws CoreError NOT_FOUND; CONFLICT when it has ended; RATE_LIMITED as {@link create}
   */
  renewLink(actor: TenantActor, sessionId: string): Promise<{ session: SessionView; widget_url: string }>;
}

const LIST_PAGE = 100;
/** How often ending a session is tried while its customer moves it on. */
const MAX_END_TRIES = 5;

/** @param redirectUrls returns the redirect URLs registered for the actor's application; a session's URL must equal one of them */
export function createSessions(deps: {
  storage: ConnectingStorage;
  runtime: Runtime;
  connectors: Connectors;
  redirectUrls: (actor: TenantActor) => Promise<readonly string[]>;
  publicUrl: string;
  ttlSeconds: number;
  /** If omitted, there are no limits. */
  limitsOf?: LimitsOf;
  /** The label that stands in for a missing reference of a client. */
  clientLabel?: string;
}): Sessions {
  const { storage, runtime, connectors } = deps;
  const view = createSessionViewer({ vault: runtime.vault, clock: runtime.clock, publicUrl: deps.publicUrl });
  const page = createPager(runtime.mac);

  return {
    async create(actor, configuration, at = "") {
      const wanted = await check(actor, configuration, at);
      return open(actor, wanted);
    },
    async createFor(actor, { connector_id, connection_id, client_ref, language: tag }) {
      if ((connector_id === undefined) === (connection_id === undefined)) {
        const rule = "exactly one of connector_id and connection_id is required";
        const details = [invalidValue("connector_id", rule), invalidValue("connection_id", rule)];
        throw new CoreError("VALIDATION_ERROR", rule, { details });
      }
      const unknown =
        connector_id === undefined
          ? !(await connectionOf(actor, connection_id as string))
          : !(await connectors.find(connector_id, actor.tenant_id));
      if (unknown)
        throw new CoreError("NOT_FOUND", connector_id === undefined ? "no such connection_id" : "no such connector_id");
      const target = connector_id === undefined ? { connection_id } : { connector_id };
      const language = tag === undefined ? null : sessionLanguageOf(tag);
      return open(actor, await check(actor, { ...target, client_ref, language }, ""));
    },
    async status(actor, sessionId) {
      const id = parseUuid(sessionId);
      const record =
        id &&
        (await storage.inTenant(actor.tenant_id, async (stores) => {
          const found = await stores.sessions.find(id);
          return found && (await seen(stores, actor, [found]))[0];
        }));
      if (!record) throw new CoreError("NOT_FOUND", "no such session_id");
      return view(record);
    },
    async list(actor, body) {
      const { query, order, page_token: token } = parseOrRefuse(sessionListSchema, body ?? {});
      const asked = {
        session_id_in: query?.session_id_in ?? null,
        status_in: query?.status_in ?? null,
        connection_id_in: query?.connection_id_in ?? null,
        error_code_in: query?.error_code_in ?? null,
        is_opened: query?.is_opened ?? null,
        order,
      };
      const ids = (list: readonly string[] | null): readonly Uuid[] | null =>
        list?.flatMap((text) => parseUuid(text) ?? []) ?? null;
      const client_ref_in = clientsWithin(actor, null);
      const wanted = {
        ...asked,
        client_ref_in,
        session_id_in: ids(asked.session_id_in),
        connection_id_in: ids(asked.connection_id_in),
      };
      const { rows, next_page_token } = await page({
        query: [actor.tenant_id, asked, ...(client_ref_in ? [client_ref_in] : [])],
        token,
        size: LIST_PAGE,
        rows: (after, limit) =>
          storage.inTenant(actor.tenant_id, async (stores) => {
            if (actor.client_refs === undefined) return stores.sessions.list({ ...wanted, after, limit });
            const connection_id_in = await connectionsSeen(stores, actor, wanted.connection_id_in);
            return seen(stores, actor, await stores.sessions.list({ ...wanted, connection_id_in, after, limit }));
          }),
        keyOf: ({ session_id }) => session_id,
        readKey: parseUuid,
      });
      return { items: await Promise.all(rows.map((row) => listed(actor, row))), next_page_token };
    },
    end: (actor, sessionId) =>
      ending(actor, sessionId, async (found) => {
        const ended = await storage.inTenant(actor.tenant_id, async (stores) => {
          const change = await endSession(stores, runtime, actor, found);
          return change && (await seen(stores, actor, [{ ...found, ...change }]));
        });
        return ended?.[0] ? view(ended[0]) : null;
      }),
    renewLink: (actor, sessionId) =>
      ending(actor, sessionId, async (found) => {
        const made = await prepare(actor, found);
        const isDone = await storage.inTenant(actor.tenant_id, async (stores) => {
          if ((await endSession(stores, runtime, actor, found)) === null) return false;
          await keep(stores, actor, made.record);
          return true;
        });
        return isDone ? shown(made) : null;
      }),
  };

  /** Tries again when the session's customer has just done something. @param end returns null then */
  async function ending<T>(
    actor: TenantActor,
    sessionId: string,
    end: (found: SessionRecord) => Promise<T | null>,
  ): Promise<T> {
    const id = parseUuid(sessionId);
    for (let tries = 0; tries < MAX_END_TRIES; tries += 1) {
      const found = inLimit(
        actor,
        id && (await storage.inTenant(actor.tenant_id, ({ sessions }) => sessions.find(id))),
      );
      if (!found) throw new CoreError("NOT_FOUND", "no such session_id");
      const done = await end(found);
      if (done !== null) return done;
    }
    throw conflict("session_in_use", "its customer is using the session at this moment; try again");
  }

  async function listed({ tenant_id }: TenantActor, record: ListedSession): Promise<ListedSessionView> {
    const { application_id, connector_id, created_at, opened_at, relogin } = record;
    const bank = connector_id === null ? null : await connectors.find(connector_id, tenant_id);
    return {
      ...(await view(record)),
      relogin,
      bank: bank?.name ?? null,
      created_by: application_id,
      created_at: created_at.toISOString(),
      opened_at: opened_at?.toISOString() ?? null,
    };
  }

  type Wanted = Pick<
    SessionRecord,
    | "connector_id"
    | "connection_id"
    | "client_ref"
    | "relogin"
    | "connector_filter"
    | "redirect_url"
    | "labels"
    | "language"
    | "privacy_notice"
  >;

  /** Collects every fault of a configuration: of its shape, between fields, and ids that do not exist. */
  async function check(actor: TenantActor, input: unknown, at: string): Promise<Wanted> {
    const path = (field: string) => (at === "" ? field : `${at}.${field}`);
    const parsed = checkInput(sessionConfigurationSchema, input ?? {});
    const faults: Fault[] = parsed.success ? [] : faultsOf(parsed.error, input ?? {}, at);
    // Check valid fields further even when others are not, so that one answer lists every fault.
    const given = (input !== null && typeof input === "object" ? input : {}) as Partial<
      z.input<typeof sessionConfigurationSchema>
    >;
    const sound = <Field extends keyof typeof given>(field: Field) =>
      faults.some((fault) => fault.field === path(field)) ? null : (given[field] ?? null);
    const [connector_id, connection_id, redirect_url, connector_filter] = [
      sound("connector_id"),
      sound("connection_id"),
      sound("redirect_url"),
      sound("connector_filter"),
    ];

    if (connector_id !== null && connection_id !== null)
      faults.push(
        ...["connector_id", "connection_id"].map((field) =>
          invalidValue(
            path(field),
            `connector_id (${connector_id}) and connection_id (${connection_id}) exclude each other: the first is for a new connection, the second to log in again`,
          ),
        ),
      );
    if (connector_filter !== null && (connector_id !== null || connection_id !== null))
      faults.push(invalidValue(path("connector_filter"), "cannot be combined with connector_id or connection_id"));
    let filter: ConnectorFilter | null = null;
    if (connector_filter !== null)
      filter = collectFaults(faults, () => parseFilterOrRefuse(connector_filter, path("connector_filter")));
    if (filter !== null && connector_id === null && connection_id === null) {
      const fault = await connectors.emptyFilterFault(filter, path("connector_filter"), actor.tenant_id);
      if (fault !== null) faults.push(fault);
    }

    const connection = connection_id === null ? null : await connectionOf(actor, connection_id);
    if (connection_id !== null && !connection)
      faults.push(
        invalidValue(
          path("connection_id"),
          `must be the id of a connection; there is none with the id ${connection_id}`,
        ),
      );
    const client_ref = sound("client_ref");
    if (connection && client_ref !== null && client_ref !== connection.client_ref)
      faults.push(
        invalidValue(
          path("client_ref"),
          connection.client_ref === null
            ? "must be left out: the connection is of no client"
            : `must be left out or be the connection's, which is ${connection.client_ref}`,
        ),
      );
    const ofClient = connection
      ? connection.client_ref
      : clientRefOf(client_ref, sound("labels") ?? {}, deps.clientLabel);
    if (connection_id === null) faults.push(...limitFaults(actor, ofClient, path("client_ref")));
    const connector = connector_id === null ? null : await connectors.find(connector_id, actor.tenant_id);
    if (connector_id !== null && !connector)
      faults.push(
        invalidValue(path("connector_id"), `must be the id of a connector; the catalogue has no ${connector_id}`),
      );
    const target = connector ?? (connection ? await connectors.find(connection.connector_id, actor.tenant_id) : null);
    const targetField = path(connector ? "connector_id" : "connection_id");
    if (target?.type === DATAFEED_TYPE)
      faults.push(
        invalidValue(
          targetField,
          `${target.id} cannot be connected in a session: it is a datafeed connector, whose files come by an authorization letter`,
        ),
      );
    else if (connector && !connector.available)
      faults.push(
        invalidValue(targetField, `${connector.id} cannot be connected: the catalogue has it with available: false`),
      );
    else if (connection && connection.sealed_access === null)
      faults.push(
        invalidValue(
          targetField,
          `the connection ${connection.connection_id} is fed by files and has no login to renew`,
        ),
      );

    if (redirect_url !== null) {
      const registered = await deps.redirectUrls(actor);
      if (!registered.includes(redirect_url))
        faults.push(invalidValue(path("redirect_url"), unregistered(redirect_url, registered)));
    }
    if (!parsed.success || faults.length > 0) throw invalidAll(faults);
    const { labels, language, privacy_notice } = parsed.data;
    return {
      connector_id: connector?.id ?? connection?.connector_id ?? null,
      connection_id: connection?.connection_id ?? null,
      client_ref: ofClient,
      relogin: connection !== null,
      connector_filter: connector || connection ? null : (filter ?? { rules: [] }),
      redirect_url,
      labels: labels ?? {},
      language: language ?? null,
      privacy_notice: privacy_notice ?? null,
    };
  }

  async function open(actor: TenantActor, wanted: Wanted): Promise<{ session: SessionView; widget_url: string }> {
    const made = await prepare(actor, wanted);
    await storage.inTenant(actor.tenant_id, (stores) => keep(stores, actor, made.record));
    return shown(made);
  }

  async function shown({ record, secret }: Awaited<ReturnType<typeof prepare>>) {
    return { session: await view(record), widget_url: widgetUrl(deps.publicUrl, secret) };
  }

  async function prepare(actor: TenantActor, wanted: Wanted) {
    const now = runtime.clock();
    const sessionId = runtime.newId();
    const secret = runtime.newSecret();
    const record: SessionRecord = {
      session_id: sessionId,
      application_id: actor.application_id,
      status: "Waiting:ProvideCredentials",
      error_code: null,
      remark: null,
      connector_id: wanted.connector_id,
      connection_id: wanted.connection_id,
      client_ref: wanted.client_ref,
      relogin: wanted.relogin,
      connector_filter: wanted.connector_filter,
      redirect_url: wanted.redirect_url,
      labels: wanted.labels,
      language: wanted.language,
      privacy_notice: wanted.privacy_notice,
      link_hash: hashOfSecret(secret),
      sealed_link: await runtime.vault.seal(secret, linkContext(sessionId)),
      owner_hash: null,
      opened_at: null,
      ...noChallenge,
      sealed_accesses: null,
      callback_hash: null,
      poll_after: null,
      working_until: null,
      attempts: 0,
      restarts: 0,
      created_at: now,
      updated_at: now,
      expires_at: new Date(now.getTime() + deps.ttlSeconds * 1000),
      version: 1,
    };
    return { record, secret };
  }

  async function keep(stores: ConnectingStores, actor: TenantActor, record: SessionRecord): Promise<void> {
    const { session_id, client_ref, connector_id, created_at: now } = record;
    if (client_ref !== null) await noteClient(stores, actor, client_ref, now, deps.limitsOf?.(actor.tenant_id).clients);
    await stores.sessions.create(record);
    await requireRoom(stores.sessions, actor.tenant_id, now);
    await stores.audit.append(auditEntry(runtime, actor, "session.create", "session", session_id, { connector_id }));
  }

  async function requireRoom(sessions: SessionStore, tenantId: string, now: Date): Promise<void> {
    const most = deps.limitsOf?.(tenantId);
    if (most === undefined) return;
    const { open, bytes, first_ends } = await sessions.countOpen(now);
    const wait = first_ends === null ? undefined : Math.ceil((first_ends.getTime() - now.getTime()) / 1_000);
    if (open > most.open_sessions) throw tenantLimitRefusal("open_sessions", most.open_sessions, wait);
    if (bytes > most.session_bytes) throw tenantLimitRefusal("session_bytes", most.session_bytes, wait);
  }

  async function connectionOf(actor: TenantActor, connectionId: string) {
    const id = parseUuid(connectionId);
    return inLimit(actor, id && (await storage.inTenant(actor.tenant_id, ({ connections }) => connections.find(id))));
  }
}

/** The message includes the registered addresses, because the command that registers another one replaces the list. */
function unregistered(url: string, registered: readonly string[]): string {
  const options = [...registered, url].map((each) => ` --redirect-url ${each}`).join("");
  return `${url} is not registered for this application, which has ${registered.join(", ") || "none"}; addresses are compared exactly, and an operator registers them with: wealth-connect apps update CLIENT_ID${options}`;
}

/** Returns the SHA-256 (hex) of a 256-bit secret, which is stored instead of the secret. */
export function hashOfSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
