import { useState } from "react";
import { useAnswer, useChange } from "../../api/answers.js";
import { usePerson } from "../../api/session.js";
import { labelled, useWords } from "../../language/language.js";
import { ConfirmChange } from "../../listing/form-dialog.js";
import { listWords } from "../../listing/list-words.js";
import { useAddress } from "../../parts/address.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { Facts } from "../../parts/facts.js";
import { Link } from "../../parts/link.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { Screen } from "../../parts/screen.js";
import { useSize } from "../../parts/size.js";
import { showToast } from "../../parts/toast.js";
import { settingWords } from "./setting-words.js";
import { SourceDialog } from "./source-dialog.js";
import { isSecret, type Source, withoutSecrets } from "./source-form.js";
import { SourceRules } from "./source-rules.js";
import { SourceState } from "./source-state.js";
import { SourceTokens } from "./source-tokens.js";
import { sourceWords } from "./words.js";

/** One source: its state, its settings, the rules for its files, and its upload tokens. */
export default function SourceScreen() {
  const words = useWords(sourceWords);
  const settingNames = useWords(settingWords);
  const size = useSize();
  const general = useWords(listWords);
  const { may } = usePerson();
  const { params, go } = useAddress();
  const [doing, setDoing] = useState<"change" | "switch" | "remove" | null>(null);
  const name = params.source ?? "";
  const { data, error, refetch } = useAnswer("/operator/v1/sources/show", { source: name });
  const above = <Link to="/sources">{words.title}</Link>;
  if (!data)
    return (
      <Screen title={name} above={above}>
        {error ? <Problem problem={error} onRetry={() => void refetch()} /> : <Loading />}
      </Screen>
    );
  const { source } = data;
  const { kind, enabled, settings } = source;
  const onClose = () => setDoing(null);
  return (
    <Screen
      title={name}
      above={above}
      actions={
        may("administer") && (
          <>
            {kind !== "folder" && (
              <>
                <Button onClick={() => setDoing("change")}>{words.change}</Button>
                <Button look={enabled ? "usual" : "first"} onClick={() => setDoing("switch")}>
                  {enabled ? words.pause : words.resume}
                </Button>
              </>
            )}
            <Button look="ends" onClick={() => setDoing("remove")}>
              {general.remove}
            </Button>
          </>
        )
      }
    >
      <Facts
        facts={[
          [general.state, <SourceState key="state" source={source} />],
          [words.kind, words.kinds[kind]],
          [words.lastRun, source.succeeded_at && <Moment at={source.succeeded_at} look="both" />],
          [words.lastTry, source.attempted_at && <Moment at={source.attempted_at} look="both" />],
          [words.nextRun, enabled && source.due_at && <Moment at={source.due_at} look="both" />],
        ]}
      />
      {kind === "sftp" && <Trial source={source} />}
      <section aria-label={words.settings}>
        <h2>{words.settings}</h2>
        <Facts
          facts={Object.entries(settingNames.fields).flatMap(([setting, label]) => {
            const value = settingText(setting, settings[setting], settingNames, size);
            return value === null ? [] : [[label, value]];
          })}
        />
        <p>
          <Link to="/feeds" search={{ tab: "taken", source: name }}>
            {words.files}
          </Link>
        </p>
      </section>
      {kind !== "folder" && <SourceRules source={name} />}
      {kind === "push" && <SourceTokens source={name} />}
      {doing === "change" && kind !== "folder" && (
        <SourceDialog kind={kind} source={source} onDone={onClose} onClose={onClose} />
      )}
      {doing === "switch" && (
        <ConfirmChange
          {...{ title: labelled(enabled ? words.pause : words.resume, name), look: "first", onClose }}
          action={enabled ? words.pause : words.resume}
          path="/operator/v1/sources/set"
          body={{ source: name, enabled: !enabled, settings: withoutSecrets(settings), version: source.version }}
          effects={[enabled ? words.pauseText : words.resumeText]}
        />
      )}
      {doing === "remove" && (
        <ConfirmChange
          {...{ title: labelled(general.remove, name), action: general.remove, typed: name, onClose }}
          path="/operator/v1/sources/remove"
          body={{ source: name }}
          onDone={() => go("/sources")}
          effects={[words.removeText]}
        />
      )}
    </Screen>
  );
}

/** Polls the folder now, or only checks whether it can be reached. An untrusted server key can be trusted here. */
function Trial({ source: { source, enabled, settings, version } }: { readonly source: Source }) {
  const words = useWords(sourceWords);
  const { may } = usePerson();
  const run = useChange("/operator/v1/sources/run", {
    changes: ["/operator/v1/letters/"],
    onDone: ({ taken, held, failed }) => showToast(words.ran(taken, held, failed), failed > 0 ? "bad" : "good"),
  });
  const test = useChange("/operator/v1/sources/test");
  const pin = useChange("/operator/v1/sources/set", {
    onDone() {
      test.reset();
      showToast(words.pinned);
    },
  });
  const shown = test.data;
  const trusted = Array.isArray(settings.host_keys) ? (settings.host_keys as string[]) : [];
  return (
    <section aria-label={words.test}>
      <div className="actions">
        {may("work") && (
          <Button isBusy={run.isPending} onClick={() => run.mutate({ source })}>
            {words.run}
          </Button>
        )}
        {may("administer") && (
          <Button isBusy={test.isPending} onClick={() => test.mutate({ source })}>
            {words.test}
          </Button>
        )}
      </div>
      <Problem problem={run.error ?? test.error ?? pin.error} />
      <div role="status">
        {shown && (
          <p>
            <Badge tone={shown.ok ? "good" : "bad"}>{shown.ok ? words.well : words.failed}</Badge> {shown.message}
          </p>
        )}
      </div>
      {shown?.host_key && !shown.ok && !trusted.includes(shown.host_key) && (
        <div className="notice">
          <p>
            <code>{shown.host_key}</code>
          </p>
          <p>{words.pinText}</p>
          <Button
            isBusy={pin.isPending}
            onClick={() =>
              pin.mutate({
                source,
                enabled,
                version,
                settings: { ...withoutSecrets(settings), host_keys: [...trusted, shown.host_key] },
              })
            }
          >
            {words.pin}
          </Button>
        </div>
      )}
    </section>
  );
}

/** A secret is said to be stored, never shown. */
function settingText(
  name: string,
  value: unknown,
  { afters, stored }: { readonly afters: Readonly<Record<string, string>>; readonly stored: string },
  size: (bytes: number) => string,
): string | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.join(", ");
  if (name === "after") return afters[String(value)] ?? String(value);
  if (name === "max_file_bytes") return size(Number(value));
  return isSecret(name) ? stored : String(value);
}
