import { createHash } from "node:crypto";
import { auditEntry } from "../audit-entry.js";
import { CoreError, invalid, invalidValue } from "../errors.js";
import type { Actor } from "../ports/actor.js";
import type { Runtime } from "../ports/runtime.js";
import type { Storage } from "../ports/storage.js";
import type { LogoContent, OwnProfile, ProfileChange } from "../ports/tenant-profile-store.js";
import { uuidOf } from "../schemas/identifier.js";
import { pictureFacts } from "../schemas/logo.js";
import { type Logo, MAX_LOGO, type TenantProfile, type TenantProfileChange } from "../schemas/tenant-profile.js";
import { asSeen, overtaken, versionOf } from "../seen-versions.js";
import { decodeDocument } from "./letter-documents.js";

/** How tenants show themselves to bank customers and custodians, as operators see to it. */
export interface TenantProfiles {
  /** @throws CoreError NOT_FOUND */
  show(tenantId: string): Promise<OwnProfile>;
  /**
   * Sets and resets parts of a profile; the others stay as they are.
   * @throws CoreError NOT_FOUND, VALIDATION_ERROR on `set.logo`, CONFLICT when it is another than the `version` that was seen
   */
  change(
    operator: Actor,
    tenantId: string,
    change: {
      readonly set: TenantProfileChange;
      readonly reset: readonly (keyof TenantProfile)[];
      readonly version?: number | undefined;
    },
  ): Promise<OwnProfile>;
  /** By SHA-256 in hex; whoever knows it may see it. */
  logo(sha256: string): Promise<LogoContent | null>;
}

export function createTenantProfiles(deps: { storage: Storage; runtime: Runtime }): TenantProfiles {
  const { storage, runtime } = deps;

  return {
    show: (tenantId) => within(tenantId, async (id) => storage.inTenant(id, ({ profile }) => profile.find())),

    async change(operator, tenantId, { set, reset, version }) {
      const isAsSeen = asSeen(version, profileVersion);
      const { logo, ...texts } = set;
      const change: ProfileChange = {
        ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value != null)),
        ...(logo != null && { logo: logoOf(logo) }),
        ...Object.fromEntries(reset.map((field) => [field, null])),
      };
      const facts = Object.fromEntries(
        Object.entries(change).map(([field, value]) => [field, value === null ? "reset" : "set"]),
      );
      return within(tenantId, (id) =>
        storage.inTenant(id, async ({ profile, audit }) => {
          const before = await profile.lock();
          if (before === null) return null;
          if (isAsSeen?.(before) === false) throw overtaken("profile");
          await profile.change(change);
          await audit.append(auditEntry(runtime, operator, "tenant.update", "tenant", id, facts));
          return profile.find();
        }),
      );
    },

    logo: async (sha256) => (/^[0-9a-f]{64}$/.test(sha256) ? storage.logos.logo(sha256) : null),
  };
}

/** Of a profile as it is shown. */
export function profileVersion({
  display_name,
  legal_name,
  postal_address,
  privacy_url,
  support_contact,
  logo,
}: TenantProfile): number {
  return versionOf(display_name, legal_name, postal_address, privacy_url, support_contact, logo?.sha256);
}

async function within(tenantId: string, work: (tenantId: string) => Promise<OwnProfile | null>): Promise<OwnProfile> {
  const id = uuidOf(tenantId.toLowerCase());
  const profile = id && (await work(id));
  if (!profile) throw new CoreError("NOT_FOUND", "TenantNotFound");
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
