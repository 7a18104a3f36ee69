import type { BodyOf } from "../../api/paths.js";
import { useWords } from "../../language/language.js";
import { ExportButton } from "../../listing/export-button.js";
import { type Filter, FilterBar, useFilters, useOrder } from "../../listing/filter-bar.js";
import { List, type RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { useTenantNames } from "../../listing/tenant-names.js";
import { useAddress } from "../../parts/address.js";
import { Link } from "../../parts/link.js";
import { Moment } from "../../parts/moment.js";
import { Screen } from "../../parts/screen.js";
import { Tabs } from "../../parts/tabs.js";
import { useAuditActions } from "../../sentences/audit-actions.js";
import { EntryButton, idFact } from "../../sentences/entry-dialog.js";
import { AuditSentence } from "../../sentences/sentence.js";
import { sentenceWords } from "../../sentences/sentence-words.js";
import { ActorField } from "./actor-field.js";
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
  const entry = useWords(sentenceWords);
  const tenants = useTenantNames();
  const { search } = useAddress();
  const tenantId = search.tenant && search.tenant !== OWN ? search.tenant : null;
  const filters: readonly Filter[] = [
    { kind: "date", name: "since", label: words.since },
    { kind: "date", name: "until", label: words.until },
    { kind: "choice", name: "action", label: words.action, options: useAuditActions() },
    {
      kind: "own",
      name: "actor",
      label: words.actor,
      control: (filter) => <ActorField {...filter} tenantId={tenantId} />,
    },
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
  const { sort, order, sortsOf } = useOrder({ "-when": "newest", when: "oldest" });
  /** A request that left no line has a reason, which no cleared filter tells. */
  const isOnlyTrace = values.trace !== undefined && Object.keys(values).length === 1;
  const body: BodyOf<"/operator/v1/audit/list"> = {
    order,
    ...(values.since && { since: values.since }),
    ...(values.until && { until: values.until }),
    ...(values.action && { action: values.action }),
    ...(values.actor && { actor: values.actor }),
    ...(values.object && { object_id: values.object }),
    ...(values.trace && { trace_id: values.trace }),
    ...(values.tenant && { tenant_id: values.tenant === OWN ? null : values.tenant }),
  };
  const factsOf = (line: Line) => [
    [entry.when, <Moment key="when" at={line.at} look="both" />] as const,
    [entry.what, <AuditSentence key="what" line={line} />] as const,
    idFact(entry.whoId, line.actor),
    idFact(entry.objectId, line.object_id),
    idFact(entry.tenantId, line.tenant_id),
    idFact(entry.trace, line.trace_id),
    [
      "",
      line.trace_id && (
        <Link key="same" to="/audit" search={{ trace: line.trace_id }}>
          {entry.sameTrace}
        </Link>
      ),
    ] as const,
    [entry.address, line.address] as const,
  ];
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
        sort={sort}
        keyOf={({ audit_id }) => audit_id}
        columns={[
          {
            id: "when",
            header: words.when,
            sorts: sortsOf("when"),
            cell: ({ at }) => <Moment at={at} look="exact" />,
          },
          { id: "what", header: words.what, cell: (line) => <AuditSentence line={line} /> },
          {
            id: "tenant",
            header: general.tenant,
            isWideOnly: true,
            cell: ({ tenant_id }) =>
              tenant_id === null ? (
                <span className="quiet">{general.installation}</span>
              ) : (
                // A deleted tenant has no name any more; its id is on the opened entry.
                (tenants.options.find(({ value }) => value === tenant_id)?.label ?? "–")
              ),
          },
          {
            id: "entry",
            header: "",
            cell: (line) => <EntryButton entry={line} facts={() => factsOf(line)} />,
          },
        ]}
        empty={{
          title: values.trace ? words.noTraceTitle : words.emptyTitle,
          text: values.trace ? words.noTraceText : words.emptyText,
        }}
        clear={isOnlyTrace ? null : clear}
      />
    </>
  );
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
