import { accessContext } from "../connections/connection-changes.js";
import { MAX_REVOCATIONS, type RevocableConnection, type Revocations } from "../connections/revocations.js";
import type { Runtime } from "../ports/runtime.js";
import type { Uuid } from "../schemas/identifier.js";
import type { SessionRecord } from "./session-store.js";
import type { ConnectingStorage } from "./storage.js";

/** Longer than a call of a login takes: one that is under way when its session ends may still make what it has saved. */
const LOGIN_ENDS_MS = 2 * 60_000;
/** From one attempt to the next; later ones are as far apart as the session has ended long ago. */
const RETRY_MS = 5 * 60_000;
/** Sessions that are read at once. */
const PAGE = 1_000;

/** An access that a login has stored before its customer was known (`saveAccess` of a login). */
interface SavedAccess {
  readonly connector_id: string;
  /** The provider's name. */
  readonly provider: string;
  readonly access: unknown;
  /** False once another login of the session has begun. */
  readonly is_current: boolean;
}

type Kept = Pick<SessionRecord, "session_id" | "sealed_accesses">;

/** Reads and changes the accesses that a session keeps. */
function openSaved(vault: Runtime["vault"], { session_id, sealed_accesses }: Kept) {
  const context = { purpose: "session-accesses", row: session_id };
  return {
    async list(): Promise<readonly SavedAccess[]> {
      return sealed_accesses === null ? [] : JSON.parse(await vault.open(sealed_accesses, context));
    },
    /** Null for an empty list. */
    async seal(accesses: readonly SavedAccess[]): Promise<string | null> {
      return accesses.length === 0 ? null : vault.seal(JSON.stringify(accesses), context);
    },
  };
}

/**
 * The accesses that the logins of a session store, as the login under way sees them.
 * @param keep writes them to the session. @throws SessionMovedError when it has moved on
 */
export function createLoginAccesses(
  vault: Runtime["vault"],
  session: Kept,
  at: Pick<SavedAccess, "connector_id" | "provider">,
  keep: (sealed: string | null) => Promise<void>,
) {
  let latest: Kept = session;

  return {
    /** A login begins: what earlier ones have stored is none of it. */
    async begin(): Promise<void> {
      if (latest.sealed_accesses === null) return;
      const earlier = await openSaved(vault, latest).list();
      await store(earlier.map((one) => ({ ...one, is_current: false })));
    },
    async save(access: unknown): Promise<void> {
      await store([...(await openSaved(vault, latest).list()), { ...at, access, is_current: true }]);
    },
    /** What is left to revoke if the login under way becomes a connection: what earlier ones have stored. */
    async ofEarlier(): Promise<string | null> {
      const { list, seal } = openSaved(vault, latest);
      return seal((await list()).filter(({ is_current }) => !is_current));
    },
  };

  async function store(accesses: readonly SavedAccess[]): Promise<void> {
    const sealed_accesses = await openSaved(vault, latest).seal(accesses);
    await keep(sealed_accesses);
    latest = { ...latest, sealed_accesses };
  }
}

export type LoginAccesses = ReturnType<typeof createLoginAccesses>;

/** What logins have made at institutions, as sessions keep it until a connection has it or it is revoked. */
export function createSavedAccesses({
  storage,
  runtime,
  revocations,
}: {
  storage: ConnectingStorage;
  runtime: Pick<Runtime, "clock" | "vault" | "newId">;
  revocations: Pick<Revocations, "once">;
}) {
  return {
    /**
     * Revokes what ended sessions keep, at most `limit` of them. It stays with its session until it is revoked, over failures and ends of
     * servers; a server that has begun is alone with it for {@link RETRY_MS}.
     */
    async revokeDue(limit: number): Promise<void> {
      const now = runtime.clock();
      const found = await storage.upkeep.savedAccesses(now, new Date(now.getTime() - LOGIN_ENDS_MS), limit);
      await Promise.all(found.map(({ tenant_id, session_id }) => revoke(tenant_id, session_id, now)));
    },

    /** All of a tenant that is about to be deleted, as accesses of connections that were not made. */
    async ofTenant(tenantId: string): Promise<readonly RevocableConnection[]> {
      const accesses: RevocableConnection[] = [];
      for (let after: Uuid | null = null, found = PAGE; found === PAGE && accesses.length < MAX_REVOCATIONS; ) {
        const page: readonly Kept[] = await storage.inTenant(tenantId, ({ sessions }) =>
          sessions.withAccesses(after, PAGE),
        );
        for (const session of page) accesses.push(...(await revocable(session)));
        after = page.at(-1)?.session_id ?? null;
        found = page.length;
      }
      return accesses;
    },
  };

  async function revoke(tenantId: string, sessionId: Uuid, now: Date): Promise<void> {
    const session = await storage.inTenant(tenantId, async ({ sessions }) => {
      const ended = await sessions.find(sessionId);
      if (!ended || (ended.poll_after !== null && ended.poll_after > now)) return null;
      const wait = Math.max(RETRY_MS, now.getTime() - ended.updated_at.getTime());
      return (await sessions.reservePoll(ended, new Date(now.getTime() + wait))) ? ended : null;
    });
    if (session && (await revocations.once(tenantId, await revocable(session))))
      await storage.inTenant(tenantId, ({ sessions }) => sessions.keepAccesses(session, null));
  }

  async function revocable(session: Kept): Promise<readonly RevocableConnection[]> {
    const saved = await openSaved(runtime.vault, session).list();
    return Promise.all(
      saved.map(async ({ connector_id, provider, access }) => {
        const connection_id = runtime.newId();
        const sealed_access = await runtime.vault.seal(JSON.stringify(access), accessContext(connection_id));
        return { connection_id, connector_id, provider, sealed_access };
      }),
    );
  }
}
