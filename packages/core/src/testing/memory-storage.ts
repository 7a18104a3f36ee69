import type { Postponement, RefreshLease } from "../connections/refresh-store.js";
import { mailEvent } from "../letters/letter-mail.js";
import type { MailLease, OwnedMail } from "../letters/mail-store.js";
import type { AuditEntry, OwnedAuditEntry } from "../ports/audit-log.js";
import { INSTALLATION_LOG, logOf, type NewEvent } from "../schemas/event.js";
import type { Storage } from "../storage.js";
import type { LimitOverride } from "../tenants/limit-store.js";
import { memoryAuditChain, selectLines } from "./audit/audit.js";
import { memoryCatalogue } from "./catalogue/catalogue.js";
import { openSessionBytes, openSessions } from "./connecting/sessions.js";
import { withoutClient, withoutClientLabel } from "./connections/clients.js";
import { memoryConnectionAdmin } from "./connections/connection-admin-queries.js";
import { listConnections } from "./connections/connections.js";
import {
  backlogOf,
  claimIn,
  dueOf,
  endingConsents,
  expediteIn,
  inTurn,
  knownIn,
  postponeIn,
} from "./connections/refreshes.js";
import { memoryExchangeRates } from "./data/exchange-rates.js";
import { readFigure } from "./data/figures.js";
import { connectionsOfClients, readHoldings, readPortfolios, readTransactions } from "./data/reader.js";
import { readTransactionVersions } from "./data/transaction-versions.js";
import { readFacts, sizesOfFacts } from "./data/valuations.js";
import { memoryFeedMappings } from "./feeds/feed-mappings.js";
import { memoryWaitingStatements } from "./feeds/feed-pages.js";
import { memoryLetterAdmin } from "./letters/letter-admin-queries.js";
import { lettersUsed, searchLetters } from "./letters/letters.js";
import { claimMail, doubtMails, dueMails, isAfter, newestFirst } from "./letters/mails.js";
import { createTenantLocks } from "./locks.js";
import {
  cutOffLogins,
  expireSessions,
  type ReapedKind,
  reap,
  reapedKinds,
  savedAccesses,
  silentLetters,
  unpolledChallenges,
} from "./operating/upkeep.js";
import { memoryWorkMarks } from "./operating/work-marks.js";
import { memoryCallTurns, memoryProviderCircuits, memoryProviderSettings } from "./providers/providers.js";
import { draftOf, emptyState, type TenantState } from "./state.js";
import { storesOf } from "./tenant-stores.js";

/** A storage whose events tests can read. */
export interface MemoryStorage extends Storage {
  /** The events that were committed to a log, in the order in which they were appended. */
  eventsOf(tenantId: string): Promise<readonly NewEvent[]>;
}

function withReference(event: NewEvent, from: string, to: string | null): NewEvent {
  const isOf = "client_ref" in event.data && event.data.client_ref === from;
  return isOf ? ({ ...event, data: { ...event.data, client_ref: to } } as NewEvent) : event;
}

/**
 * A {@link Storage} in memory, for tests. It behaves as the database does: one transaction per tenant at a time, all or nothing, no use of
 * the storage from inside `inTenant`, no rows for a tenant that was never created.
 */
export function createMemoryStorage(): MemoryStorage {
  let events: { readonly log: string; readonly event: NewEvent }[] = [];
  const tenants = new Map<string, TenantState>();
  const ownLines = new Map<string, OwnedAuditEntry>();
  const limits = new Map<string, LimitOverride>();
  const locks = createTenantLocks();
  const stateOf = (tenantId: string) => tenants.get(tenantId) ?? emptyState(null);

  /** Lets `work` change a draft of the tenant; the draft takes effect when `work` succeeds. */
  function change<T>(tenantId: string, work: (draft: TenantState) => T | Promise<T>): Promise<T> {
    return locks.run(tenantId, async () => {
      const draft = draftOf(stateOf(tenantId));
      const result = await work(draft);
      for (const { from, to } of draft.newReferences.splice(0))
        events = events.map((one) =>
          one.log === tenantId ? { ...one, event: withReference(one.event, from, to) } : one,
        );
      events.push(...draft.newEvents.splice(0).map((event) => ({ log: logOf(tenantId, event.type), event })));
      tenants.set(tenantId, draft);
      return result;
    });
  }

  /** What all tenants have, each with its tenant. */
  function ofAll<T extends object>(find: (state: TenantState) => readonly T[]): (T & { tenant_id: string })[] {
    locks.refuseNesting();
    return [...tenants].flatMap(([tenant_id, state]) => find(state).map((one) => ({ ...one, tenant_id })));
  }

  async function keepEntry(tenant_id: string | null, entry: AuditEntry): Promise<void> {
    if (tenant_id === null) ownLines.set(entry.audit_id, { tenant_id, ...entry });
    else await change(tenant_id, ({ audit }) => void audit.set(entry.audit_id, { ...entry }));
  }

  const read =
    <Query, Page>(page: (state: TenantState, query: Query) => Page) =>
    async (tenantId: string, query: Query) => {
      locks.refuseNesting();
      return page(stateOf(tenantId), query);
    };

  /** The tenant whose state passes `has`. */
  const tenantWith = (has: (state: TenantState) => boolean) => {
    locks.refuseNesting();
    return [...tenants].find(([, state]) => has(state))?.[0] ?? null;
  };

  const allLines = () => [
    ...ownLines.values(),
    ...[...tenants].flatMap(([tenant_id, { audit }]) => [...audit.values()].map((entry) => ({ tenant_id, ...entry }))),
  ];

  return {
    eventsOf: async (tenantId) => events.filter(({ log }) => log === tenantId).map(({ event }) => event),

    inTenant: (tenantId, work) => change(tenantId, (draft) => work(storesOf(draft))),

    reader: {
      portfolios: read(readPortfolios),
      holdings: read(readHoldings),
      transactions: read(readTransactions),
      transactionVersions: async (tenantId, connectionId, transactionId) =>
        readTransactionVersions(stateOf(tenantId), connectionId, transactionId),
      connectionsOf: (tenantId, client_refs, connection_ids) =>
        read(connectionsOfClients)(tenantId, { client_refs, connection_ids }),
    },
    wealthReader: { facts: read(readFacts), sizes: read(sizesOfFacts) },
    figureReader: { versions: read(readFigure) },
    connectionFinder: { page: read(listConnections) },
    letterFinder: { search: read(searchLetters) },

    catalogue: memoryCatalogue(locks.refuseNesting),
    providerSettings: memoryProviderSettings(keepEntry),
    callTurns: memoryCallTurns(),
    providerCircuits: memoryProviderCircuits((event) => void events.push({ log: INSTALLATION_LOG, event })),
    exchangeRates: memoryExchangeRates((entry) => keepEntry(null, entry)),
    feedMappings: memoryFeedMappings(keepEntry, (tenantId, id) => stateOf(tenantId).connections.has(id)),
    waitingStatements: memoryWaitingStatements(tenants, change),
    workMarks: memoryWorkMarks(keepEntry, (log, event) => void events.push({ log, event })),

    tenants: {
      async create(tenant) {
        locks.refuseNesting();
        const names = [...tenants.values()].map((state) => state.tenant?.name.toLowerCase());
        if (names.includes(tenant.name.toLowerCase())) return false;
        if (stateOf(tenant.tenant_id).tenant) throw new Error(`duplicate key ${tenant.tenant_id}`);
        tenants.set(tenant.tenant_id, emptyState({ ...tenant }));
        return true;
      },
      find: (tenantId) => read((state) => state.tenant)(tenantId, null),
      async list() {
        locks.refuseNesting();
        return [...tenants.values()]
          .flatMap(({ tenant }) => (tenant ? [tenant] : []))
          .sort((a, b) => a.created_at.getTime() - b.created_at.getTime() || (a.tenant_id < b.tenant_id ? -1 : 1));
      },
      remove: (tenantId, entry) =>
        locks.run(tenantId, async () => {
          const { tenant, audit, documents, orphanedObjects: known } = stateOf(tenantId);
          if (!tenant) return false;
          const objects = [...documents.values()].flatMap(({ object_key }) => object_key ?? []);
          const orphanedObjects = new Map([...known, ...objects.map((key) => [key, new Date(0)] as const)]);
          events = events.filter(({ log }) => log !== tenantId);
          tenants.set(tenantId, {
            ...emptyState(null),
            audit: new Map([...audit, [entry.audit_id, entry]]),
            orphanedObjects,
          });
          return true;
        }),
    },

    logos: {
      async logo(sha256) {
        locks.refuseNesting();
        return [...tenants.values()].find(({ profile }) => profile.logo?.sha256 === sha256)?.logo ?? null;
      },
    },

    directory: {
      async sessionByLink(linkHash) {
        const isLinked = (session: { link_hash: string }) => session.link_hash === linkHash;
        const tenantId = tenantWith((state) => [...state.sessions.values()].some(isLinked));
        const session = tenantId && [...stateOf(tenantId).sessions.values()].find(isLinked);
        return session ? { tenant_id: tenantId, session_id: session.session_id } : null;
      },
      async sessionByCallback(callbackHash) {
        const leads = (session: { callback_hash: string | null }) => session.callback_hash === callbackHash;
        const tenantId = tenantWith((state) => [...state.sessions.values()].some(leads));
        const session = tenantId && [...stateOf(tenantId).sessions.values()].find(leads);
        return session ? { tenant_id: tenantId, session_id: session.session_id } : null;
      },
      tenantOfConnection: async (connectionId) => tenantWith((state) => state.connections.has(connectionId)),
      tenantOfLetter: async (letterId) => tenantWith((state) => state.letters.has(letterId)),
      tenantOfMail: async (mailId) => tenantWith((state) => state.mails.has(mailId)),
      feedsOf: async (ids) =>
        ofAll((state) =>
          ids.flatMap((id) => {
            const found = state.connections.get(id) ?? state.letters.get(id);
            return found ? [{ id, connector_id: found.connector_id, connection_id: found.connection_id }] : [];
          }),
        ),
    },

    limits: {
      async overrides() {
        return [...limits.values()];
      },
      async change(tenant_id, { set, reset }, entry, precondition = () => true) {
        if (!precondition([...limits.values()].filter((limit) => limit.tenant_id === tenant_id))) return false;
        for (const name of reset) limits.delete(`${tenant_id} ${name}`);
        for (const [name, value] of Object.entries(set)) limits.set(`${tenant_id} ${name}`, { tenant_id, name, value });
        await keepEntry(tenant_id, entry);
        return true;
      },
      async use(tenantId, at) {
        return [...tenants]
          .filter(([id, { tenant }]) => tenant !== null && (tenantId === null || id === tenantId))
          .map(([tenant_id, state]) => ({
            tenant_id,
            // The authorization server stores grants and the events package endpoints; this storage has neither.
            grants: 0,
            webhook_endpoints: 0,
            open_sessions: openSessions(state, at).length,
            session_bytes: openSessionBytes(state, at),
            ...lettersUsed(state),
            clients: state.clients.size,
          }));
      },
    },

    upkeep: {
      async expireSessions(now, limit) {
        let done = 0;
        for (const tenantId of [...tenants.keys()]) {
          done += await change(tenantId, (draft) => expireSessions(draft, now, limit - done));
        }
        return done;
      },
      silentLetters: async (since, limit) =>
        ofAll((state) => silentLetters(state, since).map((letter_id) => ({ letter_id }))).slice(0, limit),
      cutOffLogins: async (now, limit) =>
        ofAll((state) => cutOffLogins(state, now).map((session_id) => ({ session_id }))).slice(0, limit),
      unpolledChallenges: async (before, now, limit) =>
        ofAll((state) => unpolledChallenges(state, before, now))
          .sort((a, b) => Number(a.poll_after) - Number(b.poll_after))
          .slice(0, limit)
          .map(({ tenant_id, session_id }) => ({ tenant_id, session_id })),
      savedAccesses: async (now, idleSince, limit) =>
        ofAll((state) => savedAccesses(state, now, idleSince).map(({ session_id }) => ({ session_id }))).slice(
          0,
          limit,
        ),
      orphanedObjects: async (now, limit) =>
        ofAll((state) => [...state.orphanedObjects].map(([object_key, due]) => ({ object_key, due })))
          .filter(({ due }) => due <= now)
          .sort((a, b) => Number(a.due) - Number(b.due))
          .slice(0, limit)
          .map(({ tenant_id, object_key }) => ({ tenant_id, object_key })),
      async forgetObjects(objects) {
        for (const { tenant_id, object_key } of objects)
          await change(tenant_id, (draft) => void draft.orphanedObjects.delete(object_key));
      },
      keepMonths: async () => 0,
      async reap(cutoffs, limit) {
        const left = Object.fromEntries(reapedKinds.map((kind) => [kind, limit])) as Record<ReapedKind, number>;
        for (const tenantId of [...tenants.keys()])
          await change(tenantId, (draft) => reap(tenantId, draft, cutoffs, left));
        return Object.fromEntries(Object.entries(left).map(([kind, rest]) => [kind, limit - rest]));
      },
    },

    refreshQueue: {
      known: async ({ tenant_id, connection_id }) => knownIn(stateOf(tenant_id), connection_id),
      async claim({ limit, except_tenants, shares, ...request }) {
        const due = [...tenants]
          .filter(([tenant_id]) => !except_tenants.includes(tenant_id))
          .flatMap(([tenant_id, state]) => dueOf(state, request.now).map((plan) => ({ tenant_id, ...plan })))
          .sort((a, b) => a.due_at.getTime() - b.due_at.getTime());
        const leases: RefreshLease[] = [];
        const postponed: Postponement[] = [];
        for (const { tenant_id, connection_id, connector_id } of (shares ? inTurn(due, shares) : due).slice(0, limit)) {
          const whose = { tenant_id, connection_id, connector_id };
          const later = await change(tenant_id, (draft) => postponeIn(draft, connection_id, request.now));
          if (later) postponed.push({ ...whose, ...later });
          else if (await change(tenant_id, (draft) => claimIn(draft, connection_id, request)))
            leases.push({ ...whose, lease: request.lease });
        }
        return { leases, postponed };
      },
      async expedite({ tenant_id, except_tenants, ...told }) {
        let named = 0;
        for (const [id, state] of tenants)
          if ((tenant_id === null || id === tenant_id) && !except_tenants.includes(id) && state.refreshes.size > 0)
            named += await change(id, (draft) => expediteIn(draft, { ...told, tenant_id, except_tenants }));
        return named;
      },
      async endingConsents(now, limit) {
        locks.refuseNesting();
        return [...tenants]
          .flatMap(([tenant_id, state]) =>
            endingConsents(state, now).map((connection_id) => ({ tenant_id, connection_id })),
          )
          .slice(0, limit);
      },
      async backlog(now) {
        locks.refuseNesting();
        return backlogOf([...tenants.values()], now);
      },
    },

    mailQueue: {
      async claim({ limit, except_tenants, ...request }) {
        const due = [...tenants]
          .filter(([tenant_id]) => !except_tenants.includes(tenant_id))
          .flatMap(([tenant_id, state]) => dueMails(state, request.now).map((mail) => ({ tenant_id, ...mail })))
          .sort((a, b) => a.due_at.getTime() - b.due_at.getTime());
        const leases: MailLease[] = [];
        for (const { tenant_id, mail_id } of due.slice(0, limit))
          if (await change(tenant_id, (draft) => claimMail(draft, mail_id, request)))
            leases.push({ tenant_id, mail_id, lease: request.lease });
        return leases;
      },
      async doubt(now, reason) {
        const doubted: OwnedMail[] = [];
        for (const tenant_id of [...tenants.keys()]) {
          const mails = await change(tenant_id, (draft) => {
            const found = doubtMails(draft, now, reason);
            draft.newEvents.push(...found.map((mail) => mailEvent("in_doubt", { tenant_id, ...mail })));
            return found;
          });
          doubted.push(...mails.map((mail) => ({ tenant_id, ...mail })));
        }
        return doubted;
      },
      async list({ tenant_id, state_in, after, limit }) {
        locks.refuseNesting();
        return [...tenants]
          .filter(([id]) => tenant_id === null || id === tenant_id)
          .flatMap(([id, state]) => [...state.mails.values()].map((mail) => ({ tenant_id: id, ...mail })))
          .filter((mail) => (state_in === null || state_in.includes(mail.state)) && isAfter(mail, after))
          .sort(newestFirst)
          .slice(0, limit);
      },
      async backlog() {
        locks.refuseNesting();
        const all = [...tenants.values()].flatMap((state) => [...state.mails.values()]);
        const count = (state: string) => all.filter((mail) => mail.state === state).length;
        return { queued: count("queued"), in_doubt: count("in_doubt"), failed: count("failed") };
      },
    },

    letterAdmin: memoryLetterAdmin(tenants),
    connectionAdmin: {
      ...memoryConnectionAdmin(tenants),
      async forgetClient(tenantId, clientRef, label) {
        const ids = await change(tenantId, (draft) => withoutClientLabel(draft, clientRef, label));
        const changed = events.map(({ log, event }) =>
          log === tenantId ? withoutClient(event, { clientRef, label, ids }) : null,
        );
        events = events.map((one, nth) => ({ ...one, event: changed[nth] ?? one.event }));
        return ids.size + changed.filter((event) => event !== null).length;
      },
    },

    auditTrail: {
      async append(entries) {
        locks.refuseNesting();
        for (const { tenant_id, ...entry } of entries)
          if (tenant_id === null) ownLines.set(entry.audit_id, ownLines.get(entry.audit_id) ?? { tenant_id, ...entry });
          else
            await change(
              tenant_id,
              ({ audit }) => void audit.set(entry.audit_id, audit.get(entry.audit_id) ?? { ...entry }),
            );
      },
      async list(query) {
        locks.refuseNesting();
        return selectLines(allLines(), query);
      },
    },

    auditChain: memoryAuditChain(allLines, ({ tenant_id, audit_id }) => {
      if (tenant_id === null) ownLines.delete(audit_id);
      else stateOf(tenant_id).audit.delete(audit_id);
    }),
  };
}
