import { hasEnded } from "@org/letter-lifecycle";
import { auditEntry } from "../audit-entry.js";
import type { CountedClient } from "../connections/client-store.js";
import { makeClient, removeConnection } from "../connections/connection-changes.js";
import { type Revocations, sharing } from "../connections/revocations.js";
import { CoreError, conflict, invalid, invalidAll, invalidValue } from "../errors.js";
import { discontinueLetter, letterNotFound, noteOnLetter } from "../letters/letter-moves.js";
import { searchWords } from "../letters/letter-search.js";
import type { TenantActor } from "../ports/actor.js";
import { clientsWithin, inLimit, type LimitedActor } from "../ports/client-limit.js";
import type { Runtime } from "../ports/runtime.js";
import type { ClientOrder, TenantClientView } from "../schemas/client.js";
import type { Uuid } from "../schemas/identifier.js";
import { type Page, toPage } from "../schemas/paging.js";
import type { LimitsOf } from "../tenants/tenant-limits.js";
import {
  type DeletionPreview,
  type DeletionTarget,
  openSessionsOf,
  previewDeletion,
  type ReadsData,
} from "./deletion-preview.js";
import { endSession, isOpen, statusAt } from "./session-moves.js";
import type { ConnectingStorage, ConnectingStores } from "./storage.js";

/** The clients of a tenant, by its own references. What another tenant has does not exist. */
export interface TenantClients {
  /** `name` is part of a name or reference; case and accents do not matter. */
  list(
    who: LimitedActor & Pick<TenantActor, "tenant_id">,
    query: { name?: string | undefined; order: ClientOrder; page: number; page_size: number },
  ): Promise<Page<TenantClientView>>;
  /** A few for a person who types, by the beginnings of words of their names and references. */
  lookUp(
    tenantId: string,
    text: string,
    limit: number,
  ): Promise<readonly Pick<TenantClientView, "client_ref" | "name">[]>;
  /** @throws CoreError NOT_FOUND */
  show(who: LimitedActor & Pick<TenantActor, "tenant_id">, clientRef: string): Promise<TenantClientView>;
  /**
   * Makes a client that has nothing yet.
   * @throws CoreError VALIDATION_ERROR on `client_ref` if there is one with this reference, RATE_LIMITED beyond the tenant's limit of clients
   */
  create(
    actor: TenantActor,
    client: { client_ref: string; name?: string | null | undefined },
  ): Promise<TenantClientView>;
  /**
   * Changes the name, or the reference everywhere in one transaction.
   * @throws CoreError NOT_FOUND, VALIDATION_ERROR on `new_client_ref` if another client has it
   */
  update(
    actor: TenantActor,
    change: { client_ref: string; name?: string | null | undefined; new_client_ref?: string | undefined },
  ): Promise<TenantClientView>;
  /**
   * Says whose connections or letters are, all or none; null = nobody's. A letter and its connection go together.
   * @throws CoreError NOT_FOUND for an unknown id, VALIDATION_ERROR unless there are ids of one kind, RATE_LIMITED where it makes a client too many
   */
  assign(
    actor: TenantActor,
    target: {
      client_ref: string | null;
      connection_id?: readonly Uuid[] | undefined;
      letter_id?: readonly Uuid[] | undefined;
    },
  ): Promise<{ assigned: number }>;
  /** What deleting a connection or a client, or ending a letter, would take away, and whom it would tell. @throws CoreError NOT_FOUND */
  previewDeletion(who: LimitedActor & Pick<TenantActor, "tenant_id">, target: DeletionTarget): Promise<DeletionPreview>;
  /**
   * Ends everything of a client: ends sessions, discontinues letters and deletes connections, one transaction each, then removes the
   * reference everywhere, from past events and from labels that name it too, in pieces.
   * Whoever was interrupted calls it again. Returns the client as it was.
   * @throws CoreError NOT_FOUND, CONFIRMATION_REQUIRED unless `confirm`, CONFLICT while others keep giving the client something new
   */
  remove(actor: TenantActor, clientRef: string, confirm: boolean): Promise<TenantClientView>;
}

const BATCH = 100;
/** Events, and letters with theirs, that are changed while the tenant's new events wait for their numbers. */
const FORGOTTEN_BATCH = 500;
/** How often what came meanwhile is deleted too. */
const MAX_ROUNDS = 5;

export function createTenantClients(deps: {
  storage: Pick<ConnectingStorage, "inTenant" | "connectionAdmin"> & ReadsData;
  runtime: Runtime;
  /** How long the notice of an end waits, so that it can be withdrawn; 0 if omitted. */
  mailDelayMs?: number;
  /** The setting `CLIENT_LABEL`. */
  clientLabel?: string;
  /** If omitted, accesses are not revoked at the bank. */
  revocations?: Pick<Revocations, "of">;
  /** If omitted, a tenant may have any number of clients. */
  limitsOf?: LimitsOf;
}): TenantClients {
  const { storage, runtime, clientLabel = "client" } = deps;

  return {
    async list(who, { name, order, page, page_size }) {
      const query = { name: name ?? null, client_refs: clientsWithin(who, null), order, page, page_size };
      const { items, total } = await storage.inTenant(who.tenant_id, ({ clients }) => clients.list(query));
      return toPage(items.map(viewOf), total, page, page_size);
    },

    async lookUp(tenantId, text, limit) {
      const words = searchWords(text);
      if (words.length === 0) return [];
      return storage.connectionAdmin.lookUpClients(tenantId, words, limit);
    },

    show: (who, clientRef) =>
      storage.inTenant(who.tenant_id, async (stores) => {
        // Before anything is read: how long counting takes would tell that somebody is there.
        if (!inLimit(who, { client_ref: clientRef })) throw unknownClient();
        return shown(stores, clientRef);
      }),

    create: (actor, { client_ref, name = null }) =>
      storage.inTenant(actor.tenant_id, async (stores) => {
        if (!(await madeNow(stores, actor, client_ref)))
          throw invalid(invalidValue("client_ref", `must not be another client's; ${client_ref} is taken`));
        if (name !== null) await stores.clients.update(client_ref, { name });
        await stores.audit.append(auditOf(actor, "client.create"));
        return shown(stores, client_ref);
      }),

    update: (actor, { client_ref, name, new_client_ref = client_ref }) =>
      storage.inTenant(actor.tenant_id, async (stores) => {
        const change = { client_ref: new_client_ref, ...(name !== undefined && { name }) };
        const outcome = await stores.clients.update(client_ref, change);
        if (outcome === "unknown") throw unknownClient();
        if (outcome === "taken")
          throw invalid(invalidValue("new_client_ref", `must not be another client's; ${new_client_ref} is taken`));
        await stores.audit.append(auditOf(actor, "client.update"));
        return shown(stores, new_client_ref);
      }),

    async assign(actor, { client_ref, connection_id, letter_id }) {
      if ((connection_id === undefined) === (letter_id === undefined)) {
        const rule = "exactly one of connection_id and letter_id is required";
        throw invalidAll([invalidValue("connection_id", rule), invalidValue("letter_id", rule)]);
      }
      // In one order, so that two calls at once wait for each other and never in a circle.
      const ids = [...new Set(connection_id ?? letter_id)].sort();
      await storage.inTenant(actor.tenant_id, async (stores) => {
        if (client_ref !== null) await madeNow(stores, actor, client_ref);
        for (const id of ids) {
          if (letter_id === undefined) await assignConnection(stores, actor, id, client_ref);
          else if (!(await assignLetter(stores, actor, id, client_ref))) throw letterNotFound();
        }
      });
      return { assigned: ids.length };
    },

    previewDeletion: (who, target) => previewDeletion(storage, runtime.clock(), who, target),

    async remove(actor, clientRef, confirm) {
      const tenantId = actor.tenant_id;
      const before = await storage.inTenant(tenantId, (stores) => shown(stores, clientRef));
      if (!confirm) throw confirmationRequired(before);
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        for await (const id of inBatches((after) =>
          storage.inTenant(tenantId, (stores) => openSessionsOf(stores, clientRef, after, BATCH)),
        ))
          await endLogin(actor, clientRef, id);
        for await (const id of idsOf("lettersOf")) await endLetter(actor, clientRef, id);
        for await (const id of idsOf("connectionsOf")) await endConnection(actor, clientRef, id);
        while ((await storage.connectionAdmin.forgetClient(tenantId, clientRef, clientLabel, FORGOTTEN_BATCH)) > 0);
        if (await storage.inTenant(tenantId, (stores) => forget(stores, actor, clientRef))) return before;
      }
      throw conflict(
        "client_in_use",
        "others keep giving this client sessions, connections or letters; delete it again later",
      );

      /** The ids of the client's connections or letters, each batch in a transaction of its own. */
      function idsOf(which: "lettersOf" | "connectionsOf"): AsyncGenerator<Uuid> {
        return inBatches((after) =>
          storage.inTenant(tenantId, ({ clients }) => clients[which](clientRef, after, BATCH)),
        );
      }
    },
  };

  /** @throws CoreError RATE_LIMITED */
  function madeNow(stores: ConnectingStores, { tenant_id }: TenantActor, clientRef: string): Promise<boolean> {
    return makeClient(stores, clientRef, runtime.clock(), deps.limitsOf?.(tenant_id).clients);
  }

  /** Ends a session that is still the client's. One that its customer moves on at this moment is there in the next round. */
  async function endLogin(actor: TenantActor, clientRef: string, id: Uuid): Promise<void> {
    await storage.inTenant(actor.tenant_id, async (stores) => {
      const session = await stores.sessions.find(id);
      if (session?.client_ref === clientRef && isOpen(statusAt(session, runtime.clock())))
        await endSession(stores, runtime, actor, session);
    });
  }

  /** Discontinues a letter that is still the client's, with its connection, if it has not ended. */
  async function endLetter(actor: TenantActor, clientRef: string, id: Uuid): Promise<void> {
    await storage.inTenant(actor.tenant_id, async (stores) => {
      const letter = await stores.letters.find(id);
      if (letter?.client_ref === clientRef && !hasEnded(letter.status))
        await discontinueLetter(stores, runtime, actor, letter, { mail_delay_ms: deps.mailDelayMs });
    });
  }

  /** Deletes a connection that is still the client's, and ends the letter that made it. */
  async function endConnection(actor: TenantActor, clientRef: string, id: Uuid): Promise<void> {
    const removed = await storage.inTenant(actor.tenant_id, async (stores) => {
      const connection = await stores.connections.find(id);
      if (connection?.client_ref !== clientRef) return null;
      const reference = await stores.refreshes.referenceOf(id);
      const letter = await stores.letters.findByConnection(id);
      if (letter) await discontinueLetter(stores, runtime, actor, letter, { mail_delay_ms: deps.mailDelayMs });
      else await removeConnection(stores, connection, null);
      await stores.audit.append(auditEntry(runtime, actor, "connection.delete", "connection", id));
      return { connection, reference };
    });
    if (removed === null) return;
    const staying = sharing(storage, actor.tenant_id, removed.reference);
    deps.revocations?.of(actor.tenant_id, [removed.connection], staying)();
  }

  /** Removes the reference everywhere. Returns false, and changes nothing, if the client has got something new. */
  async function forget(stores: ConnectingStores, actor: TenantActor, clientRef: string): Promise<boolean> {
    const { clients, letters, sessions, audit } = stores;
    // Whoever gives the client something locks this row as well.
    if ((await clients.update(clientRef, {})) === "unknown") return true;
    if ((await clients.connectionsOf(clientRef, null, 1)).length > 0) return false;
    for await (const id of inBatches((after) => openSessionsOf(stores, clientRef, after, BATCH))) {
      const session = await sessions.find(id);
      if (session && isOpen(statusAt(session, runtime.clock()))) return false;
    }
    for await (const id of inBatches((after) => clients.lettersOf(clientRef, after, BATCH))) {
      const letter = await letters.find(id);
      if (letter && (!hasEnded(letter.status) || clientLabel in letter.labels)) return false;
    }
    await clients.remove(clientRef);
    await audit.append(auditOf(actor, "client.delete"));
    return true;
  }

  async function assignConnection(
    stores: ConnectingStores,
    actor: TenantActor,
    id: Uuid,
    clientRef: string | null,
  ): Promise<void> {
    const letter = await stores.letters.findByConnection(id);
    if (letter) await assignLetter(stores, actor, letter.letter_id, clientRef);
    else if (!(await stores.connections.assign(id, clientRef)))
      throw new CoreError("NOT_FOUND", "no such connection_id");
    await stores.audit.append(auditEntry(runtime, actor, "connection.assign", "connection", id));
  }

  /** Returns false if there is no such letter. */
  async function assignLetter(
    stores: ConnectingStores,
    actor: TenantActor,
    id: Uuid,
    client_ref: string | null,
  ): Promise<boolean> {
    const letter = await stores.letterMoves.lock(id);
    if (!letter) return false;
    if (letter.client_ref !== client_ref) await noteOnLetter(stores, runtime, actor, letter, "assign", { client_ref });
    if (letter.connection_id !== null) await stores.connections.assign(letter.connection_id, client_ref);
    return true;
  }

  /** The trail names no client, because a reference may be of a person. */
  function auditOf(actor: TenantActor, action: "client.create" | "client.update" | "client.delete") {
    return auditEntry(runtime, actor, action, "tenant", actor.tenant_id);
  }
}

/** All ids of a list that is read in batches. @param read at most {@link BATCH} ids after the given one */
async function* inBatches(read: (after: Uuid | null) => Promise<readonly Uuid[]>): AsyncGenerator<Uuid> {
  for (let after: Uuid | null = null, found = BATCH; found === BATCH; ) {
    const ids: readonly Uuid[] = await read(after);
    yield* ids;
    found = ids.length;
    after = ids.at(-1) ?? null;
  }
}

async function shown({ clients }: Pick<ConnectingStores, "clients">, clientRef: string): Promise<TenantClientView> {
  const found = await clients.find(clientRef);
  if (!found) throw unknownClient();
  return viewOf(found);
}

function viewOf({ created_at, ...client }: CountedClient): TenantClientView {
  return { ...client, created_at: created_at.toISOString() };
}

function unknownClient(): CoreError {
  return new CoreError("NOT_FOUND", "no such client_ref");
}

function confirmationRequired({ connections, letters }: TenantClientView): CoreError {
  const rule = `nothing was deleted. This would permanently delete ${connections} connections with all of their data and end ${letters} letters; confirm must be true`;
  return new CoreError("CONFIRMATION_REQUIRED", rule, { details: [invalidValue("confirm", "must be true")] });
}
