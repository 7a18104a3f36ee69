import type { ClaimRequirement } from "@org/claim-rules";
import type { Uuid } from "@org/core";
import type { Role } from "../roles.js";

/** Gives a role to people who have these claims. */
export interface RoleRule extends ClaimRequirement {
  /** `INSTALLATION` for operators. */
  readonly tenant_id: Uuid;
  readonly role: Role;
}

/** An OpenID Connect provider that is trusted to identify people. */
export interface IdentityProviderSettings {
  /** Its name on the sign-in page. */
  readonly name: string;
  /** Its `iss`, compared exactly. Plain http only on this machine. */
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret: string;
  /** The tenant whose people sign in with it; null = people of the installation, and of every tenant that the rules name. */
  readonly tenant_id: Uuid | null;
  /** The first matching rule decides; without a match the person is refused. */
  readonly rules: readonly RoleRule[];
  /** The scopes to request, including `openid`. */
  readonly scopes: readonly string[];
  /** `acr` must be one of these; empty = any. */
  readonly acr: readonly string[];
  /** `amr` must contain all of these. */
  readonly amr: readonly string[];
}
