import { useState } from "react";
import { useWords } from "../../language/language.js";
import { List } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { NewButton } from "../../listing/new-button.js";
import { useAddress } from "../../parts/address.js";
import { Link } from "../../parts/link.js";
import { Moment } from "../../parts/moment.js";
import { SourceDialog } from "./source-dialog.js";
import { SourceState } from "./source-state.js";
import { sourceWords } from "./words.js";

/** The sources of files, how their last poll went, and adding one. */
export function SourceList() {
  const words = useWords(sourceWords);
  const general = useWords(listWords);
  const { go } = useAddress();
  const [making, setMaking] = useState<"sftp" | "push" | null>(null);
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
            by: ({ source }) => source,
            header: words.source,
            cell: ({ source }) => <Link to={`/sources/${source}`}>{source}</Link>,
          },
          {
            id: "kind",
            by: ({ kind }) => words.kinds[kind],
            header: words.kind,
            cell: ({ kind }) => words.kinds[kind],
            isWideOnly: true,
          },
          { id: "state", header: general.state, cell: (source) => <SourceState source={source} /> },
          {
            id: "last",
            byMost: ({ succeeded_at }) => succeeded_at,
            header: words.lastRun,
            isWideOnly: true,
            cell: ({ succeeded_at }) => <Moment at={succeeded_at} />,
          },
          {
            id: "next",
            by: ({ enabled, due_at }) => (enabled ? due_at : null),
            header: words.nextRun,
            isWideOnly: true,
            cell: ({ enabled, due_at }) => enabled && <Moment at={due_at} />,
          },
        ]}
        empty={{ title: words.noSources, text: words.noSourcesText }}
      />
      {making && (
        <SourceDialog kind={making} onDone={(name) => go(`/sources/${name}`)} onClose={() => setMaking(null)} />
      )}
    </>
  );
}
