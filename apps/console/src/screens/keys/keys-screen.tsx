import { type ReactNode, useState } from "react";
import { useAnswer } from "../../api/answers.js";
import type { AnswerOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { labelled, useWords } from "../../language/language.js";
import { ConfirmChange } from "../../listing/form-dialog.js";
import { listWords } from "../../listing/list-words.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { type Column, DataTable } from "../../parts/data-table.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { Screen } from "../../parts/screen.js";
import { SealAgain } from "./seal-again.js";
import { keyWords } from "./words.js";

type Keys = AnswerOf<"/operator/v1/keys/list">;
type ServerKey = Keys["server_keys"][number];
type Doing =
  | { readonly what: "rotate" }
  | { readonly what: "revoke"; readonly kid: string }
  | { readonly what: "rotate-server"; readonly name: ServerKey["name"] };

const tones = { next: "neutral", active: "good", retiring: "warn", expired: "neutral" } as const;

/** All keys of the installation, with their states. */
export default function KeysScreen() {
  const words = useWords(keyWords);
  const general = useWords(listWords);
  const { may } = usePerson();
  const { data, error, refetch } = useAnswer("/operator/v1/keys/list", {});
  const [doing, setDoing] = useState<Doing | null>(null);
  const canChange = may("administer");
  if (!data)
    return (
      <Screen title={words.title} lead={words.lead}>
        {error ? <Problem problem={error} onRetry={() => void refetch()} /> : <Loading lines={8} />}
      </Screen>
    );
  const active = data.server_keys.filter((key) => key.active);

  return (
    <Screen title={words.title} lead={words.lead}>
      <KeyTable
        title={words.signing}
        action={canChange && <Button onClick={() => setDoing({ what: "rotate" })}>{words.rotate}</Button>}
        rows={data.signing_keys}
        keyOf={({ kid }) => kid}
        columns={[
          { id: "kid", header: words.key, cell: ({ kid }) => <code>{kid}</code> },
          {
            id: "state",
            header: general.state,
            cell: ({ state }) => <Badge tone={tones[state]}>{words.states[state]}</Badge>,
          },
          { id: "algorithm", header: words.algorithm, cell: ({ algorithm }) => algorithm, isWideOnly: true },
          {
            id: "since",
            header: words.since,
            cell: ({ signs_from }) => <Moment at={signs_from} look="both" />,
            isWideOnly: true,
          },
          ...(canChange
            ? [
                {
                  id: "actions",
                  header: <span className="spoken">{words.revoke}</span>,
                  cell: ({ kid, state }: Keys["signing_keys"][number]) =>
                    state !== "expired" && (
                      <Button
                        look="ends"
                        aria-label={`${words.revoke} ${kid}`}
                        onClick={() => setDoing({ what: "revoke", kid })}
                      >
                        {words.revoke}
                      </Button>
                    ),
                },
              ]
            : []),
        ]}
      />
      <KeyTable
        title={words.sealing}
        rows={data.encryption_keys}
        keyOf={({ key_id }) => key_id ?? ""}
        columns={[
          {
            id: "id",
            header: words.key,
            cell: ({ key_id }) => (key_id === null ? words.damaged : <code>{key_id}</code>),
          },
          {
            id: "state",
            header: general.state,
            cell: (key) => (
              <Badge tone={key.active ? "good" : key.available ? "neutral" : "bad"}>
                {key.active ? words.inUse : key.available ? words.available : words.missing}
              </Badge>
            ),
          },
          { id: "values", header: words.values, cell: ({ values }) => values, isNumeric: true },
        ]}
      />
      {canChange && <SealAgain />}
      <KeyTable
        title={words.server}
        rows={data.server_keys}
        keyOf={({ name, version }) => `${name} ${version}`}
        columns={[
          { id: "name", header: words.key, cell: ({ name }) => words.names[name] },
          { id: "version", header: words.version, cell: ({ version }) => version, isNumeric: true },
          { id: "state", header: general.state, cell: (key) => key.active && <Badge tone="good">{words.inUse}</Badge> },
          {
            id: "from",
            header: words.activeFrom,
            cell: ({ active_from }) =>
              active_from === null ? (
                <span className="quiet">{words.first}</span>
              ) : (
                <Moment at={active_from} look="both" />
              ),
            isWideOnly: true,
          },
        ]}
        action={
          canChange &&
          active.map(({ name }) => (
            <Button key={name} onClick={() => setDoing({ what: "rotate-server", name })}>
              {labelled(words.rotate, words.names[name])}
            </Button>
          ))
        }
      />
      <KeyTable
        title={words.webhooks}
        rows={data.webhook_keys}
        keyOf={({ kid }) => kid}
        columns={[
          { id: "kid", header: words.key, cell: ({ kid }) => <code>{kid}</code> },
          { id: "public", header: "whpk", cell: ({ public_key }) => <code>{public_key}</code>, isWideOnly: true },
          {
            id: "since",
            header: words.since,
            cell: ({ since }) => (since === null ? words.first : <Moment at={since} />),
          },
          { id: "until", header: words.until, cell: ({ until }) => <Moment at={until} look="both" /> },
        ]}
      />
      {doing && <DoingDialog doing={doing} onClose={() => setDoing(null)} />}
    </Screen>
  );
}

function KeyTable<R>({
  title,
  action,
  rows,
  columns,
  keyOf,
}: {
  readonly title: string;
  readonly action?: ReactNode;
  readonly rows: readonly R[];
  readonly columns: readonly Column<R>[];
  readonly keyOf: (row: R) => string;
}) {
  const words = useWords(keyWords);
  return (
    <section aria-label={title}>
      <header className="screen-head">
        <h2>{title}</h2>
        {action && <div className="actions">{action}</div>}
      </header>
      {rows.length === 0 ? (
        <p className="quiet">{words.none}</p>
      ) : (
        <DataTable {...{ rows, columns, keyOf, caption: title }} />
      )}
    </section>
  );
}

function DoingDialog({ doing, onClose }: { readonly doing: Doing; readonly onClose: () => void }) {
  const words = useWords(keyWords);
  if (doing.what === "rotate")
    return (
      <ConfirmChange
        {...{ title: words.rotateTitle, action: words.rotate, look: "first", onClose }}
        path="/operator/v1/keys/rotate"
        body={{}}
        effects={[words.rotateText]}
      />
    );
  if (doing.what === "revoke")
    return (
      <ConfirmChange
        {...{ title: words.revokeTitle, action: words.revoke, typed: doing.kid, onClose }}
        path="/operator/v1/keys/revoke"
        body={{ kid: doing.kid }}
        effects={[words.revokeText]}
      />
    );
  return (
    <ConfirmChange
      {...{ title: words.rotateServerTitle, action: words.rotate, look: "first", onClose }}
      path="/operator/v1/keys/rotate-server"
      body={{ name: doing.name }}
      effects={[labelled(words.names[doing.name], words.rotateServerText)]}
    />
  );
}
