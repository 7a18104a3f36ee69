import { useState } from "react";
import type { BodyOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { AssignClient } from "../../listing/assign-client.js";
import { useBeginning } from "../../listing/beginning.js";
import { nameWithClient } from "../../listing/client-name.js";
import { clientWords } from "../../listing/client-words.js";
import { ProviderName } from "../../listing/connector-field.js";
import { ExportButton } from "../../listing/export-button.js";
import { type Filter, FilterBar, useFilters, useOrder } from "../../listing/filter-bar.js";
import { List } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { useTenantNames } from "../../listing/tenant-names.js";
import { Button } from "../../parts/button.js";
import type { Column } from "../../parts/data-table.js";
import { Link } from "../../parts/link.js";
import { Moment } from "../../parts/moment.js";
import { Screen } from "../../parts/screen.js";
import { type Connection, NextRefresh, StateBadge } from "./connection-parts.js";
import SessionDialog from "./session-dialog.js";
import { connectionWords } from "./words.js";

type Query = NonNullable<BodyOf<"/data/v1/search-connections">["query"]>;

/** Connections: operators see those of all tenants, a tenant's people their own. */
export default function ConnectionsScreen() {
  const words = useWords(connectionWords);
  const general = useWords(listWords);
  const whose = useWords(clientWords);
  const { audience, may } = usePerson();
  const tenants = useTenantNames();
  const [isOpening, setOpening] = useBeginning("session");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isAssigning, setAssigning] = useState(false);
  const mayAssign = audience === "tenant" && may("work");
  const filters: readonly Filter[] = [
    { kind: "client", name: "client", label: whose.client },
    { kind: "text", name: "bank", label: words.bank },
    {
      kind: "choice",
      name: "state",
      label: general.state,
      options: Object.entries(words.states).map(([value, label]) => ({ value, label })),
    },
    {
      kind: "choice",
      name: "failing",
      label: words.lastRefresh,
      options: [
        { value: "yes", label: words.failed },
        { value: "no", label: words.fine },
      ],
    },
    { kind: "date", name: "consent", label: words.consentBefore },
    ...(audience === "operator"
      ? [{ kind: "choice" as const, name: "tenant", label: general.tenant, options: tenants.options }]
      : []),
  ];
  const { values, clear } = useFilters(filters);
  const { sort, order, sortsOf } = useOrder({
    "-created": "newest",
    created: "oldest",
    consent: "consent_ends_first",
    "-consent": "consent_ends_last",
    "-asOf": "data_newest",
    asOf: "data_oldest",
  });
  const query: Query = {
    ...(values.client && { client_ref_in: [values.client] }),
    ...(values.bank && { bank: values.bank }),
    ...(values.state && { state_in: [values.state as Connection["state"]] }),
    ...(values.failing && { is_failing: values.failing === "yes" }),
    ...(values.consent && { consent_ends_before: values.consent }),
  };
  const ofTenant = { ...query, ...(values.tenant && { tenant_id: values.tenant }) };
  const columns: readonly Column<Connection>[] = [
    {
      id: "bank",
      header: words.bank,
      cell: (connection) => <Link to={`/connections/${connection.connection_id}`}>{nameOf(connection)}</Link>,
    },
    { id: "state", header: general.state, cell: ({ state }) => <StateBadge state={state} /> },
    {
      id: "asOf",
      header: words.asOf,
      sorts: sortsOf("asOf"),
      cell: ({ last_update }) => <Moment at={last_update} />,
      isWideOnly: true,
    },
    {
      id: "next",
      beneath: "asOf",
      header: words.nextRefresh,
      cell: ({ refresh }) => <NextRefresh refresh={refresh} />,
      isWideOnly: true,
    },
    {
      id: "consent",
      header: words.consent,
      sorts: sortsOf("consent"),
      cell: ({ consent_expires_at }) => <Moment at={consent_expires_at} />,
      isWideOnly: true,
    },
    {
      id: "created",
      header: general.created,
      sorts: sortsOf("created"),
      cell: ({ created_at }) => <Moment at={created_at} />,
      isWideOnly: true,
    },
    {
      id: "provider",
      header: words.provider,
      cell: ({ provider }) => <ProviderName id={provider} />,
      isWideOnly: true,
    },
  ];
  const shared = {
    caption: words.caption,
    keyOf: ({ connection_id }: Connection) => connection_id,
    nameOf,
    empty: { title: words.emptyTitle, text: words.emptyText },
    clear,
    sort,
  };

  return (
    <Screen
      title={words.title}
      lead={audience === "operator" ? words.leadOperator : words.leadTenant}
      actions={
        <>
          {audience === "operator" ? (
            <ExportButton
              path="/operator/v1/connections/search"
              body={{ query: ofTenant, order }}
              name="connections"
              columns={exported}
            />
          ) : (
            <ExportButton
              path="/data/v1/search-connections"
              body={{ query, order }}
              name="connections"
              columns={exported}
            />
          )}
          {mayAssign && (
            <Button reason={chosen.size === 0 ? whose.chooseFirst : null} onClick={() => setAssigning(true)}>
              {chosen.size === 0 ? whose.assign : whose.assignMany(chosen.size)}
            </Button>
          )}
          {may("work") && (
            <Button look="first" onClick={() => setOpening(true)}>
              {words.newSession}
            </Button>
          )}
        </>
      }
    >
      <FilterBar filters={filters} />
      {audience === "operator" ? (
        <List
          {...shared}
          path="/operator/v1/connections/search"
          body={{ query: ofTenant, order }}
          columns={[
            ...columns.slice(0, 1),
            { id: "tenant", beneath: "bank", header: general.tenant, cell: ({ tenant }) => tenant, isWideOnly: true },
            ...columns.slice(1),
          ]}
        />
      ) : (
        <List
          {...shared}
          path="/data/v1/search-connections"
          body={{ query, order }}
          columns={columns}
          {...(mayAssign && { selection: { chosen, onChange: setChosen } })}
        />
      )}
      {isAssigning && (
        <AssignClient
          target={{ connection_id: [...chosen] }}
          now={null}
          onDone={() => setChosen(new Set())}
          onClose={() => setAssigning(false)}
        />
      )}
      {isOpening && <SessionDialog onClose={() => setOpening(false)} />}
    </Screen>
  );
}

function nameOf(connection: Connection): string {
  return nameWithClient(connection, connection.bank);
}

/** Column headers are the API's names, so that a file is the same in every language. */
const exported = [
  { header: "connection_id", text: ({ connection_id }: Connection) => connection_id },
  { header: "client_ref", text: ({ client_ref }: Connection) => client_ref },
  { header: "client_name", text: ({ client_name }: Connection) => client_name },
  { header: "tenant", text: (row: Connection) => ("tenant" in row ? String(row.tenant) : "") },
  { header: "bank", text: ({ bank }: Connection) => bank },
  { header: "connector_id", text: ({ connector_id }: Connection) => connector_id },
  { header: "provider", text: ({ provider }: Connection) => provider },
  { header: "state", text: ({ state }: Connection) => state },
  { header: "last_update", text: ({ last_update }: Connection) => last_update },
  { header: "next_refresh", text: ({ refresh }: Connection) => refresh.next_at },
  { header: "last_outcome", text: ({ refresh }: Connection) => refresh.last_outcome },
  { header: "consent_expires_at", text: ({ consent_expires_at }: Connection) => consent_expires_at },
  { header: "labels", text: ({ labels }: Connection) => JSON.stringify(labels) },
];
