import { APPLICATION_PREFIX, type Application } from "../ports/application-store.js";
import type { Approval, ApprovingPerson } from "../ports/authorization-store.js";
import type {
  ClientLimit,
  EndedGrantFeed,
  Grant,
  GrantStore,
  HeldGrants,
  HolderKey,
  NewGrant,
  Rotation,
  RotationRefusal,
} from "../ports/grant-store.js";
import { endGrants, type GrantRow, type MemoryTables } from "./memory-tables.js";

/** Grants and the feed of ended ones in memory. */
export function memoryGrants(tables: MemoryTables): GrantStore & EndedGrantFeed {
  return {
    async issueGrant(grant, atMost) {
      if (atMost !== undefined && liveOf(tables, grant.tenant_id, grant.created_at) >= atMost) return "full";
      if (!mayGrant(tables, grant) || lacksKey(tables, grant)) return "not_allowed";
      storeGrant(tables, grant, false);
      return "issued";
    },
    async issueAssertedGrant({ assertion, ...grant }, atMost) {
      if (atMost !== undefined && liveOf(tables, grant.tenant_id, grant.created_at) >= atMost) return "full";
      if (!mayAssert(tables, grant) || lacksKey(tables, grant)) return "not_allowed";
      const used = JSON.stringify([assertion.issuer, assertion.jti]);
      if (tables.assertions.has(used)) return "replayed";
      tables.assertions.set(used, assertion.usable_until);
      storeGrant(tables, { ...grant, flow: "asserted", refresh_token_hash: "" }, false);
      const client = tables.clients.get(grant.client_id);
      if (client && client.last_used_at < grant.created_at)
        tables.clients.set(client.client_id, { ...client, last_used_at: grant.created_at });
      return "issued";
    },
    async countLive(tenantId, at) {
      return liveOf(tables, tenantId, at);
    },
    async clientRefsOf(grantId) {
      const row = tables.grants.get(grantId);
      return row ? row.client_refs : [];
    },
    async findGrant(grantId) {
      return tables.grants.get(grantId)?.grant ?? null;
    },
    async rotateRefreshToken(rotation) {
      const row = tables.grants.get(rotation.grant_id);
      const refused = (reason: RotationRefusal) => ({ outcome: "refused", reason, grant: row?.grant ?? null }) as const;
      if (!row) return refused("unknown");
      const reason = refusal(row, rotation);
      if (reason === "reused") {
        const replay = row.consumed?.token_hash === rotation.token_hash ? row.consumed.replay : undefined;
        if (replay && rotation.at < replay.until)
          return { outcome: "replayed", grant: row.grant, response: replay.response };
        endGrants(tables, rotation.at, (grant) => grant.grant_id === rotation.grant_id);
      }
      if (reason) return refused(reason);
      row.consumed = { token_hash: row.token_hash, replay: rotation.replay };
      row.token_hash = rotation.next_token_hash;
      row.grant = {
        ...row.grant,
        is_confidential: row.grant.is_confidential || (rotation.is_authenticated && row.grant.flow === "browser"),
        refresh_expires_at: slide(rotation.at, row.grant.refresh_seconds),
        last_issued_at: rotation.at,
        dpop_jkt: row.grant.dpop_jkt ?? rotation.dpop_jkt ?? null,
      };
      return { outcome: "rotated", grant: row.grant };
    },
    async endGrant(grantId, at, tenantId) {
      const matches = (grant: Grant) =>
        grant.grant_id === grantId && (tenantId === undefined || grant.tenant_id === tenantId);
      return endGrants(tables, at, matches) > 0;
    },
    async endGrantsOfClient({ tenant_id, application_id, client_id, flow, person_id }, at) {
      return endGrants(
        tables,
        at,
        (grant) =>
          grant.tenant_id === tenant_id &&
          grant.client_id === client_id &&
          (application_id === undefined || grant.application_id === application_id) &&
          (flow === undefined || grant.flow === flow) &&
          (person_id === undefined || grant.person_id === person_id) &&
          grant.refresh_expires_at > at,
      );
    },
    async listHolders({ tenant_id, application_id, person_id, at, after, limit }) {
      const held = new Map<string, HeldGrants>();
      for (const { grant, client_refs } of tables.grants.values()) {
        if (grant.ended_at !== null || grant.refresh_expires_at <= at || grant.tenant_id !== tenant_id) continue;
        if (application_id !== undefined && grant.application_id !== application_id) continue;
        if (person_id !== undefined && grant.person_id !== person_id) continue;
        const key = keyOf(grant);
        held.set(key, together(held.get(key), { ...grant, client_refs }));
      }
      const last = after === undefined ? "" : keyOf(after);
      const found = [...held].filter(([key]) => key > last).sort(([a], [b]) => (a < b ? -1 : 1));
      return found.slice(0, limit).map(([, each]) => each);
    },
    async listGrants({ tenant_id, application_id, person_id, client_id, order = "oldest", at, after, limit }) {
      const way = order === "oldest" ? 1 : -1;
      const compare = (one: string, other: string) => way * (one < other ? -1 : Number(one > other));
      return [...tables.grants.values()]
        .map(({ grant, client_refs }) => ({ ...grant, client_refs }))
        .filter((grant) => grant.ended_at === null && grant.refresh_expires_at > at)
        .filter((grant) => after === undefined || compare(grant.grant_id, after) > 0)
        .filter((grant) => tenant_id === undefined || grant.tenant_id === tenant_id)
        .filter((grant) => application_id === undefined || grant.application_id === application_id)
        .filter((grant) => client_id === undefined || grant.client_id === client_id)
        .filter((grant) => person_id === undefined || grant.person_id === person_id)
        .sort((a, b) => compare(a.grant_id, b.grant_id))
        .slice(0, limit);
    },
    endings: () => tables.ended.length + tables.limits.changes,
    async endedGrants(cursor, issuedAfter) {
      const ended = tables.ended.slice(Number(cursor ?? 0)).filter((grant) => grant.last_issued_at > issuedAfter);
      const limited = [...tables.applications.values()].filter(({ client_refs }) => client_refs !== null);
      return {
        ended,
        limited: limited.map(({ application_id, client_id }) => ({ application_id, client_id })),
        cursor: String(tables.ended.length),
      };
    },
    async reapGrants({ at, issuedBefore }, limit) {
      const dead = [...tables.grants.values()]
        .map((row) => row.grant)
        .filter((grant) => grant.ended_at !== null || grant.refresh_expires_at <= at)
        .filter((grant) => grant.last_issued_at < issuedBefore)
        .slice(0, limit);
      for (const grant of dead) tables.grants.delete(grant.grant_id);
      return dead.length;
    },
  };
}

function keyOf({ application_id, client_id, flow, person_id }: HolderKey): string {
  return [application_id, client_id, flow, person_id ?? ""].join("\0");
}

function together(before: HeldGrants | undefined, grant: Grant & ClientLimit): HeldGrants {
  const { application_id, client_id, flow, person_id, scopes, created_at, last_issued_at, refresh_expires_at } = grant;
  const later = (one: Date, other: Date | undefined) => (other !== undefined && other > one ? other : one);
  return {
    application_id,
    client_id,
    flow,
    person_id,
    grants: (before?.grants ?? 0) + 1,
    scopes: [...new Set([...(before?.scopes ?? []), ...scopes])].sort(),
    client_refs:
      grant.client_refs === null || before?.client_refs === null
        ? null
        : [...new Set([...(before?.client_refs ?? []), ...grant.client_refs])].sort(),
    created_at: before !== undefined && before.created_at < created_at ? before.created_at : created_at,
    last_issued_at: later(last_issued_at, before?.last_issued_at),
    refresh_expires_at: later(refresh_expires_at, before?.refresh_expires_at),
  };
}

function liveOf(tables: MemoryTables, tenantId: string | null, at: Date): number {
  return [...tables.grants.values()].filter(
    ({ grant }) => grant.tenant_id === tenantId && grant.ended_at === null && grant.refresh_expires_at > at,
  ).length;
}

/**
 * Whether application and tenant are enabled and the secret is valid, and whether the client, if it is an application, is
 * enabled too.
 */
function mayGrant(tables: MemoryTables, grant: Pick<Grant, "application_id" | "client_id" | "secret_id">): boolean {
  const secrets = tables.applications.get(grant.application_id)?.secrets ?? [];
  return secrets.some(({ secret_id }) => secret_id === grant.secret_id) && areUsable(tables, grant);
}

/** The same for an approval. A person in place of the secret must have the given role and session. */
export function mayApprove(
  tables: MemoryTables,
  approval: Pick<Approval, "tenant_id" | "application_id" | "client_id" | "secret_id"> & {
    readonly person: (Pick<ApprovingPerson, "person_id"> & Partial<ApprovingPerson>) | null;
  },
): boolean {
  const { tenant_id, application_id, person: asked } = approval;
  if (asked === null) return mayGrant(tables, approval);
  const person = tables.people.get(asked.person_id);
  if (person?.tenant_id !== tenant_id || tables.peopleApplications.get(tenant_id) !== application_id) return false;
  if (asked.role !== undefined && asked.role !== person.role) return false;
  if (asked.session_id !== undefined && !person.sessions.has(asked.session_id)) return false;
  return areUsable(tables, approval);
}

/** The same with the trust in an issuer in place of the secret. */
function mayAssert(
  tables: MemoryTables,
  grant: Pick<Grant, "tenant_id" | "application_id" | "client_id" | "secret_id">,
) {
  const trusted = [...tables.trustedIssuers.values()].find(({ trust_id }) => trust_id === grant.secret_id);
  const isOwners = trusted && (trusted.tenant_id === null || trusted.tenant_id === grant.tenant_id);
  const isItsTenant = tables.applications.get(grant.application_id)?.tenant_id === grant.tenant_id;
  return isOwners && isItsTenant && areUsable(tables, grant);
}

function areUsable(
  tables: MemoryTables,
  { application_id, client_id }: Pick<Grant, "application_id" | "client_id">,
): boolean {
  const application = tables.applications.get(application_id);
  if (!application) return false;
  const client = [...tables.applications.values()].find((one) => one.client_id === client_id);
  const isUsable = ({ enabled, tenant_id }: Application) =>
    enabled && !(tenant_id !== null && tables.disabledTenants.has(tenant_id));
  return isUsable(application) && (client ? isUsable(client) : !client_id.startsWith(APPLICATION_PREFIX));
}

/** Whether the client is an application that demands a key, and proved none. */
export function lacksKey(
  tables: MemoryTables,
  { client_id, dpop_jkt }: { readonly client_id: string; readonly dpop_jkt?: string | null },
): boolean {
  const client = [...tables.applications.values()].find((one) => one.client_id === client_id);
  return client?.dpop_bound_access_tokens === true && (dpop_jkt ?? null) === null;
}

/** Stores a new grant. */
export function storeGrant(
  tables: MemoryTables,
  { refresh_token_hash, dpop_jkt = null, ...asked }: NewGrant,
  is_confidential: boolean,
  approval: Pick<Approval, "client_refs"> & { readonly person_id: string | null } = NO_APPROVAL,
): Grant {
  const { client_refs, person_id } = approval;
  const grant = {
    ...asked,
    dpop_jkt,
    is_confidential,
    is_limited: client_refs !== null,
    person_id,
    refresh_expires_at: slide(asked.created_at, asked.refresh_seconds),
    last_issued_at: asked.created_at,
    ended_at: null,
  };
  tables.grants.set(grant.grant_id, { grant, token_hash: refresh_token_hash, client_refs });
  return grant;
}

const NO_APPROVAL = { client_refs: null, person_id: null };

function slide(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000);
}

function refusal({ grant, token_hash }: GrantRow, rotation: Rotation): RotationRefusal | null {
  if (rotation.client_id !== undefined && rotation.client_id !== grant.client_id) return "other_client";
  if (grant.is_confidential && !rotation.is_authenticated) return "unauthenticated";
  if (grant.dpop_jkt !== null && rotation.dpop_jkt === undefined) return "no_proof";
  if (grant.dpop_jkt !== null && grant.dpop_jkt !== rotation.dpop_jkt && !rotation.is_authenticated) return "other_key";
  if (grant.ended_at !== null) return "ended";
  if (token_hash !== rotation.token_hash) return "reused";
  if (grant.refresh_expires_at <= rotation.at) return "expired";
  if (rotation.scopes?.some((scope) => !grant.scopes.includes(scope))) return "scope";
  if (rotation.audience?.some((audience) => !grant.audience.includes(audience))) return "audience";
  return null;
}
