import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { type Filter, FilterBar, useFilters } from "../../listing/filter-bar.js";
import { List, type RowOf } from "../../listing/list.js";
import { useTenantNames } from "../../listing/tenant-names.js";
import { Moment } from "../../parts/moment.js";
import { Screen } from "../../parts/screen.js";
import { eventWords } from "./words.js";

type Event = RowOf<"/events/v1/list-events">;

/** The event log: the tenant's own, or for operators that of the installation or of a chosen tenant. */
export default function EventsScreen() {
  const words = useWords(eventWords);
  const { audience } = usePerson();
  const tenants = useTenantNames();
  const isOperator = audience === "operator";
  const filters: readonly Filter[] = [
    ...(isOperator
      ? [{ kind: "choice" as const, name: "tenant", label: words.log, options: tenants.options, none: words.own }]
      : []),
    { kind: "text", name: "type", label: words.type, placeholder: words.typeHint },
    { kind: "text", name: "object", label: words.objectId },
    { kind: "date", name: "since", label: words.since },
    { kind: "date", name: "until", label: words.until },
  ];
  const { values, clear } = useFilters(filters);
  const query = {
    ...(values.type && { type_in: [values.type] }),
    ...(values.object && { object_id: values.object }),
    ...((values.since || values.until) && {
      created_at: { ...(values.since && { start: values.since }), ...(values.until && { end: values.until }) },
    }),
  };
  const shared = {
    caption: words.caption,
    keyOf: ({ id }: Event) => id,
    empty: { title: words.emptyTitle, text: words.emptyText },
    clear,
    columns: [
      { id: "when", header: words.when, cell: ({ created_at }: Event) => <Moment at={created_at} look="both" /> },
      { id: "type", header: words.type, cell: ({ type }: Event) => <code>{type}</code> },
      { id: "said", header: words.said, cell: ({ data }: Event) => <Said data={data} /> },
      {
        id: "sequence",
        header: words.sequence,
        isNumeric: true,
        isWideOnly: true,
        cell: ({ sequence }: Event) => sequence,
      },
    ],
  };
  return (
    <Screen title={words.title} lead={isOperator ? words.leadOperator : words.leadTenant}>
      <FilterBar filters={filters} />
      {isOperator ? (
        <List
          {...shared}
          path="/operator/v1/list-events"
          body={{ query: { ...query, ...(values.tenant && { tenant_id: values.tenant }) } }}
        />
      ) : (
        <List {...shared} path="/events/v1/list-events" body={{ query }} />
      )}
    </Screen>
  );
}

/** The content of an event, without empty members. Events are small: no more than a few lines. */
function Said({ data }: { readonly data: object }) {
  const facts = Object.entries(data).filter(([, value]) => value !== null && value !== undefined);
  return (
    <span className="quiet">
      {facts
        .map(([name, value]) => `${name}: ${typeof value === "object" ? JSON.stringify(value) : String(value)}`)
        .join(", ")}
    </span>
  );
}
