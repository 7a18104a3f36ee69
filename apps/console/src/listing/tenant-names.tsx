import { useAnswer } from "../api/answers.js";
import { usePerson } from "../api/session.js";
import { Link } from "../parts/link.js";

/** Names of tenants, for operators, who see all of them; empty for a tenant's people. */
export function useTenantNames(): {
  readonly nameOf: (tenantId: string | null | undefined) => string | null;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** The id of the only tenant; empty if there are several or none. Forms preset no other. */
  readonly only: string;
} {
  const { audience } = usePerson();
  const { data } = useAnswer("/operator/v1/tenants/list", {}, { enabled: audience === "operator" });
  const items = data?.items ?? [];
  return {
    nameOf: (id) => (id == null ? null : (items.find(({ tenant_id }) => tenant_id === id)?.name ?? id)),
    only: items.length === 1 ? (items[0]?.tenant_id ?? "") : "",
    options: items.map(({ tenant_id, name }) => ({ value: tenant_id, label: name })),
  };
}

/** The way back to the tenant that a list is filtered by; nothing without one. */
export function TenantLink({ tenantId }: { readonly tenantId: string | undefined }) {
  const { nameOf } = useTenantNames();
  return tenantId && <Link to={`/tenants/${tenantId}`}>{nameOf(tenantId)}</Link>;
}
