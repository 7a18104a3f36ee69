import { useState } from "react";
import { useAnswer } from "../../api/answers.js";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { clientOf } from "../../listing/client-name.js";
import { List } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { useAddress } from "../../parts/address.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { Copyable } from "../../parts/copyable.js";
import { Empty } from "../../parts/empty.js";
import { Facts } from "../../parts/facts.js";
import { Link } from "../../parts/link.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { Screen } from "../../parts/screen.js";
import { Tabs } from "../../parts/tabs.js";
import { NextRefresh, StateBadge } from "../connections/connection-parts.js";
import { Holdings, Portfolios, Transactions } from "../connections/data-tables.js";
import SessionDialog from "../connections/session-dialog.js";
import { connectionWords } from "../connections/words.js";
import { badgeTone, letterTerms } from "../letters/letter-terms.js";
import { ReportLink } from "../report/report-link.js";
import { Wealth } from "../wealth/wealth.js";
import { wealthWords } from "../wealth/words.js";
import { type Client, DeleteClient, RenameClient } from "./client-dialogs.js";
import { clientsWords } from "./words.js";

/** One client of the person's tenant, with all connections and letters. */
export default function ClientScreen() {
  const words = useWords(clientsWords);
  const { search } = useAddress();
  const client_ref = search.ref ?? "";
  const found = useAnswer("/clients/v1/show", { client_ref }, { enabled: client_ref !== "", keepsPrevious: true });
  const above = <Link to="/clients">{words.back}</Link>;
  if (found.data) return <Shown client={found.data} />;
  const isGone = client_ref === "" || found.error?.code === "NOT_FOUND";
  return (
    <Screen title={words.title} above={above}>
      {isGone ? (
        <Empty title={words.gone}>{above}</Empty>
      ) : (
        <>
          <Problem problem={found.error} onRetry={() => void found.refetch()} />
          {found.isPending && <Loading />}
        </>
      )}
    </Screen>
  );
}

function Shown({ client }: { readonly client: Client }) {
  const words = useWords(clientsWords);
  const terms = useWords(connectionWords);
  const general = useWords(listWords);
  const { wealth } = useWords(wealthWords);
  const { may } = usePerson();
  const { go } = useAddress();
  const [dialog, setDialog] = useState<"rename" | "delete" | "session" | null>(null);
  const { client_ref, name } = client;
  const close = () => setDialog(null);
  return (
    <Screen
      title={clientOf({ client_ref, client_name: name })}
      above={<Link to="/clients">{words.back}</Link>}
      actions={
        <>
          <ReportLink of={{ ref: client_ref }} />
          {may("work") && (
            <>
              <Button look="first" onClick={() => setDialog("session")}>
                {words.newSession}
              </Button>
              <Button onClick={() => setDialog("rename")}>{words.rename}</Button>
              <Button look="ends" onClick={() => setDialog("delete")}>
                {words.delete}
              </Button>
            </>
          )}
        </>
      }
    >
      <Tabs
        label={clientOf({ client_ref, client_name: name })}
        tabs={[
          { id: "overview", label: terms.overview, content: overview },
          { id: "wealth", label: wealth, content: () => <Wealth of={{ client_ref }} /> },
          { id: "holdings", label: terms.holdings, content: () => <Holdings of={{ client_ref }} /> },
          { id: "portfolios", label: terms.portfolios, content: () => <Portfolios of={{ client_ref }} /> },
          { id: "transactions", label: terms.transactions, content: () => <Transactions of={{ client_ref }} /> },
        ]}
      />
      {dialog === "session" && <SessionDialog clientRef={client_ref} onClose={close} />}
      {dialog === "rename" && (
        <RenameClient client={client} onRenamed={(ref) => go("/client", { ref })} onClose={close} />
      )}
      {dialog === "delete" && <DeleteClient client={client} onDeleted={() => go("/clients")} onClose={close} />}
    </Screen>
  );

  function overview() {
    return (
      <>
        <Facts
          facts={[
            [words.reference, <Copyable key="ref" label={words.reference} text={client_ref} />],
            [general.created, <Moment key="created" at={client.created_at} look="both" />],
          ]}
        />
        <section aria-label={words.connections}>
          <h2>{words.connections}</h2>
          <ClientConnections clientRef={client_ref} />
        </section>
        <section aria-label={words.letters}>
          <h2>{words.letters}</h2>
          <ClientLetters clientRef={client_ref} />
        </section>
      </>
    );
  }
}

function ClientConnections({ clientRef }: { readonly clientRef: string }) {
  const words = useWords(clientsWords);
  const terms = useWords(connectionWords);
  const general = useWords(listWords);
  return (
    <List
      path="/data/v1/search-connections"
      body={{ query: { client_ref_in: [clientRef] } }}
      caption={words.connections}
      keyOf={({ connection_id }) => connection_id}
      nameOf={({ bank }) => bank}
      columns={[
        {
          id: "bank",
          header: terms.bank,
          cell: ({ connection_id, bank }) => <Link to={`/connections/${connection_id}`}>{bank}</Link>,
        },
        { id: "state", header: general.state, cell: ({ state }) => <StateBadge state={state} /> },
        { id: "asOf", header: terms.asOf, cell: ({ last_update }) => <Moment at={last_update} /> },
        {
          id: "next",
          header: terms.nextRefresh,
          cell: ({ refresh }) => <NextRefresh refresh={refresh} />,
          isWideOnly: true,
        },
      ]}
      empty={{ title: words.noConnections, text: words.noConnectionsText }}
    />
  );
}

function ClientLetters({ clientRef }: { readonly clientRef: string }) {
  const words = useWords(clientsWords);
  const terms = useWords(letterTerms);
  const names = new Map(
    (useAnswer("/letters/v1/list-connectors", {}).data?.items ?? []).map(({ id, name }) => [id, name]),
  );
  return (
    <List
      path="/letters/v1/search-letters"
      body={{ query: { client_ref_in: [clientRef] }, page_size: 100 }}
      caption={words.letters}
      keyOf={({ id }) => id}
      columns={[
        {
          id: "custodian",
          header: terms.custodian,
          cell: ({ connector_id }) => names.get(connector_id) ?? connector_id,
        },
        {
          id: "status",
          header: terms.status,
          cell: ({ status }) => <Badge tone={badgeTone(status)}>{terms.statuses[status]}</Badge>,
        },
        { id: "changed", header: terms.changed, cell: ({ updated_at }) => <Moment at={updated_at} /> },
      ]}
      empty={{ title: words.noLetters, text: words.noLettersText }}
    />
  );
}
