import { useEffect } from "react";
import { useChange } from "../../api/answers.js";
import { labelled, useWords } from "../../language/language.js";
import { FormDialog } from "../../listing/form-dialog.js";
import type { FormValues } from "../../listing/form-field.js";
import { linesOf } from "../../listing/lines-of.js";
import { listWords } from "../../listing/list-words.js";
import { type StepField, SteppedDialog } from "../../listing/stepped-dialog.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { Problem } from "../../parts/problem.js";
import { settingWords } from "./setting-words.js";
import { loginOf, pushSettings, type Source, settingFields, settingsOf, sftpSteps } from "./source-form.js";
import { sourceWords } from "./words.js";

/** Makes a source, or changes one: an SFTP folder in steps, whose last tests the connection before anything is kept. */
export function SourceDialog({
  kind,
  source = null,
  onDone,
  onClose,
}: {
  readonly kind: "sftp" | "push";
  /** The one to change; null makes one. */
  readonly source?: Source | null;
  readonly onDone: (name: string) => void;
  readonly onClose: () => void;
}) {
  const words = useWords(sourceWords);
  const names = useWords(settingWords);
  const general = useWords(listWords);
  const before = source?.settings ?? null;
  const shared = {
    title: source ? labelled(words.change, source.source) : kind === "sftp" ? words.newSftp : words.newPush,
    action: source ? general.save : words.create,
    path: "/operator/v1/sources/set",
    version: source?.version ?? 0,
    bodyOf: (values: FormValues) => ({
      source: nameIn(values),
      enabled: source?.enabled ?? true,
      settings: settingsOf(kind, values),
    }),
    onDone: (answer: { readonly source: Pick<Source, "source"> }) => onDone(answer.source.source),
    onClose,
  } as const;
  const nameIn = (values: FormValues) => source?.source ?? values.source?.trim() ?? "";
  const name: readonly StepField[] = source
    ? []
    : [{ name: "source", label: names.fields.source, hint: names.hints.source, isRequired: true }];
  const fields = (settings: Parameters<typeof settingFields>[0]) =>
    settingFields(settings, before, names, words.secretStays);
  if (kind === "push")
    return <FormDialog {...shared} lead={words.newLead} fields={[...name, ...fields(pushSettings)]} />;
  const login: StepField = {
    name: "login",
    label: names.fields.login,
    kind: "choice",
    initial: loginOf(before),
    options: (["password", "private_key"] as const).map((value) => ({ value, label: names.logins[value] })),
  };
  const [server = [], files = [], test = []] = sftpSteps.map(fields);
  const secrets = server.findIndex((field) => field.name === "settings.password");
  return (
    <SteppedDialog
      {...shared}
      rare={names.rare}
      steps={[
        {
          title: names.steps.server,
          ...(!source && { lead: words.newLead }),
          fields: [...name, ...server.slice(0, secrets), login, ...server.slice(secrets)],
        },
        { title: names.steps.files, fields: files },
        {
          title: names.steps.test,
          fields: test,
          below: (values, set) => (
            <ConnectionTest
              source={nameIn(values)}
              settings={settingsOf("sftp", values)}
              isNew={source === null}
              trust={(key) => set("settings.host_keys", [...linesOf(values["settings.host_keys"]), key].join("\n"))}
            />
          ),
        },
      ]}
    />
  );
}

/** Connects with what was typed as soon as the step is reached, and again when a key is trusted. Nothing is kept and no file is taken. */
function ConnectionTest({
  source,
  settings,
  isNew,
  trust,
}: {
  readonly source: string;
  readonly settings: Record<string, unknown>;
  readonly isNew: boolean;
  readonly trust: (key: string) => void;
}) {
  const words = useWords(sourceWords);
  const names = useWords(settingWords);
  const test = useChange("/operator/v1/sources/test");
  const run = () => test.mutate({ source, settings });
  const keys = String(settings.host_keys ?? "");
  useEffect(run, [keys]);
  const { data, error, isPending } = test;
  const isUnknown = !!data && !data.ok && data.host_key !== null && !keys.includes(data.host_key);
  return (
    <>
      <div role="status">
        {isPending && <p>{names.testing}</p>}
        {data && !isPending && !isUnknown && (
          <p>
            <Badge tone={data.ok ? "good" : "bad"}>{data.ok ? words.well : words.failed}</Badge>{" "}
            {data.ok && data.files !== null ? names.found(data.files) : data.message}
          </p>
        )}
      </div>
      <Problem problem={error} />
      {isUnknown && !isPending && (
        <div className="notice">
          <p>
            <code>{data.host_key}</code>
          </p>
          <p>{words.pinText}</p>
          <Button onClick={() => trust(data.host_key ?? "")}>{words.pin}</Button>
        </div>
      )}
      {!isPending && !data?.ok && (
        <p>
          <Button onClick={run}>{names.again}</Button> {isNew && <span className="quiet">{names.anyway}</span>}
        </p>
      )}
    </>
  );
}
