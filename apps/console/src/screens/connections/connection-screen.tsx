import { useState } from "react";
import { useAnswer, useChange } from "../../api/answers.js";
import { call } from "../../api/call.js";
import { usePerson } from "../../api/session.js";
import { labelled, useWords } from "../../language/language.js";
import { AssignClient } from "../../listing/assign-client.js";
import { ClientFact } from "../../listing/client-fact.js";
import { nameWithClient } from "../../listing/client-name.js";
import { clientWords } from "../../listing/client-words.js";
import { ProviderName } from "../../listing/connector-field.js";
import { DeletionEffects } from "../../listing/deletion-effects.js";
import { ConfirmChange } from "../../listing/form-dialog.js";
import { listWords } from "../../listing/list-words.js";
import { useAddress } from "../../parts/address.js";
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
import { showToast } from "../../parts/toast.js";
import { addMailOf } from "../../undo/waiting-moves.js";
import { ConnectionHistory, ConnectionLogins } from "./connection-history.js";
import { type Connection, NextRefresh, StateBadge } from "./connection-parts.js";
import { Holdings, Portfolios, Transactions } from "./data-tables.js";
import SessionDialog from "./session-dialog.js";
import { connectionWords } from "./words.js";

/** One connection: its state, its history and, for its tenant's people, its data. */
export default function ConnectionScreen() {
  const words = useWords(connectionWords);
  const { params } = useAddress();
  const { audience } = usePerson();
  const id = params.connectionId ?? "";
  const isOperator = audience === "operator";
  const body = { query: { connection_id: id } };
  const ofAll = useAnswer("/operator/v1/connections/search", body, { enabled: isOperator });
  const own = useAnswer("/data/v1/search-connections", body, { enabled: !isOperator });
  const found = isOperator ? ofAll : own;
  const connection = found.data?.items[0];
  const above = <Link to="/connections">{words.back}</Link>;

  if (connection) {
    const tenant = ofAll.data?.items[0] ?? null;
    return <Shown connection={connection} tenant={tenant} />;
  }
  return (
    <Screen title={words.title} above={above}>
      {found.isPending ? (
        <Loading />
      ) : found.error ? (
        <Problem problem={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <Empty title={words.gone}>{above}</Empty>
      )}
    </Screen>
  );
}

type Dialog = "repair" | "assign" | "block" | "unblock" | "delete" | null;

function Shown({
  connection,
  tenant,
}: {
  readonly connection: Connection;
  /** The owning tenant, for operators. */
  readonly tenant: { readonly tenant_id: string; readonly tenant: string } | null;
}) {
  const words = useWords(connectionWords);
  const general = useWords(listWords);
  const whose = useWords(clientWords);
  const { may } = usePerson();
  const [dialog, setDialog] = useState<Dialog>(null);
  const { connection_id, bank, letter_id, state, refresh } = connection;
  const isFed = letter_id !== null;
  const data = { connection, onRepair: () => setDialog("repair") };

  return (
    <Screen
      title={nameWithClient(connection, bank)}
      above={<Link to="/connections">{words.back}</Link>}
      actions={
        may("work") && (
          <>
            {!isFed && <RefreshButton connection={connection} isOperator={tenant !== null} />}
            {!isFed && (
              <Button look={state === "needs_relogin" ? "first" : "usual"} onClick={() => setDialog("repair")}>
                {words.repair}
              </Button>
            )}
            {isFed && tenant !== null && (
              <Button onClick={() => setDialog(state === "blocked" ? "unblock" : "block")}>
                {state === "blocked" ? words.unblock : words.block}
              </Button>
            )}
            {tenant === null && <Button onClick={() => setDialog("assign")}>{whose.assign}</Button>}
            <Button look="ends" onClick={() => setDialog("delete")}>
              {words.delete}
            </Button>
          </>
        )
      }
    >
      <Tabs
        label={bank}
        tabs={[
          { id: "overview", label: words.overview, content: overview },
          ...(tenant === null
            ? [
                {
                  id: "portfolios",
                  label: words.portfolios,
                  content: () => <Portfolios of={data} />,
                },
                { id: "holdings", label: words.holdings, content: () => <Holdings of={data} /> },
                {
                  id: "transactions",
                  label: words.transactions,
                  content: () => <Transactions of={data} />,
                },
              ]
            : []),
          {
            id: "history",
            label: words.history,
            content: () => <ConnectionHistory connectionId={connection_id} tenantId={tenant?.tenant_id ?? null} />,
          },
          {
            id: "logins",
            label: words.logins,
            content: () => <ConnectionLogins connectionId={connection_id} tenantId={tenant?.tenant_id ?? null} />,
          },
        ]}
      />
      {dialog === "repair" && (
        <SessionDialog
          connection={{ connection_id, tenant_id: tenant?.tenant_id ?? null }}
          onClose={() => setDialog(null)}
        />
      )}
      {(dialog === "block" || dialog === "unblock") && letter_id !== null && (
        <ConfirmChange
          title={dialog === "block" ? words.block : words.unblock}
          action={dialog === "block" ? words.block : words.unblock}
          look={dialog === "block" ? "ends" : "first"}
          path={dialog === "block" ? "/operator/v1/letters/block" : "/operator/v1/letters/resolve"}
          body={{ letter_id }}
          changes={["/operator/v1/connections/"]}
          onClose={() => setDialog(null)}
          effects={[dialog === "block" ? words.blockText : words.unblockText]}
        />
      )}
      {dialog === "assign" && (
        <AssignClient
          target={{ connection_id: [connection_id] }}
          now={connection.client_ref}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === "delete" && (
        <DeleteDialog connection={connection} isOperator={tenant !== null} onClose={() => setDialog(null)} />
      )}
    </Screen>
  );

  function overview() {
    return (
      <>
        {connection.reasons.length > 0 && (
          <ul className="notice">
            {connection.reasons.map((reason) => (
              <li key={reason}>
                {reason === "auth_error" && connection.uses_key ? words.keyRefused : words.reasons[reason]}
              </li>
            ))}
          </ul>
        )}
        <Facts
          facts={[
            [
              whose.client,
              connection.client_ref && <ClientFact key="client" of={connection} isLink={tenant === null} />,
            ],
            [general.state, <StateBadge key="state" state={state} />],
            [general.tenant, tenant && <Link to={`/tenants/${tenant.tenant_id}`}>{tenant.tenant}</Link>],
            [words.asOf, connection.last_update && <Moment at={connection.last_update} look="both" />],
            [words.nextRefresh, <NextRefresh key="next" refresh={refresh} />],
            [
              words.lastAttempt,
              refresh.last_attempt_at && (
                <>
                  <Moment at={refresh.last_attempt_at} look="both" />
                  {refresh.last_outcome && <> · {words.outcomes[refresh.last_outcome]}</>}
                </>
              ),
            ],
            [words.consent, connection.consent_expires_at && <Moment at={connection.consent_expires_at} look="both" />],
            [words.provider, <ProviderName key="provider" id={connection.provider} />],
            [
              words.bank,
              <span key="bank">
                {connection.bank} <code>{connection.connector_id}</code>
              </span>,
            ],
            [words.letter, letter_id && <Link to={`/letters/${letter_id}`}>{bank}</Link>],
            [
              words.labels,
              Object.entries(connection.labels)
                .map(([key, value]) => labelled(key, value))
                .join(", "),
            ],
            [general.created, <Moment key="created" at={connection.created_at} look="both" />],
            [words.connectionId, <Copyable key="id" label={words.connectionId} text={connection_id} />],
          ]}
        />
      </>
    );
  }
}

function RefreshButton({ connection, isOperator }: { readonly connection: Connection; readonly isOperator: boolean }) {
  const words = useWords(connectionWords);
  const onDone = ({ outcome }: { outcome: keyof typeof words.outcomes }) =>
    showToast(words.outcomes[outcome], outcome === "failed" ? "bad" : "good");
  const ofAny = useChange("/operator/v1/connections/refresh", { onDone });
  const own = useChange("/connect/v2/connections/refresh", { onDone, changes: ["/data/v1/"] });
  const change = isOperator ? ofAny : own;
  return (
    <>
      <Button
        isBusy={change.isPending}
        reason={connection.refresh.state === "relogin_needed" ? words.plans.relogin_needed : null}
        onClick={() => change.mutate({ connection_id: connection.connection_id })}
      >
        {words.refresh}
      </Button>
      <Problem problem={change.error} />
    </>
  );
}

/** Offers to withdraw the notice to the custodian, which waits after its connection was deleted. */
async function noticeOfEnd(letter_id: string): Promise<void> {
  try {
    addMailOf((await call("/operator/v1/letters/show", { letter_id })).letter);
  } catch {
    // The letter's page has it all the same.
  }
}

function DeleteDialog({
  connection: { connection_id, bank, letter_id },
  isOperator,
  onClose,
}: {
  readonly connection: Connection;
  readonly isOperator: boolean;
  readonly onClose: () => void;
}) {
  const words = useWords(connectionWords);
  const { go } = useAddress();
  const shared = {
    title: words.deleteTitle,
    action: words.deleteAction,
    typed: bank,
    onClose,
    onDone() {
      showToast(words.deleted);
      if (isOperator && letter_id !== null) void noticeOfEnd(letter_id);
      go("/connections");
    },
    effects: [words.deleteText(bank)] as const,
    children: <DeletionEffects of={{ connection_id }} />,
  };
  return isOperator ? (
    <ConfirmChange {...shared} path="/operator/v1/connections/delete" body={{ connection_id, confirm: true }} />
  ) : (
    <ConfirmChange
      {...shared}
      path="/data/v1/delete-connection"
      body={{ credentials_token: connection_id, confirm: true }}
    />
  );
}
