import type { Logo, TenantProfile } from "./tenant-profile.js";

/** A profile with the name under which the installation lists its tenant. */
export interface OwnProfile extends TenantProfile {
  readonly name: string;
}

/** The bytes of a logo. */
export interface LogoContent {
  readonly media_type: Logo["media_type"];
  readonly content: Uint8Array;
}

/** What a change sets; null = is there no longer. What is not named stays. */
export type ProfileChange = Partial<Omit<TenantProfile, "logo">> & {
  readonly logo?: (Logo & LogoContent) | null;
};

/** How one tenant shows itself. */
export interface TenantProfileStore {
  /** Null when there is no such tenant. */
  find(): Promise<OwnProfile | null>;
  /** The same, and nobody else changes it until the transaction is over. */
  lock(): Promise<OwnProfile | null>;
  change(change: ProfileChange): Promise<void>;
}

/** Logos of all tenants, which anybody may see who has the address of one. */
export interface LogoStore {
  /** By SHA-256, hex. */
  logo(sha256: string): Promise<LogoContent | null>;
}
