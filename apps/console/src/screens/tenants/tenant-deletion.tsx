import { useAnswer } from "../../api/answers.js";
import { labelled, useLanguage, useWords } from "../../language/language.js";
import { deletionWords } from "../../listing/deletion-words.js";
import { effectWords } from "../../parts/effect-words.js";
import { limitWords } from "./limit-words.js";
import { tenantWords } from "./words.js";

/** What is counted for the tenant's limits. */
const counted = ["letters", "grants", "open_sessions", "webhook_endpoints"] as const;

/** What deleting a tenant takes away, as the server counts it now, and that nobody is told. */
export function TenantDeletion({ tenantId: tenant_id }: { readonly tenantId: string }) {
  const words = useWords(tenantWords);
  const { counting, notCounted } = useWords(deletionWords);
  const { names } = useWords(limitWords);
  const { effects } = useWords(effectWords);
  const number = new Intl.NumberFormat(useLanguage());
  const limits = useAnswer("/operator/v1/tenants/limits", { tenant_id });
  const connections = useAnswer("/operator/v1/connections/list", { tenant_id, page_size: 1 });
  const people = useAnswer("/operator/v1/people/list", { tenant_id, page_size: 500 });
  const applications = useAnswer("/operator/v1/applications/list", { tenant_id });
  const all = [limits, connections, people, applications];
  const isCounted = limits.data && connections.data && people.data && applications.data;
  const used = (wanted: string) => number.format(limits.data?.items.find(({ name }) => name === wanted)?.used ?? 0);
  const listed = (page: { readonly items: readonly unknown[]; readonly next_page_token?: string | null }) =>
    number.format(page.items.length) + (page.next_page_token ? "+" : "");
  if (!isCounted) return <p role="status">{all.some(({ error }) => error) ? notCounted : counting}</p>;
  return (
    <ul className="notice" aria-label={effects}>
      <li>{labelled(words.connections, number.format(connections.data.total))}</li>
      <li>{labelled(words.people, listed(people.data))}</li>
      <li>{labelled(words.applications, listed(applications.data))}</li>
      {counted.map((name) => (
        <li key={name}>{labelled(names[name], used(name))}</li>
      ))}
      <li>{words.nobodyTold}</li>
    </ul>
  );
}
