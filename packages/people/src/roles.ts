import { INSTALLATION_LOG, type Uuid } from "@org/core";

/** Whose people operators are: the installation's, which has the id of zeros, as its log of events has. */
export const INSTALLATION = INSTALLATION_LOG;

/** Roles of the installation's people, and those of a tenant's; the mightiest first. */
export const OPERATOR_ROLES = ["operator", "operator:read"] as const;
export const TENANT_ROLES = ["admin", "member", "read"] as const;
export const ROLES = [...OPERATOR_ROLES, ...TENANT_ROLES] as const;

export type Role = (typeof ROLES)[number];

/**
 * What a role allows, each with what comes before it: to see; to work with letters, connections and sessions; to administer people,
 * applications, keys and settings.
 */
export const POWERS = ["see", "work", "administer"] as const;
export type Power = (typeof POWERS)[number];

const powerOf: Readonly<Record<Role, Power>> = {
  operator: "administer",
  "operator:read": "see",
  admin: "administer",
  member: "work",
  read: "see",
};

/** Whether a role allows what needs `power`. */
export function allows(role: Role, power: Power): boolean {
  return POWERS.indexOf(powerOf[role]) >= POWERS.indexOf(power);
}

/** The roles that people of a tenant, or of the installation, can have. */
export function rolesOf(tenantId: Uuid): readonly Role[] {
  return tenantId === INSTALLATION ? OPERATOR_ROLES : TENANT_ROLES;
}
