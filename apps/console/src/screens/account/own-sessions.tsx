import { useAnswer, useChange } from "../../api/answers.js";
import { labelled, useWords } from "../../language/language.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { DataTable } from "../../parts/data-table.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { showToast } from "../../parts/toast.js";
import { accountWords } from "./words.js";

/** The browsers in which the user is signed in. */
export function OwnSessions() {
  const words = useWords(accountWords);
  const found = useAnswer("/sessions/list", {});
  const end = useChange("/sessions/end", { onDone: () => showToast(words.ended) });
  return (
    <section>
      <header className="section-head">
        <h2>{words.sessions}</h2>
      </header>
      <Problem problem={found.error ?? end.error} />
      {found.isPending && !found.error && <Loading lines={2} />}
      {found.data && (
        <DataTable
          caption={words.sessions}
          rows={found.data.items}
          keyOf={({ session_id }) => session_id}
          columns={[
            {
              id: "device",
              header: words.device,
              cell: ({ device, is_this }) => (
                <>
                  {device} {is_this && <Badge tone="good">{words.thisOne}</Badge>}
                </>
              ),
            },
            { id: "method", header: words.method, cell: ({ method }) => words.methods[method], isWideOnly: true },
            {
              id: "since",
              header: words.since,
              cell: (session) => <Moment at={session.created_at} />,
              isWideOnly: true,
            },
            { id: "seen", header: words.seen, cell: (session) => <Moment at={session.seen_at} /> },
            {
              id: "end",
              header: "",
              cell: ({ session_id, is_this, device }) =>
                is_this ? null : (
                  <Button
                    isBusy={end.isPending && end.variables.session_id === session_id}
                    aria-label={labelled(words.end, device)}
                    onClick={() => end.mutate({ session_id })}
                  >
                    {words.end}
                  </Button>
                ),
            },
          ]}
        />
      )}
    </section>
  );
}
