import { INSTALLATION_LOG, type Uuid } from "@org/core";
import { OPERATOR_ROLES, type Role, TENANT_ROLES } from "./roles.js";

/** Whose people operators are: the installation's, which has the id of zeros, as its log of events has. */
export const INSTALLATION = INSTALLATION_LOG;

/** The roles that people of a tenant, or of the installation, can have. */
export function rolesOf(tenantId: Uuid): readonly Role[] {
  return tenantId === INSTALLATION ? OPERATOR_ROLES : TENANT_ROLES;
}
