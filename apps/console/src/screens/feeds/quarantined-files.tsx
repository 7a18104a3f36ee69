import { useState } from "react";
import { forget, useAnswer, useChange } from "../../api/answers.js";
import type { AnswerOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { Confirm } from "../../parts/confirm.js";
import { DataTable } from "../../parts/data-table.js";
import { Dialog } from "../../parts/dialog.js";
import { Empty } from "../../parts/empty.js";
import { Facts } from "../../parts/facts.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { say } from "../../parts/toast.js";
import { FileText } from "./excerpt.js";
import { emptyTarget, isTarget, type Target, TargetFields, targetOf } from "./target-fields.js";
import { feedsWords } from "./words.js";

type Quarantined = AnswerOf<"/operator/v1/datafeeds/list-quarantine">["items"][number];

/** Files of the drop folder that were refused, with their reasons. */
export function QuarantinedFiles() {
  const words = useWords(feedsWords);
  const { may } = usePerson();
  const [open, setOpen] = useState<Quarantined | null>(null);
  const found = useAnswer("/operator/v1/datafeeds/list-quarantine", { limit: 1_000 });
  if (found.error) return <Problem problem={found.error} />;
  if (!found.data) return <Loading />;
  const { items, total, watched } = found.data;
  if (!watched) return <Empty title={words.notWatched}>{words.notWatchedText}</Empty>;
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
          {
            id: "do",
            header: "",
            cell: (file) => (
              <Button
                reason={may("work") ? null : words.readOnly}
                aria-label={`${words.look}: ${file.name}`}
                onClick={() => setOpen(file)}
              >
                {words.look}
              </Button>
            ),
          },
        ]}
      />
      {open && <QuarantinedFile file={open} onClose={() => setOpen(null)} />}
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
  const drop = useChange("/operator/v1/datafeeds/drop-quarantined", {
    onDone() {
      say(words.dropped);
      onClose();
    },
  });
  const { reason, refused_at, folder, size, code, name } = shown.data?.file ?? file;
  if (isDropping)
    return (
      <Confirm
        title={words.dropTitle}
        action={words.drop}
        typed={name}
        isBusy={drop.isPending}
        problem={drop.error}
        onConfirm={() => drop.mutate({ file: file.moved_to })}
        onClose={() => setDropping(false)}
      >
        <p>{words.dropText}</p>
      </Confirm>
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
