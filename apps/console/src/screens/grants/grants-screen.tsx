import { useState } from "react";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { type Filter, FilterBar, useFilters, useOrder } from "../../listing/filter-bar.js";
import { ConfirmChange } from "../../listing/form-dialog.js";
import { List, type RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { ScopeTitles } from "../../listing/scope-titles.js";
import { useTenantNames } from "../../listing/tenant-names.js";
import { Moment } from "../../parts/moment.js";
import { Screen } from "../../parts/screen.js";
import { showToast } from "../../parts/toast.js";
import { grantWords } from "./words.js";

type Grant = RowOf<"/data/v1/list-grants">;

/** Says which clients a grant is limited to: the first few by name. */
function limitIn(words: ReturnType<typeof useWords<typeof grantWords.en>>, clients: Grant["clients"]): string {
  if (clients === null) return words.allClients;
  const names = clients.map(({ client_ref, name }) => name ?? client_ref);
  if (names.length === 0) return words.noClients;
  return names.length <= NAMED
    ? names.join(", ")
    : words.andMore(names.slice(0, NAMED).join(", "), names.length - NAMED);
}

const NAMED = 3;

/** Who has access to the tenant's data or, for operators, to that of a chosen tenant. */
export default function GrantsScreen() {
  const words = useWords(grantWords);
  const general = useWords(listWords);
  const { audience, may } = usePerson();
  const tenants = useTenantNames();
  const [ending, setEnding] = useState<Grant | null>(null);
  const isOperator = audience === "operator";
  const filters: readonly Filter[] = isOperator
    ? [{ kind: "choice", name: "tenant", label: words.owner, options: tenants.options, none: words.operators }]
    : [];
  const { values } = useFilters(filters);
  const tenant_id = values.tenant ?? null;
  const { sort, order, sortsOf } = useOrder({ created: "oldest", "-created": "newest" });
  const howOf = ({ flow, person }: Pick<Grant, "flow" | "person">) =>
    person?.name ? words.approvedBy(person.name) : words.flows[flow];
  const shared = {
    caption: words.caption,
    keyOf: ({ grant_id }: Grant) => grant_id,
    nameOf: ({ client_name }: Grant) => client_name,
    empty: { title: words.emptyTitle, text: words.emptyText },
    sort,
    columns: [
      {
        id: "client",
        header: words.client,
        cell: ({ client_name, is_verified, ...grant }: Grant) => (
          <>
            {client_name} {!is_verified && <span className="quiet">({words.claimed})</span>}
            <span className="narrow quiet">{howOf(grant)}</span>
          </>
        ),
      },
      { id: "application", header: words.application, cell: ({ application }: Grant) => application.name },
      {
        id: "how",
        header: words.how,
        isWideOnly: true,
        cell: howOf,
      },
      {
        id: "clients",
        header: words.clients,
        cell: ({ clients }: Grant) => <span className="quiet">{limitIn(words, clients)}</span>,
        isWideOnly: true,
      },
      { id: "used", header: words.used, cell: ({ last_issued_at }: Grant) => <Moment at={last_issued_at} /> },
      {
        id: "scopes",
        header: general.scopes,
        cell: ({ scopes }: Grant) => <ScopeTitles scopes={scopes} />,
        isWideOnly: true,
      },
      {
        id: "created",
        header: general.created,
        sorts: sortsOf("created"),
        cell: ({ created_at }: Grant) => <Moment at={created_at} />,
        isWideOnly: true,
      },
      {
        id: "expires",
        header: general.expires,
        cell: ({ expires_at }: Grant) => <Moment at={expires_at} />,
        isWideOnly: true,
      },
    ],
    ...(may("administer") && {
      actionsOf: (grant: Grant) => [{ label: general.end, look: "ends" as const, onSelect: () => setEnding(grant) }],
    }),
  };
  const question = ending && {
    title: words.endTitle,
    action: general.end,
    effects: [words.endText(ending.client_name)] as const,
    onDone() {
      showToast(words.ended);
      setEnding(null);
    },
    onClose: () => setEnding(null),
  };

  return (
    <Screen title={words.title} lead={words.lead}>
      {isOperator && <FilterBar filters={filters} />}
      {!isOperator && !may("administer") && (
        <p>
          {words.own} <a href="/grants">{words.ownLink}</a>
        </p>
      )}
      {isOperator ? (
        <List {...shared} path="/operator/v1/grants/list" body={{ tenant_id, order }} />
      ) : (
        <List {...shared} path="/data/v1/list-grants" body={{ order }} />
      )}
      {ending && question && isOperator && (
        <ConfirmChange {...question} path="/operator/v1/grants/end" body={{ tenant_id, grant_id: ending.grant_id }} />
      )}
      {ending && question && !isOperator && (
        <ConfirmChange
          {...question}
          path="/data/v1/end-grant"
          body={{ grant_id: ending.grant_id }}
          changes={["/data/v1/list-grants"]}
        />
      )}
    </Screen>
  );
}
