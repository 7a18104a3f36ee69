import { useState } from "react";
import type { AnswerOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { labelled, useWords } from "../../language/language.js";
import { ConfirmChange, FormDialog } from "../../listing/form-dialog.js";
import { List, type RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { NewButton } from "../../listing/new-button.js";
import { ShownOnce } from "../../listing/shown-once.js";
import { Moment } from "../../parts/moment.js";
import { sourceWords } from "./words.js";

type Token = RowOf<"/operator/v1/sources/list-tokens">;

/** The tokens with which files can be uploaded to a source. */
export function SourceTokens({ source }: { readonly source: string }) {
  const words = useWords(sourceWords);
  const general = useWords(listWords);
  const { may } = usePerson();
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<AnswerOf<"/operator/v1/sources/create-token"> | null>(null);
  const [ending, setEnding] = useState<Token | null>(null);
  return (
    <section aria-label={words.tokens}>
      <h2>{words.tokens}</h2>
      <p className="quiet">{words.tokensLead}</p>
      <div className="actions">
        <NewButton look="usual" onClick={() => setMaking(true)}>
          {words.newToken}
        </NewButton>
      </div>
      <List
        path="/operator/v1/sources/list-tokens"
        body={{ source }}
        caption={words.tokens}
        keyOf={({ token_id }) => token_id}
        nameOf={({ name }) => name}
        columns={[
          { id: "name", header: words.tokenName, cell: ({ name }) => name },
          { id: "created", header: general.created, cell: ({ created_at }) => <Moment at={created_at} /> },
          { id: "expires", header: general.expires, cell: ({ expires_at }) => <Moment at={expires_at} /> },
        ]}
        {...(may("administer") && {
          actionsOf: (token: Token) => [
            { label: general.end, look: "ends" as const, onSelect: () => setEnding(token) },
          ],
        })}
        empty={{ title: words.noTokens, text: words.noTokensText }}
      />
      {isMaking && (
        <FormDialog
          title={words.newToken}
          path="/operator/v1/sources/create-token"
          action={words.newToken}
          fields={[
            { name: "name", label: words.tokenName, isRequired: true },
            { name: "days", label: words.tokenDays, hint: words.tokenDaysHint, kind: "number" },
          ]}
          bodyOf={({ name = "", days }) => ({ source, name, days: days ? Number(days) : null })}
          onDone={(answer) => {
            setMaking(false);
            setMade(answer);
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {made && (
        <ShownOnce
          title={words.token}
          texts={[
            { label: words.token, text: made.token },
            { label: words.sendTo, text: `${location.origin}/feeds/v1/${made.token}/` },
          ]}
          onClose={() => setMade(null)}
        />
      )}
      {ending && (
        <ConfirmChange
          {...{ title: labelled(general.end, ending.name), action: general.end, typed: ending.name }}
          path="/operator/v1/sources/end-token"
          body={{ token_id: ending.token_id }}
          onClose={() => setEnding(null)}
          effects={[words.noTokensText]}
        />
      )}
    </section>
  );
}
