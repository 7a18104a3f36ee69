import { useState } from "react";
import { useAnswer } from "../../api/answers.js";
import { usePerson } from "../../api/session.js";
import { labelled, useWords } from "../../language/language.js";
import { List } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { NewButton } from "../../listing/new-button.js";
import { Badge } from "../../parts/badge.js";
import type { MenuItem } from "../../parts/menu.js";
import { Moment } from "../../parts/moment.js";
import { type FeedKey, type FeedKeyAction, FeedKeyDialog, Signs } from "./feed-key-dialog.js";
import { feedKeyWords } from "./words.js";

const tones = { live: "good", expired: "warn", revoked: "bad" } as const;

/** PGP keys that open custodians' files and verify their signatures, and the rules about which files must be signed. */
export function FeedKeys() {
  const words = useWords(feedKeyWords);
  const general = useWords(listWords);
  const { may } = usePerson();
  const [doing, setDoing] = useState<FeedKeyAction | null>(null);
  const signing = useAnswer("/operator/v1/feed-keys/list", {}).data?.signing ?? [];
  const signers = signing.filter(({ must_be_signed }) => must_be_signed);
  return (
    <>
      <p className="lead">{words.lead}</p>
      <div className="actions">
        <NewButton onClick={() => setDoing({ what: "generate" })}>{words.generate}</NewButton>
        <NewButton look="usual" onClick={() => setDoing({ what: "import" })}>
          {words.import}
        </NewButton>
        <NewButton look="usual" onClick={() => setDoing({ what: "trust" })}>
          {words.trust}
        </NewButton>
        <NewButton look="usual" onClick={() => setDoing({ what: "require" })}>
          {words.require}
        </NewButton>
      </div>
      <List
        path="/operator/v1/feed-keys/list"
        body={{}}
        caption={words.caption}
        keyOf={({ fingerprint, connector_id, source }) => [fingerprint, connector_id, source].join(" ")}
        nameOf={({ user_ids, fingerprint }) => user_ids[0] ?? fingerprint}
        columns={[
          {
            id: "who",
            header: general.name,
            cell: ({ user_ids, fingerprint }) => (
              <>
                {user_ids[0]} <code className="quiet">{fingerprint.slice(-16)}</code>
              </>
            ),
          },
          {
            id: "kind",
            by: ({ kind }) => words.kinds[kind],
            header: words.kind,
            cell: ({ kind }) => words.kinds[kind],
          },
          { id: "whose", header: words.signs, cell: (key) => <Signs {...key} />, isWideOnly: true },
          {
            id: "state",
            by: ({ state }) => words.states[state],
            header: general.state,
            cell: ({ state }) => <Badge tone={tones[state]}>{words.states[state]}</Badge>,
          },
          {
            id: "expires",
            by: ({ expires_at }) => expires_at,
            header: general.expires,
            cell: ({ expires_at }) => <Moment at={expires_at} />,
            isWideOnly: true,
          },
          { id: "algorithm", header: words.algorithm, cell: ({ algorithm }) => algorithm, isWideOnly: true },
        ]}
        actionsOf={actionsOf}
        empty={{ title: words.none, text: words.noneText }}
      />
      {signers.length > 0 && (
        <p>{labelled(words.signers, signers.map(({ connector_id, source }) => connector_id ?? source).join(", "))}</p>
      )}
      {doing && <FeedKeyDialog doing={doing} onClose={() => setDoing(null)} />}
    </>
  );

  function actionsOf(key: FeedKey): readonly MenuItem[] {
    const item = (what: "show" | "expire" | "revoke" | "remove", more: Partial<MenuItem> = {}): MenuItem => ({
      label: words[what],
      onSelect: () => setDoing({ what, key }),
      ...more,
    });
    if (!may("administer")) return [item("show")];
    return [
      item("show"),
      ...(key.state === "revoked" ? [] : [item("expire"), item("revoke", { look: "ends" })]),
      item("remove", { look: "ends" }),
    ];
  }
}
