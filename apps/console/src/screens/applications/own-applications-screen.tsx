import { useState } from "react";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { List, type RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { useScopeWords } from "../../listing/scope-words.js";
import { Badge } from "../../parts/badge.js";
import { Moment } from "../../parts/moment.js";
import { Screen } from "../../parts/screen.js";
import { ApplicationSecret, type MadeSecret, type SecretChange, SecretDialog, secretActions } from "./secrets.js";
import { applicationWords, limitIn } from "./words.js";

type Application = RowOf<"/applications/list">;

/** The tenant's own applications, whose secrets its administrators change themselves. */
export default function OwnApplicationsScreen() {
  const words = useWords(applicationWords);
  const general = useWords(listWords);
  const inWords = useScopeWords();
  const { may } = usePerson();
  const [doing, setDoing] = useState<{ readonly what: SecretChange; readonly application: Application } | null>(null);
  const [made, setMade] = useState<MadeSecret | null>(null);
  return (
    <Screen title={words.title} lead={words.ownLead}>
      <List
        path="/applications/list"
        body={{}}
        caption={words.caption}
        keyOf={({ application_id }) => application_id}
        nameOf={({ name }) => name}
        columns={[
          { id: "name", by: ({ name }) => name, header: general.name, cell: ({ name }) => name },
          {
            id: "state",
            by: ({ enabled }) => (enabled ? general.enabled : general.disabled),
            header: general.state,
            cell: ({ enabled }) => (
              <Badge tone={enabled ? "good" : "neutral"}>{enabled ? general.enabled : general.disabled}</Badge>
            ),
          },
          { id: "client", header: words.clientId, cell: ({ client_id }) => <code>{client_id}</code>, isWideOnly: true },
          {
            id: "secrets",
            header: words.secretsMade,
            cell: ({ secrets }) => (
              <>
                {secrets.map(({ secret_id, created_at }) => (
                  <div key={secret_id}>
                    <Moment at={created_at} />
                  </div>
                ))}
              </>
            ),
          },
          {
            id: "scopes",
            header: general.scopes,
            cell: (row) => <span className="quiet">{inWords.titlesOf(row.scopes)}</span>,
            isWideOnly: true,
          },
          {
            id: "clients",
            header: words.clients,
            cell: ({ client_refs }) => <span className="quiet">{limitIn(words, client_refs)}</span>,
            isWideOnly: true,
          },
        ]}
        {...(may("administer") && {
          actionsOf: (application: Application) =>
            secretActions(words, application, (what) => setDoing({ what, application })),
        })}
        empty={{ title: words.emptyTitle, text: words.ownEmptyText }}
      />
      {doing && (
        <SecretDialog
          what={doing.what}
          {...doing.application}
          onSecret={(answer) => {
            setDoing(null);
            setMade(answer);
          }}
          onClose={() => setDoing(null)}
        />
      )}
      {made && <ApplicationSecret made={made} onClose={() => setMade(null)} />}
    </Screen>
  );
}
