import type { BodyOf } from "../../api/paths.js";
import { useWords } from "../../language/language.js";
import { ExportButton } from "../../listing/export-button.js";
import { type Filter, FilterBar, useFilters } from "../../listing/filter-bar.js";
import { List, type RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { useTenantNames } from "../../listing/tenant-names.js";
import { Moment } from "../../parts/moment.js";
import { Screen } from "../../parts/screen.js";
import { Tabs } from "../../parts/tabs.js";
import { Chain } from "./chain.js";
import { auditWords } from "./words.js";

type Line = RowOf<"/operator/v1/audit/list">;

/** The installation's value in the owner filter. */
const OWN = "installation";

/** The audit trail with its filters in the address, and whether its hash chain is intact. */
export default function AuditScreen() {
  const words = useWords(auditWords);
  return (
    <Screen title={words.title} lead={words.lead}>
      <Tabs
        label={words.title}
        name="view"
        tabs={[
          { id: "lines", label: words.title, content: () => <Lines /> },
          { id: "chain", label: words.chain, content: () => <Chain /> },
        ]}
      />
    </Screen>
  );
}

function Lines() {
  const words = useWords(auditWords);
  const general = useWords(listWords);
  const tenants = useTenantNames();
  const filters: readonly Filter[] = [
    { kind: "date", name: "since", label: words.since },
    { kind: "date", name: "until", label: words.until },
    { kind: "text", name: "action", label: words.action, placeholder: words.actionHint },
    { kind: "text", name: "actor", label: words.actor },
    { kind: "text", name: "object", label: words.objectId },
    { kind: "text", name: "trace", label: words.trace },
    {
      kind: "choice",
      name: "tenant",
      label: general.tenant,
      options: [{ value: OWN, label: general.installation }, ...tenants.options],
    },
  ];
  const { values, clear } = useFilters(filters);
  const body: BodyOf<"/operator/v1/audit/list"> = {
    ...(values.since && { since: values.since }),
    ...(values.until && { until: values.until }),
    ...(values.action && { action: values.action }),
    ...(values.actor && { actor: values.actor }),
    ...(values.object && { object_id: values.object }),
    ...(values.trace && { trace_id: values.trace }),
    ...(values.tenant && { tenant_id: values.tenant === OWN ? null : values.tenant }),
  };
  return (
    <>
      <FilterBar filters={filters} />
      <div className="actions">
        <ExportButton path="/operator/v1/audit/list" body={body} name="audit" columns={exported} />
      </div>
      <List
        path="/operator/v1/audit/list"
        body={body}
        caption={words.caption}
        keyOf={({ audit_id }) => audit_id}
        columns={[
          { id: "when", header: words.when, cell: ({ at }) => <Moment at={at} look="both" /> },
          { id: "what", header: words.what, cell: ({ action }) => <code>{action}</code> },
          { id: "who", header: words.who, cell: ({ actor }) => <code>{actor}</code> },
          {
            id: "object",
            header: words.object,
            cell: ({ object_type, object_id }) => (
              <>
                {object_type} <code>{object_id}</code>
              </>
            ),
            isWideOnly: true,
          },
          {
            id: "tenant",
            header: general.tenant,
            cell: ({ tenant_id }) => tenants.nameOf(tenant_id) ?? <span className="quiet">{general.installation}</span>,
          },
          {
            id: "facts",
            header: words.facts,
            cell: ({ facts }) => <span className="quiet">{factsIn(facts)}</span>,
            isWideOnly: true,
          },
          { id: "address", header: words.address, cell: ({ address }) => address, isWideOnly: true },
        ]}
        empty={{ title: words.emptyTitle, text: words.emptyText }}
        clear={clear}
      />
    </>
  );
}

function factsIn(facts: Line["facts"]): string {
  return Object.entries(facts)
    .map(([name, value]) => `${name}: ${value}`)
    .join(", ");
}

/** Column headers are the API's names. */
const exported = [
  { header: "at", text: ({ at }: Line) => at },
  { header: "tenant_id", text: ({ tenant_id }: Line) => tenant_id },
  { header: "actor", text: ({ actor }: Line) => actor },
  { header: "action", text: ({ action }: Line) => action },
  { header: "object_type", text: ({ object_type }: Line) => object_type },
  { header: "object_id", text: ({ object_id }: Line) => object_id },
  { header: "trace_id", text: ({ trace_id }: Line) => trace_id },
  { header: "address", text: ({ address }: Line) => address },
  { header: "facts", text: ({ facts }: Line) => JSON.stringify(facts) },
  { header: "audit_id", text: ({ audit_id }: Line) => audit_id },
];
