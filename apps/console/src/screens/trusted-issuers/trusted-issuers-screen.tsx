import { useState } from "react";
import { useAnswer, useChange } from "../../api/answers.js";
import type { BodyOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { ConflictNotice } from "../../listing/conflict-notice.js";
import { useTypedText } from "../../listing/edited-version.js";
import { ConfirmChange } from "../../listing/form-dialog.js";
import { JsonField, jsonText, objectIn } from "../../listing/json-field.js";
import { List, type RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { NewButton } from "../../listing/new-button.js";
import { useTenantNames } from "../../listing/tenant-names.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { Moment } from "../../parts/moment.js";
import { partWords } from "../../parts/part-words.js";
import { Problem } from "../../parts/problem.js";
import { Screen } from "../../parts/screen.js";
import { showToast } from "../../parts/toast.js";
import { issuerWords } from "./words.js";

type Issuer = RowOf<"/operator/v1/trusted-issuers/list">;
type Wish = BodyOf<"/operator/v1/trusted-issuers/trust">;

const EXAMPLE = {
  issuer: "https://login.example.com",
  tenant_id: null,
  client_ids: ["…"],
  rules: [{ claims: { groups: "wealth" }, client_id: "wca_…", scopes: ["investments:read"] }],
};

/** Identity providers whose assertions about people are accepted. */
export default function TrustedIssuersScreen() {
  const words = useWords(issuerWords);
  const general = useWords(listWords);
  const { may } = usePerson();
  const tenants = useTenantNames();
  const [editing, setEditing] = useState<Issuer | "new" | null>(null);
  const [withdrawing, setWithdrawing] = useState<Issuer | null>(null);
  const test = useChange("/operator/v1/trusted-issuers/test", {
    onDone: ({ found }) => showToast(words.found(found.keys.length)),
  });
  return (
    <Screen
      title={words.title}
      lead={words.lead}
      actions={<NewButton onClick={() => setEditing("new")}>{words.trust}</NewButton>}
    >
      <Problem problem={test.error} />
      <List
        path="/operator/v1/trusted-issuers/list"
        body={{}}
        caption={words.caption}
        keyOf={({ trust_id }) => trust_id}
        nameOf={({ issuer }) => issuer}
        columns={[
          { id: "issuer", by: ({ issuer }) => issuer, header: words.issuer, cell: ({ issuer }) => issuer },
          {
            id: "whose",
            by: (row) => tenants.nameOf(row.tenant_id) ?? general.installation,
            header: words.whose,
            cell: (row) => tenants.nameOf(row.tenant_id) ?? general.installation,
          },
          { id: "rules", header: words.rules, cell: ({ rules }) => rules.length, isNumeric: true },
          { id: "clients", header: words.clients, cell: (row) => row.client_ids.join(", "), isWideOnly: true },
          { id: "lifetime", header: words.lifetime, cell: (row) => words.seconds(row.token_seconds), isWideOnly: true },
          {
            id: "changed",
            byMost: ({ changed_at }) => changed_at,
            header: words.changed,
            cell: ({ changed_at }) => <Moment at={changed_at} />,
            isWideOnly: true,
          },
        ]}
        {...(may("administer") && {
          actionsOf: (issuer: Issuer) => [
            { label: words.change, onSelect: () => setEditing(issuer) },
            { label: words.test, onSelect: () => test.mutate({ issuer: issuer.issuer }) },
            { label: words.withdraw, look: "ends" as const, onSelect: () => setWithdrawing(issuer) },
          ],
        })}
        empty={{ title: words.emptyTitle, text: words.emptyText }}
      />
      {editing !== null && <TrustDialog before={editing === "new" ? null : editing} onClose={() => setEditing(null)} />}
      {withdrawing && (
        <ConfirmChange
          {...{ title: words.withdraw, action: words.withdraw, typed: withdrawing.issuer }}
          path="/operator/v1/trusted-issuers/withdraw"
          body={{ issuer: withdrawing.issuer }}
          changes={["/operator/v1/grants/"]}
          onDone={({ grants_ended }) => {
            showToast(words.withdrawn(grants_ended));
            setWithdrawing(null);
          }}
          onClose={() => setWithdrawing(null)}
          effects={[words.withdrawText]}
        />
      )}
    </Screen>
  );
}

function TrustDialog({ before, onClose }: { readonly before: Issuer | null; readonly onClose: () => void }) {
  const words = useWords(issuerWords);
  const general = useWords(listWords);
  const parts = useWords(partWords);
  const issuers = useAnswer("/operator/v1/trusted-issuers/list", {}).data?.items;
  // The issuer's current trust; one that is no longer trusted has version 0.
  const there = issuers ? (issuers.find(({ issuer }) => issuer === before?.issuer) ?? null) : before;
  const now = before === null ? jsonText(EXAMPLE) : there === null ? "" : jsonText(wishOf(there));
  const { typed: text, type: setText, ...seen } = useTypedText(there?.version ?? 0, now);
  const change = useChange("/operator/v1/trusted-issuers/trust", {
    changes: ["/operator/v1/grants/"],
    onDone({ grants_ended }) {
      showToast(words.trusted(grants_ended));
      onClose();
    },
  });
  const wish = objectIn(text) as Wish | null;
  const reason = wish === null ? general.notJson : null;
  return (
    <Dialog title={words.trust} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (wish === null || change.isPending) return;
          const version = wish.issuer === before?.issuer ? seen.version : 0;
          change.mutate({ ...wish, version });
        }}
      >
        <JsonField label={words.wish} hint={words.wishHint} rows={16} text={text} onChange={setText} />
        <p className="quiet">{words.changeText}</p>
        <ConflictNotice seen={seen} change={change}>
          <pre>{now || general.nothingThere}</pre>
        </ConflictNotice>
        <div className="actions">
          <Button type="submit" look="first" isBusy={change.isPending} reason={reason}>
            {words.keep}
          </Button>
          <Button onClick={onClose}>{parts.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The operator's input that would result in the current trust. */
function wishOf({ trust_id: _, created_at: __, changed_at: ___, version: ____, ...wish }: Issuer) {
  return wish;
}
