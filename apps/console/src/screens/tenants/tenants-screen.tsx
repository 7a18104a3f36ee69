import { useWords } from "../../language/language.js";
import { useBeginning } from "../../listing/beginning.js";
import { type Filter, FilterBar, useFilters } from "../../listing/filter-bar.js";
import { FormDialog } from "../../listing/form-dialog.js";
import { List } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { NewButton } from "../../listing/new-button.js";
import { useAddress } from "../../parts/address.js";
import { Badge } from "../../parts/badge.js";
import { Link } from "../../parts/link.js";
import { Moment } from "../../parts/moment.js";
import { Screen } from "../../parts/screen.js";
import { Limits } from "./limits.js";
import { tenantWords } from "./words.js";

/** All tenants, and the limits that apply to each of them. */
export default function TenantsScreen() {
  const words = useWords(tenantWords);
  const general = useWords(listWords);
  const { go } = useAddress();
  const [isCreating, setCreating] = useBeginning("tenant");
  const filters: readonly Filter[] = [{ kind: "text", name: "name", label: words.search }];
  const { values, clear } = useFilters(filters);
  const wanted = values.name?.toLowerCase() ?? "";

  return (
    <Screen
      title={words.title}
      lead={words.lead}
      actions={<NewButton onClick={() => setCreating(true)}>{words.create}</NewButton>}
    >
      <FilterBar filters={filters} />
      <List
        path="/operator/v1/tenants/list"
        body={{}}
        caption={words.caption}
        keyOf={({ tenant_id }) => tenant_id}
        nameOf={({ name }) => name}
        shows={({ name, tenant_id }) => `${name} ${tenant_id}`.toLowerCase().includes(wanted)}
        columns={[
          {
            id: "name",
            by: ({ name }) => name,
            header: general.name,
            cell: ({ tenant_id, name }) => <Link to={`/tenants/${tenant_id}`}>{name}</Link>,
          },
          {
            id: "state",
            by: ({ enabled }) => (enabled ? general.enabled : general.disabled),
            header: general.state,
            cell: ({ enabled }) => (
              <Badge tone={enabled ? "good" : "warn"}>{enabled ? general.enabled : general.disabled}</Badge>
            ),
          },
          {
            id: "created",
            byMost: ({ created_at }) => created_at,
            header: general.created,
            cell: ({ created_at }) => <Moment at={created_at} />,
          },
          { id: "id", header: words.id, cell: ({ tenant_id }) => <code>{tenant_id}</code>, isWideOnly: true },
        ]}
        empty={{ title: words.emptyTitle, text: words.emptyText }}
        clear={clear}
      />
      <section aria-label={words.limitsOfAll}>
        <h2>{words.limitsOfAll}</h2>
        <Limits tenantId={null} />
      </section>
      {isCreating && (
        <FormDialog
          title={words.create}
          path="/operator/v1/tenants/create"
          action={words.createAction}
          fields={[{ name: "name", label: general.name, isRequired: true, taken: words.nameTaken }]}
          bodyOf={({ name = "" }) => ({ name })}
          onDone={({ tenant }) => go(`/tenants/${tenant.tenant_id}`)}
          onClose={() => setCreating(false)}
        />
      )}
    </Screen>
  );
}
