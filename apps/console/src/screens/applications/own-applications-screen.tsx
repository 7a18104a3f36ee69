import { useState } from "react";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { List, type RowOf } from "../../listing/list.js";
import { Moment } from "../../parts/moment.js";
import { Screen } from "../../parts/screen.js";
import { useApplicationColumns } from "./application-columns.js";
import { ApplicationSecret, type MadeSecret, type SecretChange, SecretDialog, secretActions } from "./secrets.js";
import { applicationWords } from "./words.js";

type Application = RowOf<"/applications/list">;

/** The tenant's own applications, whose secrets its administrators change themselves. */
export default function OwnApplicationsScreen() {
  const words = useWords(applicationWords);
  const shared = useApplicationColumns();
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
          shared.name,
          shared.state,
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
          shared.scopes,
          shared.clients,
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
