import { useState } from "react";
import { useChange } from "../../api/answers.js";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { ConfirmChange } from "../../listing/form-dialog.js";
import { List } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { NewButton } from "../../listing/new-button.js";
import { useTenantNames } from "../../listing/tenant-names.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { Screen } from "../../parts/screen.js";
import { showToast } from "../../parts/toast.js";
import { type Issuer, TrustDialog } from "./trust-dialog.js";
import { issuerWords } from "./words.js";

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
