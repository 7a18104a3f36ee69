import { createHash } from "node:crypto";
import { auditEntry } from "../audit-entry.js";
import type { ConnectionRecord } from "../connections/connection-store.js";
import { MAX_REVOCATIONS, type RevocableConnection, type Revocations } from "../connections/revocations.js";
import { contentVersion, ifVersion, versionConflict } from "../content-version.js";
import { CoreError, conflict, invalid, invalidValue } from "../errors.js";
import { decodeDocument } from "../letters/letter-documents.js";
import type { LetterStorage } from "../letters/storage.js";
import type { Actor } from "../ports/actor.js";
import type { Runtime } from "../ports/runtime.js";
import { isStorableText, parseUuid, type Uuid } from "../schemas/identifier.js";
import { pictureFacts } from "../tenants/logo.js";
import type { TenantAccess } from "../tenants/tenant-access.js";
import { type Logo, MAX_LOGO, type TenantProfile, type TenantProfileChange } from "../tenants/tenant-profile.js";
import type { LogoContent, OwnProfile, ProfileChange } from "../tenants/tenant-profile-store.js";
import type { TenantRecord } from "../tenants/tenant-store.js";

/** A tenant as an operator sees it, with whether its applications are switched on. */
export interface TenantView extends TenantRecord {
  readonly enabled: boolean;
}

/** Tenants as an operator manages them. */
export interface Tenants {
  /** @throws CoreError VALIDATION_ERROR on `name` (1–100 characters), CONFLICT when the name is taken */
  create(operator: Actor, name: string): Promise<TenantView>;
  /** Oldest first. */
  list(): Promise<readonly TenantView[]>;
  /** Takes an id as a person writes it; null if no tenant has it. */
  find(tenantId: string): Promise<TenantRecord | null>;
  /** @throws CoreError NOT_FOUND */
  show(tenantId: Uuid): Promise<TenantView>;
  /** Switches all applications of a tenant off, which ends their grants for good, or on again. @throws CoreError NOT_FOUND */
  setEnabled(operator: Actor, tenantId: Uuid, enabled: boolean): Promise<TenantView>;
  /**
   * Deletes a tenant with everything stored for it; only ids in the audit trail stay. It is switched off first. If the rest fails, it stays
   * switched off, and the deletion can be repeated.
   * @throws CoreError NOT_FOUND, CONFIRMATION_REQUIRED (nothing has changed)
   */
  remove(operator: Actor, tenantId: Uuid, confirmed: boolean): Promise<void>;
}

export function createTenants(deps: {
  storage: LetterStorage;
  runtime: Runtime;
  access: TenantAccess;
  /** If absent, no access is given back to an institution. */
  revocations?: Pick<Revocations, "of">;
  /** What logins of a tenant have made at institutions and no connection has. */
  ofLogins?: (tenantId: string) => Promise<readonly RevocableConnection[]>;
}): Tenants {
  const { storage, runtime, access } = deps;
  const require = async (tenantId: Uuid) => {
    const tenant = await storage.tenants.find(tenantId);
    if (!tenant) throw new CoreError("NOT_FOUND", "TenantNotFound");
    return tenant;
  };

  return {
    async find(tenantId) {
      const id = parseUuid(tenantId.toLowerCase());
      return id && storage.tenants.find(id);
    },
    async create(operator, name) {
      const trimmed = name.trim();
      if (trimmed === "" || trimmed.length > 100 || !isStorableText(trimmed))
        throw invalid(invalidValue("name", "must be 1 to 100 characters"));
      const tenant = { tenant_id: runtime.newId(), name: trimmed, created_at: runtime.clock() };
      if (!(await storage.tenants.create(tenant)))
        throw conflict("name_taken", `the name ${JSON.stringify(trimmed)} is taken`, {
          details: [invalidValue("name", "must not be the name of another tenant")],
        });
      await storage.inTenant(tenant.tenant_id, ({ audit }) =>
        audit.append(auditEntry(runtime, operator, "tenant.create", "tenant", tenant.tenant_id)),
      );
      return { ...tenant, enabled: true };
    },
    async list() {
      const [tenants, disabled] = await Promise.all([storage.tenants.list(), access.disabled()]);
      return tenants.map((tenant) => ({ ...tenant, enabled: !disabled.has(tenant.tenant_id) }));
    },
    async show(tenantId) {
      const [tenant, disabled] = await Promise.all([require(tenantId), access.disabled()]);
      return { ...tenant, enabled: !disabled.has(tenant.tenant_id) };
    },
    async setEnabled(operator, tenantId, enabled) {
      const tenant = await require(tenantId);
      await access.setEnabled(tenant.tenant_id, enabled, operator);
      return { ...tenant, enabled };
    },
    async remove(operator, tenantId, confirmed) {
      const { tenant_id } = await require(tenantId);
      if (!confirmed)
        throw new CoreError(
          "CONFIRMATION_REQUIRED",
          "deletes the tenant and everything stored for it: confirm with true",
          {
            details: [invalidValue("confirm", "must be true")],
          },
        );
      await access.setEnabled(tenant_id, false, operator);
      const entry = auditEntry(runtime, operator, "tenant.delete", "tenant", tenant_id);
      const accesses = [await accessesOf(storage, tenant_id), (await deps.ofLogins?.(tenant_id)) ?? []].flat();
      const revoke = deps.revocations?.of(tenant_id, accesses);
      if (!(await storage.tenants.remove(tenant_id, entry))) throw new CoreError("NOT_FOUND", "TenantNotFound");
      revoke?.();
    },
  };
}

/** Accesses of a tenant that is about to be deleted, up to the number that can wait in memory to be given back. */
async function accessesOf(storage: LetterStorage, tenantId: string): Promise<readonly RevocableConnection[]> {
  const found: RevocableConnection[] = [];
  for (let after: Uuid | null = null; found.length < MAX_REVOCATIONS; ) {
    const page: readonly ConnectionRecord[] = await storage.inTenant(tenantId, ({ connections }) =>
      connections.withAccess(after, ACCESS_PAGE),
    );
    for (const { connection_id, connector_id, provider, sealed_access } of page)
      found.push({ connection_id, connector_id, provider, sealed_access });
    after = page.at(-1)?.connection_id ?? null;
    if (page.length < ACCESS_PAGE) break;
  }
  return found;
}

const ACCESS_PAGE = 1_000;

/** The profiles that tenants show to bank customers and custodians, managed by operators. */
export interface TenantProfiles {
  /** @throws CoreError NOT_FOUND */
  show(tenantId: Uuid): Promise<OwnProfile>;
  /**
   * Sets and resets parts of a profile; the others stay as they are.
   * @throws CoreError NOT_FOUND, VALIDATION_ERROR on `set.logo`, CONFLICT when `version` is out of date
   */
  change(
    operator: Actor,
    tenantId: Uuid,
    change: {
      readonly set: TenantProfileChange;
      readonly reset: readonly (keyof TenantProfile)[];
      readonly version?: number | undefined;
    },
  ): Promise<OwnProfile>;
  /** By SHA-256 in hex; anyone who knows the hash may see the logo. @param network that of the caller */
  logo(sha256: string, network: string): Promise<LogoContent | null>;
}

export function createTenantProfiles(deps: { storage: LetterStorage; runtime: Runtime }): TenantProfiles {
  const { storage, runtime } = deps;

  return {
    show: async (tenantId) => known(await storage.inTenant(tenantId, ({ profile }) => profile.find())),

    async change(operator, tenantId, { set, reset, version }) {
      const precondition = ifVersion(version, profileVersion);
      const { logo, ...texts } = set;
      const change: ProfileChange = {
        ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value != null)),
        ...(logo != null && { logo: logoOf(logo) }),
        ...Object.fromEntries(reset.map((field) => [field, null])),
      };
      const facts = Object.fromEntries(
        Object.entries(change).map(([field, value]) => [field, value === null ? "reset" : "set"]),
      );
      return storage.inTenant(tenantId, async ({ profile, audit }) => {
        const before = known(await profile.lock());
        if (precondition?.(before) === false) throw versionConflict("profile");
        await profile.change(change);
        await audit.append(auditEntry(runtime, operator, "tenant.update", "tenant", tenantId, facts));
        return known(await profile.find());
      });
    },

    logo: async (sha256, network) => (/^[0-9a-f]{64}$/.test(sha256) ? storage.logos.logo(sha256, network) : null),
  };
}

/** The version of a profile as it is shown. */
export function profileVersion({
  display_name,
  legal_name,
  postal_address,
  privacy_url,
  support_contact,
  logo,
}: TenantProfile): number {
  return contentVersion(display_name, legal_name, postal_address, privacy_url, support_contact, logo?.sha256);
}

/** @throws CoreError NOT_FOUND if there is no such tenant */
function known(profile: OwnProfile | null): OwnProfile {
  if (profile === null) throw new CoreError("NOT_FOUND", "TenantNotFound");
  return profile;
}

/** @throws CoreError VALIDATION_ERROR on `set.logo` */
function logoOf(base64: string): Logo & LogoContent {
  const refuse = (rule: string) => invalid(invalidValue("set.logo", rule));
  const decoded = decodeDocument(base64, MAX_LOGO.bytes);
  if ("failure" in decoded)
    throw refuse(
      decoded.failure === "too_large"
        ? `must have at most ${MAX_LOGO.bytes} bytes`
        : "must be Base64 (RFC 4648 §4, padded, without line breaks)",
    );
  const facts = pictureFacts(decoded.bytes);
  if (facts === null) throw refuse("must be a PNG, JPEG or WebP picture");
  const sides = [facts.width, facts.height];
  if (sides.some((side) => side < 1 || side > MAX_LOGO.pixels))
    throw refuse(`must be 1 to ${MAX_LOGO.pixels} pixels wide and high; it is ${sides.join(" × ")}`);
  const sha256 = createHash("sha256").update(decoded.bytes).digest("hex");
  return { ...facts, sha256, content: decoded.bytes };
}
