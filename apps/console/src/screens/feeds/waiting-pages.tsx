import { useState } from "react";
import { useAnswer, useChange } from "../../api/answers.js";
import type { AnswerOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { Confirm } from "../../parts/confirm.js";
import { DataTable } from "../../parts/data-table.js";
import { Empty } from "../../parts/empty.js";
import { Link } from "../../parts/link.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { say } from "../../parts/toast.js";
import { waitingWords } from "./waiting-words.js";
import { feedsWords } from "./words.js";

type Waiting = AnswerOf<"/operator/v1/datafeeds/list-waiting">["items"][number];

/** Statements of which pages are missing. */
export function WaitingPages() {
  const words = useWords(feedsWords);
  const terms = useWords(waitingWords);
  const { may } = usePerson();
  const [dropping, setDropping] = useState<Waiting | null>(null);
  const found = useAnswer("/operator/v1/datafeeds/list-waiting", { limit: 1_000 });
  const drop = useChange("/operator/v1/datafeeds/drop-waiting", {
    onDone() {
      say(words.dropped);
      setDropping(null);
    },
  });
  if (found.error) return <Problem problem={found.error} />;
  if (!found.data) return <Loading />;
  const { items } = found.data;
  if (items.length === 0) return <Empty title={terms.noneWaiting} />;
  return (
    <>
      <DataTable
        caption={words.waiting}
        rows={items}
        keyOf={({ connection_id, statement }) => `${connection_id} ${statement}`}
        columns={[
          { id: "title", header: terms.statement, cell: ({ title, statement }) => title ?? statement.slice(0, 12) },
          {
            id: "missing",
            header: terms.missing,
            cell: ({ missing, pages, last_page }) =>
              missing.length > 0
                ? missing.join(", ")
                : last_page === null
                  ? `> ${Math.max(...pages)}`
                  : terms.sendAgain,
          },
          {
            id: "state",
            header: words.state,
            cell: ({ state }) => (
              <Badge tone={state === "overdue" ? "bad" : "neutral"}>{terms.waitingStates[state]}</Badge>
            ),
          },
          { id: "latest", header: terms.latest, cell: ({ latest_at }) => <Moment at={latest_at} />, isWideOnly: true },
          {
            id: "letter",
            header: words.letter,
            isWideOnly: true,
            cell: ({ letter_id }) => letter_id && <Link to={`/letters/${letter_id}`}>{letter_id.slice(0, 13)}</Link>,
          },
          {
            id: "do",
            header: "",
            cell: (statement) => (
              <Button
                look="ends"
                reason={may("work") ? null : words.readOnly}
                aria-label={`${words.drop}: ${statement.title ?? statement.statement}`}
                onClick={() => setDropping(statement)}
              >
                {words.drop}
              </Button>
            ),
          },
        ]}
      />
      {dropping && (
        <Confirm
          title={terms.dropPagesTitle}
          action={words.drop}
          isBusy={drop.isPending}
          problem={drop.error}
          onConfirm={() => drop.mutate({ connection_id: dropping.connection_id, statement: dropping.statement })}
          onClose={() => setDropping(null)}
        >
          <p>{terms.dropPagesText}</p>
        </Confirm>
      )}
    </>
  );
}
