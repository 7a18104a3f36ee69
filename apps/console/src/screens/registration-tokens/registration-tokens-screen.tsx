import { useState } from "react";
import { usePerson } from "../../api/session.js";
import { labelled, useWords } from "../../language/language.js";
import { ConfirmChange, FormDialog } from "../../listing/form-dialog.js";
import { List, type RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { NewButton } from "../../listing/new-button.js";
import { ShownOnce } from "../../listing/shown-once.js";
import { Moment } from "../../parts/moment.js";
import { Screen } from "../../parts/screen.js";
import { registrationWords } from "./words.js";

type Token = RowOf<"/operator/v1/registration-tokens/list">;

/** Initial access tokens: who may register OAuth clients. */
export default function RegistrationTokensScreen() {
  const words = useWords(registrationWords);
  const general = useWords(listWords);
  const { may } = usePerson();
  const [isCreating, setCreating] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const [revoking, setRevoking] = useState<Token | null>(null);
  return (
    <Screen
      title={words.title}
      lead={words.lead}
      actions={<NewButton onClick={() => setCreating(true)}>{words.create}</NewButton>}
    >
      <List
        path="/operator/v1/registration-tokens/list"
        body={{}}
        caption={words.caption}
        keyOf={({ token_id }) => token_id}
        nameOf={({ name }) => name}
        columns={[
          { id: "name", by: ({ name }) => name, header: general.name, cell: ({ name }) => name },
          {
            id: "created",
            byMost: ({ created_at }) => created_at,
            header: general.created,
            cell: ({ created_at }) => <Moment at={created_at} />,
            isWideOnly: true,
          },
          {
            id: "expires",
            by: ({ expires_at }) => expires_at,
            header: general.expires,
            cell: ({ expires_at }) => <Moment at={expires_at} />,
          },
        ]}
        {...(may("administer") && {
          actionsOf: (token: Token) => [{ label: words.revoke, look: "ends", onSelect: () => setRevoking(token) }],
        })}
        empty={{ title: words.emptyTitle, text: words.emptyText }}
      />
      {isCreating && (
        <FormDialog
          title={words.create}
          path="/operator/v1/registration-tokens/create"
          action={words.createAction}
          fields={[
            { name: "name", label: general.name, hint: words.nameHint, isRequired: true },
            { name: "days", label: words.days, kind: "number", initial: "30", isRequired: true },
          ]}
          bodyOf={({ name = "", days }) => ({ name, days: Number(days) })}
          onDone={({ token }) => {
            setCreating(false);
            setMade(token);
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {made !== null && (
        <ShownOnce title={words.shown} texts={[{ label: words.token, text: made }]} onClose={() => setMade(null)} />
      )}
      {revoking && (
        <ConfirmChange
          {...{ title: words.revokeTitle, action: words.revoke, onClose: () => setRevoking(null) }}
          path="/operator/v1/registration-tokens/revoke"
          body={{ token_id: revoking.token_id }}
          effects={[labelled(revoking.name, words.revokeText)]}
        />
      )}
    </Screen>
  );
}
