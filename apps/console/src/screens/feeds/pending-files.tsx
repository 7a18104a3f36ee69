import { fileCauseOf } from "@org/core/file-steps";
import { useState } from "react";
import { useAnswer, useChange } from "../../api/answers.js";
import type { AnswerOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { labelled, useWords } from "../../language/language.js";
import { Nothing } from "../../listing/nothing.js";
import { useAddress } from "../../parts/address.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { Confirm } from "../../parts/confirm.js";
import { DataTable } from "../../parts/data-table.js";
import { Link } from "../../parts/link.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { showToast } from "../../parts/toast.js";
import { sourceWords } from "../sources/words.js";
import { useOpenFile } from "./file-parts.js";
import { type Held, isDropped, shortNameOf } from "./file-places.js";
import { HeldFile } from "./held-file.js";
import { pendingWords } from "./pending-words.js";
import { refusalWords } from "./refusal-words.js";
import { feedsWords } from "./words.js";

type Pending = AnswerOf<"/operator/v1/datafeeds/list-pending">["items"][number];
type Statement = Exclude<Pending, Held>;

/** Pending files: held files, and statements with missing pages. */
export function PendingFiles() {
  const words = useWords(feedsWords);
  const terms = useWords(pendingWords);
  const { causes } = useWords(refusalWords);
  const { kinds } = useWords(sourceWords);
  const { may } = usePerson();
  const { search } = useAddress();
  const { openId, close } = useOpenFile();
  const [dropping, setDropping] = useState<Statement | null>(null);
  const found = useAnswer("/operator/v1/datafeeds/list-pending", { limit: 1_000 });
  const drop = useChange("/operator/v1/datafeeds/drop-pending", {
    onDone() {
      showToast(words.dropped);
      setDropping(null);
    },
  });
  if (found.error) return <Problem problem={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Loading />;
  const { items, held, incomplete, overdue } = found.data;
  const total = held + incomplete + overdue;
  const shown = items.find((file): file is Held => file.state === "held" && file.file_id === openId);
  if (items.length === 0) return <Nothing empty={{ title: terms.nonePending, text: terms.nonePendingText }} />;
  return (
    <>
      <p className="quiet">{terms.untilText}</p>
      {total > items.length && <p className="notice">{words.oldestOf(items.length, total)}</p>}
      <DataTable
        caption={terms.pending}
        rows={items}
        keyOf={(file) => (file.state === "held" ? file.file_id : `${file.connection_id} ${file.statement}`)}
        columns={[
          {
            id: "name",
            header: words.file,
            cell: (file) =>
              file.state === "held" && may("work") ? (
                <Link to="/feeds" search={{ ...search, file: file.file_id }}>
                  {nameOf(file)}
                </Link>
              ) : (
                nameOf(file)
              ),
          },
          {
            id: "why",
            header: words.reason,
            cell: (file) => (file.state === "held" ? causes[causeIn(file)] : terms.missing(missingOf(file))),
          },
          {
            id: "state",
            header: words.state,
            cell: ({ state }) => <Badge tone={state === "overdue" ? "bad" : "neutral"}>{terms.states[state]}</Badge>,
            isWideOnly: true,
          },
          {
            id: "source",
            header: words.source,
            cell: (file) => (file.state !== "held" ? null : isDropped(file) ? kinds.folder : file.source),
            isWideOnly: true,
          },
          {
            id: "came",
            header: words.came,
            cell: (file) => <Moment at={file.state === "held" ? file.came_at : file.latest_at} />,
            isWideOnly: true,
          },
          {
            id: "until",
            header: terms.until,
            cell: (file) => <Moment at={file.state === "held" ? file.held_until : file.until} />,
            isWideOnly: true,
          },
          {
            id: "do",
            header: "",
            cell: (file) =>
              file.state === "held" ? null : (
                <Button
                  look="ends"
                  reason={may("work") ? null : words.readOnly}
                  aria-label={labelled(words.drop, nameOf(file))}
                  onClick={() => setDropping(file)}
                >
                  {words.drop}
                </Button>
              ),
          },
        ]}
      />
      {shown && <HeldFile key={openId} file={shown} onClose={close} />}
      {dropping && (
        <Confirm
          title={terms.dropPagesTitle}
          action={words.drop}
          isBusy={drop.isPending}
          problem={drop.error}
          onConfirm={() => drop.mutate({ connection_id: dropping.connection_id, statement: dropping.statement })}
          onClose={() => setDropping(null)}
          effects={[terms.dropPagesText]}
        />
      )}
    </>
  );
}

function nameOf(file: Pending): string {
  if (file.state === "held") return shortNameOf(file.name);
  return file.title ?? file.statement.slice(0, 12);
}

/** Why a file is held: what is wrong first. */
function causeIn({ findings }: Held) {
  return fileCauseOf(findings[0]?.cause);
}

/** The missing pages; null for a statement that only has to be sent again. */
function missingOf({ missing, pages, last_page }: Statement): string | null {
  if (missing.length > 0) return missing.join(", ");
  return last_page === null ? `> ${Math.max(...pages)}` : null;
}
