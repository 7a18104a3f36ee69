import "../../listing/listing.css";
import { useState } from "react";
import { useAnswer, useChange } from "../../api/answers.js";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { ConflictNotice } from "../../listing/conflict-notice.js";
import { useTypedText } from "../../listing/edited-version.js";
import { ConfirmChange } from "../../listing/form-dialog.js";
import { jsonText } from "../../listing/json-field.js";
import { listWords } from "../../listing/list-words.js";
import { useTenantNames } from "../../listing/tenant-names.js";
import { useAddress } from "../../parts/address.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { Facts } from "../../parts/facts.js";
import { Link } from "../../parts/link.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { Screen } from "../../parts/screen.js";
import { SettingsEditor, useSettingsEditing } from "../../settings/settings-editor.js";
import type { Schema } from "../../settings/settings-model.js";
import { providerTones } from "./providers-screen.js";
import { providerWords } from "./words.js";

/** One provider with the settings of the installation or of a tenant. */
export default function ProviderScreen() {
  const words = useWords(providerWords);
  const general = useWords(listWords);
  const { may } = usePerson();
  const { params, search } = useAddress();
  const tenants = useTenantNames();
  const [isRemoving, setRemoving] = useState(false);
  const named = { name: params.name ?? "", tenant_id: search.tenant ?? null };
  const { data, error, refetch } = useAnswer("/operator/v1/providers/show", named);
  const above = <Link to="/providers">{words.title}</Link>;
  if (!data)
    return (
      <Screen title={named.name} above={above}>
        {error ? <Problem problem={error} onRetry={() => void refetch()} /> : <Loading />}
      </Screen>
    );
  const { provider } = data;
  return (
    <Screen
      title={provider.title ?? provider.name}
      above={above}
      actions={
        may("administer") &&
        provider.settings !== null && (
          <Button look="ends" onClick={() => setRemoving(true)}>
            {words.remove}
          </Button>
        )
      }
    >
      <Facts
        facts={[
          [
            general.state,
            <Badge key="state" tone={providerTones[provider.state]}>
              {words.states[provider.state]}
            </Badge>,
          ],
          [words.reason, provider.reason],
          [words.whose, tenants.nameOf(provider.tenant_id) ?? general.installation],
          [words.connectors, provider.connectors],
          [words.changedAt, provider.changed_at && <Moment at={provider.changed_at} look="both" />],
        ]}
      />
      <Settings
        key={JSON.stringify(named)}
        named={named}
        version={provider.version}
        current={provider.settings ?? null}
        schema={provider.settings_schema}
        lacksBanks={provider.connectors === 0}
      />
      {isRemoving && (
        <ConfirmChange
          {...{ title: words.remove, action: words.remove, typed: provider.title ?? provider.name }}
          onClose={() => setRemoving(false)}
          path="/operator/v1/providers/remove"
          body={named}
          effects={[words.removeText]}
        />
      )}
    </Screen>
  );
}

interface Named {
  readonly name: string;
  readonly tenant_id: string | null;
}

/** The settings as fields or as JSON, with masked secrets. */
function Settings({
  named,
  version,
  current,
  schema,
  lacksBanks,
}: {
  readonly named: Named;
  readonly version: number;
  readonly current: unknown;
  readonly schema: Schema | null;
  /** Whether the catalogue has none of its banks. */
  readonly lacksBanks: boolean;
}) {
  const words = useWords(providerWords);
  const general = useWords(listWords);
  const { may } = usePerson();
  const shown = current === null ? "" : jsonText(current);
  const { typed: text, type: setText, ...seen } = useTypedText(version, shown);
  const set = useChange("/operator/v1/providers/set", {
    onDone({ provider }) {
      const kept = provider.settings === null ? "" : jsonText(provider.settings);
      setText(kept);
      seen.keep(provider.version, kept);
    },
  });
  const test = useChange("/operator/v1/providers/test");
  const sync = useChange("/operator/v1/providers/sync", { changes: ["/operator/v1/connectors/"] });
  const refused = [set.error, test.error].find((error) => error?.code === "VALIDATION_ERROR") ?? null;
  const editing = useSettingsEditing({ schema, path: "settings", text, setText, refused });
  const { isForm, isSaid, settings } = editing;
  const send = (change: () => void) =>
    editing.send(() => {
      for (const earlier of [test, set, sync]) earlier.reset();
      change();
    });
  const reason = text !== "" && settings === null ? general.notJson : null;
  const isAsStored = text === "" || text === seen.there;
  const isToOffer = lacksBanks && current !== null && isAsStored;
  return (
    <section aria-label={words.settings}>
      <h2>{words.settings}</h2>
      {current === null && <p className="quiet">{words.noSettings}</p>}
      {!isForm && <p className="quiet">{words.settingsLead}</p>}
      <SettingsEditor
        editing={editing}
        of={named.name}
        json={{ label: words.setting, rows: 14 }}
        version={seen.version}
      />
      {may("administer") && (
        <div className="actions">
          <Button
            isBusy={test.isPending}
            reason={reason}
            title={words.testLead}
            onClick={() => send(() => test.mutate({ ...named, ...(!isAsStored && settings && { settings }) }))}
          >
            {words.test}
          </Button>
          <Button
            look={isToOffer ? "usual" : "first"}
            isBusy={set.isPending}
            reason={reason ?? (settings === null ? words.noSettings : null)}
            onClick={() => settings && send(() => set.mutate({ ...named, settings, version: seen.version }))}
          >
            {words.setSettings}
          </Button>
          <Button
            look={isToOffer ? "first" : "usual"}
            isBusy={sync.isPending}
            reason={isAsStored ? null : words.keepFirst}
            title={words.syncText}
            onClick={() => send(() => sync.mutate(named))}
          >
            {words.sync}
          </Button>
        </div>
      )}
      <p role="status">
        {test.data && (
          <>
            {test.data.cause !== "no_check" && (
              <Badge tone={test.data.ok ? "good" : "bad"}>{test.data.ok ? words.good : words.bad}</Badge>
            )}{" "}
            {test.data.cause === null ? test.data.message : words.causes[test.data.cause]}
            {!test.data.ok && test.data.cause !== null && (
              <>
                <br />
                <span className="quiet">{test.data.message}</span>
              </>
            )}
          </>
        )}
        {set.data && <Badge tone="good">{words.kept}</Badge>}
        {sync.data && (
          <>
            <Badge tone="good">{words.synced(sync.data.inserted + sync.data.updated + sync.data.unchanged)}</Badge>{" "}
            {sync.data.taken_total > 0 && `${words.taken(sync.data.taken_total)} `}
            {sync.data.left_out_total > 0 && `${words.leftOut(sync.data.left_out_total)} `}
            {sync.data.unproposed_total > 0 && sync.variables?.withdraw !== true && (
              <>
                {words.unproposed(sync.data.unproposed_total)}{" "}
                <Button isBusy={sync.isPending} onClick={() => sync.mutate({ ...named, withdraw: true })}>
                  {words.withdraw}
                </Button>{" "}
              </>
            )}
            <Link to="/connections" search={{ begin: "session" }}>
              {words.handOut}
            </Link>
          </>
        )}
      </p>
      <Problem problem={sync.error} />
      <Problem problem={isSaid && test.error === refused ? null : test.error} />
      <ConflictNotice seen={seen} change={isSaid && set.error === refused ? { ...set, error: null } : set}>
        {shown !== seen.there && <pre>{shown || words.noSettings}</pre>}
      </ConflictNotice>
      {schema && !isForm && (
        <details>
          <summary>{words.schema}</summary>
          <pre>{JSON.stringify(schema, null, 2)}</pre>
        </details>
      )}
    </section>
  );
}
