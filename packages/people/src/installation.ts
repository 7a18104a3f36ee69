import { INSTALLATION_LOG, type Uuid } from "@org/core";
import { OPERATOR_ROLES, type Role, TENANT_ROLES } from "./roles.js";

/** The tenant id of operators: the installation's, which is all zeros, like that of its event log. */
export const INSTALLATION = INSTALLATION_LOG;

/** The roles that people of a tenant, or of the installation, can have. */
export function rolesOf(tenantId: Uuid): readonly Role[] {
  return tenantId === INSTALLATION ? OPERATOR_ROLES : TENANT_ROLES;
}
