import { useState } from "react";
import { forget, useAnswer, useChange } from "../../api/answers.js";
import type { AnswerOf } from "../../api/paths.js";
import { useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { DataTable } from "../../parts/data-table.js";
import { Dialog } from "../../parts/dialog.js";
import { Empty } from "../../parts/empty.js";
import { Facts } from "../../parts/facts.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { say } from "../../parts/toast.js";
import { FileText } from "./excerpt.js";
import { DropFile, useLookColumn, useOpenFile } from "./file-parts.js";
import { emptyTarget, isTarget, type Target, TargetFields, targetOf } from "./target-fields.js";
import { feedsWords } from "./words.js";

type Quarantined = AnswerOf<"/operator/v1/datafeeds/list-quarantine">["items"][number];

/** Files of the drop folder that were refused, with their reasons. */
export function QuarantinedFiles() {
  const words = useWords(feedsWords);
  const { openId, open, close } = useOpenFile();
  const look = useLookColumn<Quarantined>(({ moved_to }) => open(moved_to));
  const found = useAnswer("/operator/v1/datafeeds/list-quarantine", { limit: 1_000 });
  if (found.error) return <Problem problem={found.error} />;
  if (!found.data) return <Loading />;
  const { items, total, watched } = found.data;
  if (!watched) return <Empty title={words.notWatched}>{words.notWatchedText}</Empty>;
  const shown = items.find(({ moved_to }) => moved_to === openId);
  if (items.length === 0) return <Empty title={words.noneRefused} />;
  return (
    <>
      {total > items.length && <p className="notice">{words.newestOf(items.length, total)}</p>}
      <DataTable
        caption={words.refused}
        rows={items}
        keyOf={({ moved_to }) => moved_to}
        columns={[
          { id: "name", header: words.file, cell: ({ name }) => name },
          { id: "reason", header: words.reason, cell: ({ reason }) => reason },
          { id: "at", header: words.refusedAt, cell: ({ refused_at }) => <Moment at={refused_at} />, isWideOnly: true },
          { id: "folder", header: words.folder, cell: ({ folder }) => folder, isWideOnly: true },
          look,
        ]}
      />
      {shown && <QuarantinedFile key={openId} file={shown} onClose={close} />}
    </>
  );
}

function QuarantinedFile({ file, onClose }: { readonly file: Quarantined; readonly onClose: () => void }) {
  const words = useWords(feedsWords);
  const shown = useAnswer("/operator/v1/datafeeds/show-quarantined", { file: file.moved_to });
  const [target, setTarget] = useState<Target>(emptyTarget);
  const [isDropping, setDropping] = useState(false);
  const retry = useChange("/operator/v1/datafeeds/retry-quarantined", {
    changes: ["/operator/v1/letters/"],
    onDone() {
      say(words.takenNow);
      onClose();
    },
  });
  const { reason, refused_at, folder, size, code, name } = shown.data?.file ?? file;
  if (isDropping)
    return (
      <DropFile
        path="/operator/v1/datafeeds/drop-quarantined"
        body={{ file: file.moved_to }}
        name={name}
        onDropped={onClose}
        onClose={() => setDropping(false)}
      />
    );
  return (
    <Dialog title={name} look="wide" onClose={onClose}>
      <Facts
        facts={[
          [words.reason, reason],
          [words.code, code],
          [words.refusedAt, <Moment at={refused_at} look="both" />],
          [words.folder, folder],
          [words.size, `${size} B`],
        ]}
      />
      <Problem problem={shown.error} />
      {shown.isPending && !shown.error && <Loading lines={6} />}
      {shown.data && <FileText excerpt={shown.data.excerpt} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (retry.isPending || !isTarget(target, true)) return;
          retry.mutate(
            { file: file.moved_to, ...targetOf(target) },
            { onError: () => void forget(["/operator/v1/datafeeds/"]) },
          );
        }}
      >
        <TargetFields target={target} hint={words.otherTarget} onChange={setTarget} problem={retry.error} />
        <Problem problem={retry.error} />
        <div className="actions">
          <Button
            type="submit"
            look="first"
            isBusy={retry.isPending}
            reason={isTarget(target, true) ? null : words.needsId}
          >
            {words.tryAgain}
          </Button>
          <Button look="ends" onClick={() => setDropping(true)}>
            {words.drop}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
