import { useState } from "react";
import { usePerson } from "../../api/session.js";
import { labelled, useWords } from "../../language/language.js";
import { type Filter, FilterBar, useFilters } from "../../listing/filter-bar.js";
import { ConfirmChange } from "../../listing/form-dialog.js";
import { List, type RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { useTenantNames } from "../../listing/tenant-names.js";
import { Link } from "../../parts/link.js";
import { Moment } from "../../parts/moment.js";
import { Screen } from "../../parts/screen.js";
import { AskedTypes } from "./asked-types.js";
import { EndpointState, LastFailure } from "./endpoint-state.js";
import { webhookWords } from "./words.js";

type Endpoint = RowOf<"/operator/v1/webhooks/list">;

/** Endpoints of all tenants, as operators see them. */
export default function OperatorWebhooksScreen() {
  const words = useWords(webhookWords);
  const general = useWords(listWords);
  const { may } = usePerson();
  const tenants = useTenantNames();
  const [switching, setSwitching] = useState<Endpoint | null>(null);
  const filters: readonly Filter[] = [
    {
      kind: "choice",
      name: "state",
      label: general.state,
      options: Object.entries(words.states).map(([value, label]) => ({ value, label })),
    },
    { kind: "choice", name: "tenant", label: general.tenant, options: tenants.options },
  ];
  const { values, clear } = useFilters(filters);
  const isOff = switching?.state === "disabled";
  return (
    <Screen title={words.title} lead={words.leadOperator}>
      <FilterBar filters={filters} />
      <List
        path="/operator/v1/webhooks/list"
        body={{
          ...(values.tenant && { tenant_id: values.tenant }),
          ...(values.state && { state_in: [values.state as Endpoint["state"]] }),
        }}
        caption={words.caption}
        keyOf={({ id }) => id}
        nameOf={({ host }) => host}
        columns={[
          { id: "host", header: words.address, cell: ({ id, host }) => <Link to={`/webhooks/${id}`}>{host}</Link> },
          {
            id: "tenant",
            header: general.tenant,
            cell: ({ tenant_id }) => tenants.nameOf(tenant_id),
            isWideOnly: true,
          },
          { id: "state", header: general.state, cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
          {
            id: "failing",
            header: words.failingSince,
            cell: (row) => <Moment at={row.failing_since} />,
            isWideOnly: true,
          },
          { id: "failure", header: words.lastFailure, cell: (endpoint) => <LastFailure endpoint={endpoint} /> },
          {
            id: "delivered",
            header: words.delivered,
            cell: ({ delivered_at }) => <Moment at={delivered_at} />,
            isWideOnly: true,
          },
          {
            id: "types",
            header: words.types,
            cell: ({ types }) => <AskedTypes types={types} />,
            isWideOnly: true,
          },
        ]}
        {...(may("work") && {
          actionsOf: (endpoint: Endpoint) => [
            endpoint.state === "disabled"
              ? { label: general.enable, onSelect: () => setSwitching(endpoint) }
              : { label: general.disable, look: "ends" as const, onSelect: () => setSwitching(endpoint) },
          ],
        })}
        empty={{ title: words.emptyTitle, text: words.emptyOperator }}
        clear={clear}
      />
      {switching && (
        <ConfirmChange
          title={isOff ? general.enable : general.disable}
          action={isOff ? general.enable : general.disable}
          look={isOff ? "first" : "ends"}
          path={isOff ? "/operator/v1/webhooks/enable" : "/operator/v1/webhooks/disable"}
          body={{ id: switching.id }}
          onClose={() => setSwitching(null)}
          effects={[labelled(switching.host, isOff ? words.enableText : words.disableText)]}
        />
      )}
    </Screen>
  );
}
