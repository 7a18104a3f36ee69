import type { ClaimRequirement } from "@org/claim-rules";
import type { Uuid } from "@org/core";
import type { Role } from "../roles.js";

/** Who gets in, and as what: whoever has these claims. */
export interface RoleRule extends ClaimRequirement {
  /** `INSTALLATION` for operators. */
  readonly tenant_id: Uuid;
  readonly role: Role;
}

/** A provider of OpenID Connect that is trusted to say who people are. */
export interface IdentityProviderSettings {
  /** What the sign-in page calls it. */
  readonly name: string;
  /** Its `iss`, compared exactly. Plain http is for this machine only. */
  readonly issuer: string;
  readonly client_id: string;
  readonly client_secret: string;
  /** Whose people sign in with it, and nobody else's; null = the installation's, and those of every tenant that the rules name. */
  readonly tenant_id: Uuid | null;
  /** The first that fits decides; where none fits nobody gets in. */
  readonly rules: readonly RoleRule[];
  /** Asked for at the provider, with `openid` among them. */
  readonly scopes: readonly string[];
  /** One of these has to be `acr`; none = whatever. */
  readonly acr: readonly string[];
  /** All of these have to be in `amr`. */
  readonly amr: readonly string[];
}
