import { useAnswer, useChange } from "../../api/answers.js";
import type { BodyOf } from "../../api/paths.js";
import { useWords } from "../../language/language.js";
import { ConflictNotice } from "../../listing/conflict-notice.js";
import { useTypedText } from "../../listing/edited-version.js";
import { jsonText, objectIn } from "../../listing/json-field.js";
import type { RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { tenantScopes, useScopeWords } from "../../listing/scope-words.js";
import { useTenantNames } from "../../listing/tenant-names.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { SelectField } from "../../parts/fields.js";
import { partWords } from "../../parts/part-words.js";
import { Problem } from "../../parts/problem.js";
import { showToast } from "../../parts/toast.js";
import { SettingsEditor, useSettingsEditing } from "../../settings/settings-editor.js";
import { type Schema, withMember } from "../../settings/settings-model.js";
import { issuerWords } from "./words.js";

export type Issuer = RowOf<"/operator/v1/trusted-issuers/list">;
type Wish = BodyOf<"/operator/v1/trusted-issuers/trust">;

/** Trusts an identity provider, or changes the trust: as fields or as JSON, which edit the same text. */
export function TrustDialog({ before, onClose }: { readonly before: Issuer | null; readonly onClose: () => void }) {
  const words = useWords(issuerWords);
  const general = useWords(listWords);
  const parts = useWords(partWords);
  const tenants = useTenantNames();
  const issuers = useAnswer("/operator/v1/trusted-issuers/list", {}).data?.items;
  // The issuer's current trust; one that is no longer trusted has version 0.
  const there = issuers ? (issuers.find(({ issuer }) => issuer === before?.issuer) ?? null) : before;
  const now = before === null ? jsonText({ tenant_id: null }) : there === null ? "" : jsonText(wishOf(there));
  const { typed: text, type: setText, ...seen } = useTypedText(there?.version ?? 0, now);
  const change = useChange("/operator/v1/trusted-issuers/trust", {
    changes: ["/operator/v1/grants/"],
    onDone({ grants_ended }) {
      showToast(words.trusted(grants_ended));
      onClose();
    },
  });
  const { schema, named } = useTrustSchema(objectIn(text)?.tenant_id);
  const editing = useSettingsEditing({ schema, path: "", text, setText, refused: change.error });
  const wish = editing.settings as Wish | null;
  const edit = (made: unknown) => setText(jsonText(made));
  return (
    <Dialog title={words.trust} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (wish === null || change.isPending) return;
          const version = wish.issuer === before?.issuer ? seen.version : 0;
          editing.send(() => change.mutate({ ...wish, version }));
        }}
      >
        <SettingsEditor
          editing={editing}
          of={named}
          json={{ label: words.wish, hint: words.wishHint, rows: 16 }}
          value={withMember(wish, "tenant_id", undefined)}
          onChange={(made) => edit(withMember(made, "tenant_id", wish?.tenant_id))}
        >
          <SelectField
            label={words.whose}
            value={wish?.tenant_id ?? ""}
            options={[{ value: "", label: general.installation }, ...tenants.options]}
            onChange={(tenant) => edit({ ...wish, tenant_id: tenant || null })}
          />
        </SettingsEditor>
        <p className="quiet">{words.changeText}</p>
        {editing.isSaid ? null : <Problem problem={change.error} />}
        <ConflictNotice seen={seen} change={change}>
          <pre>{now || general.nothingThere}</pre>
        </ConflictNotice>
        <div className="actions">
          <Button type="submit" look="first" isBusy={change.isPending} reason={wish === null ? general.notJson : null}>
            {words.keep}
          </Button>
          <Button onClick={onClose}>{parts.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The fields, with the applications that rules may name, and what these and the scopes are called. */
function useTrustSchema(tenantId: unknown): {
  readonly schema: Schema;
  readonly named: Readonly<Record<string, string>>;
} {
  const words = useWords(issuerWords);
  const general = useWords(listWords);
  const inWords = useScopeWords();
  const tenants = useTenantNames();
  const found = useAnswer(
    "/operator/v1/applications/list",
    typeof tenantId === "string" && tenantId !== "" ? { tenant_id: tenantId } : {},
    {
      keepsPrevious: true,
    },
  ).data;
  const applications = (found?.items ?? []).filter(({ tenant_id }) => tenant_id !== null);
  const offered = applications.map(({ client_id }) => client_id);
  // A page of them is all that a choice can offer; of more, the id is typed.
  const isChoice = found !== undefined && found.next_page_token === null;
  const text = { type: "string" };
  return {
    schema: {
      type: "object",
      required: ["issuer", "client_ids", "rules"],
      properties: {
        issuer: { ...text, title: words.issuer, description: words.issuerHint },
        client_ids: { type: "array", minItems: 1, items: text, title: words.clients, description: words.clientsHint },
        rules: {
          type: "array",
          minItems: 1,
          title: words.rules,
          description: words.rulesHint,
          items: {
            type: "object",
            required: ["claims", "client_id", "scopes"],
            properties: {
              claims: {
                type: "object",
                additionalProperties: text,
                title: words.claims,
                description: words.claimsHint,
              },
              client_id: { ...text, title: words.application, ...(isChoice && { enum: offered }) },
              scopes: { type: "array", minItems: 1, items: { ...text, enum: tenantScopes }, title: general.scopes },
            },
          },
        },
        token_seconds: { type: "integer", default: 900, title: words.tokenSeconds },
        jwks_uri: { ...text, title: words.keysAddress, description: words.keysAddressHint },
      },
    },
    named: Object.fromEntries([
      ...tenantScopes.map((scope) => [scope, inWords.titlesOf([scope])]),
      ...applications.map(({ client_id, name, tenant_id }) => [client_id, `${name} (${tenants.nameOf(tenant_id)})`]),
    ]),
  };
}

/** The operator's input that would result in the current trust. */
function wishOf({ trust_id: _, created_at: __, changed_at: ___, version: ____, tenant_id, ...wish }: Issuer) {
  return { tenant_id, ...Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== null)) };
}
