import { useState } from "react";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { type Filter, FilterBar, useFilters, useOrder } from "../../listing/filter-bar.js";
import { List } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { useTenantNames } from "../../listing/tenant-names.js";
import { Button } from "../../parts/button.js";
import type { Column } from "../../parts/data-table.js";
import { Empty } from "../../parts/empty.js";
import { Link } from "../../parts/link.js";
import { Moment } from "../../parts/moment.js";
import { Screen } from "../../parts/screen.js";
import SessionDialog from "../connections/session-dialog.js";
import { EndSession, RenewLink } from "./session-dialogs.js";
import { queryOf, type Session, SessionBadge, sessionStates, stateOf, useMakers } from "./session-parts.js";
import { sessionWords } from "./words.js";

type Doing = { readonly what: "end" | "again" | "renew"; readonly session: Session };

/** The links that customers were given, and what has become of each. Operators choose the tenant. */
export default function SessionsScreen() {
  const words = useWords(sessionWords);
  const general = useWords(listWords);
  const { audience, may } = usePerson();
  const tenants = useTenantNames();
  const makerOf = useMakers();
  const [isMaking, setMaking] = useState(false);
  const [doing, setDoing] = useState<Doing | null>(null);
  const isOperator = audience === "operator";
  const filters: readonly Filter[] = [
    ...(isOperator
      ? [{ kind: "choice" as const, name: "tenant", label: general.tenant, options: tenants.options, none: "–" }]
      : []),
    {
      kind: "choice",
      name: "state",
      label: general.state,
      options: sessionStates.map((value) => ({ value, label: words.states[value] })),
    },
  ];
  const { values, clear } = useFilters(filters);
  const query = queryOf(values.state);
  const { sort, order, sortsOf } = useOrder({ "-created": "newest", created: "oldest" });
  const columns: readonly Column<Session>[] = [
    {
      id: "for",
      header: words.what,
      cell: ({ bank, connection_id, relogin }) => {
        const text = relogin ? words.toReconnect(bank) : words.toConnect(bank);
        return connection_id ? <Link to={`/connections/${connection_id}`}>{text}</Link> : text;
      },
    },
    { id: "state", header: general.state, cell: (session) => <SessionBadge session={session} /> },
    { id: "opened", header: words.opened, cell: ({ opened_at }) => <Moment at={opened_at} />, isWideOnly: true },
    {
      id: "created",
      header: general.created,
      sorts: sortsOf("created"),
      cell: ({ created_at }) => <Moment at={created_at} />,
      isWideOnly: true,
    },
    { id: "by", header: words.by, cell: ({ created_by }) => makerOf(created_by), isWideOnly: true },
    {
      id: "ends",
      header: words.ends,
      cell: (session) => <Moment at={isOver(session) ? session.updated_at : session.expires_at} />,
      isWideOnly: true,
    },
  ];
  const shared = {
    caption: words.caption,
    keyOf: ({ session_id }: Session) => session_id,
    nameOf: ({ bank, relogin }: Session) => (relogin ? words.toReconnect(bank) : words.toConnect(bank)),
    empty: { title: words.emptyTitle, text: words.emptyText },
    clear: values.state ? clear : null,
    sort,
    columns,
    ...(may("work") && { actionsOf }),
  };
  return (
    <Screen
      title={words.title}
      lead={isOperator ? words.leadOperator : words.leadTenant}
      above={<Link to="/connections">{words.back}</Link>}
      actions={
        may("work") && (
          <Button look="first" onClick={() => setMaking(true)}>
            {words.make}
          </Button>
        )
      }
    >
      <FilterBar filters={filters} />
      {!isOperator && <List {...shared} path="/connect/v2/sessions/list-sessions" body={{ query, order }} />}
      {isOperator && values.tenant && (
        <List {...shared} path="/operator/v1/sessions/list" body={{ tenant_id: values.tenant, query, order }} />
      )}
      {isOperator && !values.tenant && <Empty title={words.chooseTenant} />}
      {isMaking && <SessionDialog onClose={() => setMaking(false)} />}
      {doing?.what === "end" && (
        <EndSession session={doing.session} tenantId={values.tenant ?? null} onClose={() => setDoing(null)} />
      )}
      {doing?.what === "renew" && (
        <RenewLink session={doing.session} tenantId={values.tenant ?? null} onClose={() => setDoing(null)} />
      )}
      {doing?.what === "again" && doing.session.connection_id && (
        <SessionDialog
          connection={{ connection_id: doing.session.connection_id, tenant_id: values.tenant ?? null }}
          onClose={() => setDoing(null)}
        />
      )}
    </Screen>
  );

  function actionsOf(session: Session) {
    const act = (what: Doing["what"]) => () => setDoing({ what, session });
    if (isOver(session)) {
      const isAgain = session.relogin && stateOf(session) !== "finished";
      return isAgain ? [{ label: words.again, onSelect: act("again") }] : [];
    }
    return [
      { label: words.again, onSelect: act("renew") },
      { label: words.end, look: "ends" as const, onSelect: act("end") },
    ];
  }
}

function isOver({ status }: Session): boolean {
  return status.startsWith("Finished:");
}
