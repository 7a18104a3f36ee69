import type { Logo, TenantProfile } from "./tenant-profile.js";

/** A profile with the name under which the installation lists the tenant. */
export interface OwnProfile extends TenantProfile {
  readonly name: string;
}

/** The bytes of a logo. */
export interface LogoContent {
  readonly media_type: Logo["media_type"];
  readonly content: Uint8Array;
}

/** The fields to set; null removes a value, and an absent field stays as it is. */
export type ProfileChange = Partial<Omit<TenantProfile, "logo">> & {
  readonly logo?: (Logo & LogoContent) | null;
};

/** The profile of one tenant. */
export interface TenantProfileStore {
  /** Null when there is no such tenant. */
  find(): Promise<OwnProfile | null>;
  /** Like `find`, but locks the profile until the transaction ends. */
  lock(): Promise<OwnProfile | null>;
  change(change: ProfileChange): Promise<void>;
}

/** Logos of all tenants. Anyone who has the address of a logo may see it. */
export interface LogoStore {
  /** By SHA-256, hex. Look-ups take turns by the network of the caller. */
  logo(sha256: string, network: string): Promise<LogoContent | null>;
}
