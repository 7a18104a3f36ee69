import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { type Filter, FilterBar, useFilters, useOrder } from "../../listing/filter-bar.js";
import { List, type RowOf } from "../../listing/list.js";
import { useTenantNames } from "../../listing/tenant-names.js";
import { Moment } from "../../parts/moment.js";
import { Screen } from "../../parts/screen.js";
import { EntryButton, idFact } from "../../sentences/entry-dialog.js";
import { useEventTypes } from "../../sentences/event-types.js";
import { EventSentence } from "../../sentences/sentence.js";
import { sentenceWords } from "../../sentences/sentence-words.js";
import { useTypeFilter } from "./type-filter.js";
import { eventWords } from "./words.js";

type Event = RowOf<"/events/v1/list-events">;

/** The event log: the tenant's own, or for operators that of the installation or of a chosen tenant. */
export default function EventsScreen() {
  const words = useWords(eventWords);
  const entry = useWords(sentenceWords);
  const { audience } = usePerson();
  const tenants = useTenantNames();
  const byType = useTypeFilter(useEventTypes());
  const isOperator = audience === "operator";
  const filters: readonly Filter[] = [
    ...(isOperator
      ? [{ kind: "choice" as const, name: "tenant", label: words.log, options: tenants.options, none: words.own }]
      : []),
    byType,
    { kind: "text", name: "object", label: words.objectId },
    { kind: "date", name: "since", label: words.since },
    { kind: "date", name: "until", label: words.until },
  ];
  const { values, clear } = useFilters(filters);
  const { sort, order, sortsOf } = useOrder({ "-when": "desc", when: "asc" });
  const query = {
    ...(values.type && { type_in: [values.type] }),
    ...(values.object && { object_id: values.object }),
    ...((values.since || values.until) && {
      created_at: { ...(values.since && { start: values.since }), ...(values.until && { end: values.until }) },
    }),
  };
  const factsOf = (event: Event) => [
    [entry.when, <Moment key="when" at={event.created_at} look="both" />] as const,
    [entry.what, <EventSentence key="what" event={event} />] as const,
    [words.type, <code key="type">{event.type}</code>] as const,
    [entry.number, event.sequence] as const,
    idFact(entry.tenantId, event.tenant_id),
  ];
  const shared = {
    caption: words.caption,
    keyOf: ({ id }: Event) => id,
    empty: { title: words.emptyTitle, text: words.emptyText },
    clear,
    sort,
    columns: [
      {
        id: "when",
        header: words.when,
        sorts: sortsOf("when"),
        cell: ({ created_at }: Event) => <Moment at={created_at} look="exact" />,
      },
      { id: "what", header: words.said, cell: (event: Event) => <EventSentence event={event} /> },
      {
        id: "entry",
        header: "",
        cell: (event: Event) => <EntryButton entry={event} facts={() => factsOf(event)} />,
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
          body={{ query: { ...query, ...(values.tenant && { tenant_id: values.tenant }) }, order }}
        />
      ) : (
        <List {...shared} path="/events/v1/list-events" body={{ query, order }} />
      )}
    </Screen>
  );
}
