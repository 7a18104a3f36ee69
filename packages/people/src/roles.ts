// Pages read it, too: it imports nothing.

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

const powers: Readonly<Record<Role, Power>> = {
  operator: "administer",
  "operator:read": "see",
  admin: "administer",
  member: "work",
  read: "see",
};

/** All that a role allows. */
export function powerOf(role: Role): Power {
  return powers[role];
}

/** Whether a role allows what needs `power`. */
export function allows(role: Role, power: Power): boolean {
  return POWERS.indexOf(powers[role]) >= POWERS.indexOf(power);
}
