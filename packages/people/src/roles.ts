// Pages in the browser import this file too, so it must not import anything.

/** Roles of the installation's people and of a tenant's, the most powerful first. */
export const OPERATOR_ROLES = ["operator", "operator:read"] as const;
export const TENANT_ROLES = ["admin", "member", "read"] as const;
export const ROLES = [...OPERATOR_ROLES, ...TENANT_ROLES] as const;

export type Role = (typeof ROLES)[number];

/**
 * What a role allows, each including the ones before: to see; to work with letters, connections and sessions; to administer
 * people, applications, keys and settings.
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

/** The highest power that a role has. */
export function powerOf(role: Role): Power {
  return powers[role];
}

/** Whether a role includes a power. */
export function allows(role: Role, power: Power): boolean {
  return POWERS.indexOf(powers[role]) >= POWERS.indexOf(power);
}
