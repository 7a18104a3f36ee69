import { useState } from "react";
import { useWords } from "../../language/language.js";
import { FormDialog } from "../../listing/form-dialog.js";
import { List } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { NewButton } from "../../listing/new-button.js";
import { useAddress } from "../../parts/address.js";
import { Link } from "../../parts/link.js";
import { Moment } from "../../parts/moment.js";
import { settingWords } from "./setting-words.js";
import { type SourceKind, settingFields, settingsOf } from "./source-form.js";
import { SourceState } from "./source-state.js";
import { sourceWords } from "./words.js";

/** The sources of files, how their last poll went, and adding one. */
export function SourceList() {
  const words = useWords(sourceWords);
  const settings = useWords(settingWords);
  const general = useWords(listWords);
  const { go } = useAddress();
  const [making, setMaking] = useState<SourceKind | null>(null);
  return (
    <>
      <div className="actions">
        <NewButton onClick={() => setMaking("sftp")}>{words.newSftp}</NewButton>
        <NewButton look="usual" onClick={() => setMaking("push")}>
          {words.newPush}
        </NewButton>
      </div>
      <List
        path="/operator/v1/sources/list"
        body={{}}
        caption={words.sources}
        keyOf={({ source }) => source}
        columns={[
          {
            id: "name",
            header: words.source,
            cell: ({ source }) => <Link to={`/sources/${source}`}>{source}</Link>,
          },
          { id: "kind", header: words.kind, cell: ({ kind }) => words.kinds[kind], isWideOnly: true },
          { id: "state", header: general.state, cell: (source) => <SourceState source={source} /> },
          {
            id: "last",
            header: words.lastRun,
            isWideOnly: true,
            cell: ({ succeeded_at }) => <Moment at={succeeded_at} />,
          },
          { id: "next", header: words.nextRun, isWideOnly: true, cell: ({ due_at }) => <Moment at={due_at} /> },
        ]}
        empty={{ title: words.noSources, text: words.noSourcesText }}
      />
      {making && (
        <FormDialog
          title={making === "sftp" ? words.newSftp : words.newPush}
          lead={words.newLead}
          path="/operator/v1/sources/set"
          action={words.create}
          fields={[
            { name: "source", label: settings.fields.source, hint: settings.hints.source, isRequired: true },
            ...settingFields(making, null, settings, words.secretStays),
          ]}
          version={0}
          bodyOf={(values) => ({ source: values.source?.trim() ?? "", settings: settingsOf(making, values) })}
          onDone={({ source }) => go(`/sources/${source.source}`)}
          onClose={() => setMaking(null)}
        />
      )}
    </>
  );
}
