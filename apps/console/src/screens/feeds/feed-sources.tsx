import { useAnswer, useChange } from "../../api/answers.js";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { DataTable } from "../../parts/data-table.js";
import { Empty } from "../../parts/empty.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { say } from "../../parts/toast.js";
import { feedsWords } from "./words.js";

/** Where files come from, and how the last look went. */
export function FeedSources() {
  const words = useWords(feedsWords);
  const { may } = usePerson();
  const found = useAnswer("/operator/v1/sources/list", {});
  const run = useChange("/operator/v1/sources/run", {
    onDone: ({ taken, held, failed }) => say(words.ran(taken, held, failed), failed > 0 ? "bad" : "good"),
  });
  const test = useChange("/operator/v1/sources/test", {
    onDone: ({ ok, message }) => say(message, ok ? "good" : "bad"),
  });
  if (found.error) return <Problem problem={found.error} />;
  if (!found.data) return <Loading />;
  const { items } = found.data;
  if (items.length === 0) return <Empty title={words.noSources}>{words.noSourcesText}</Empty>;
  const reason = may("work") ? null : words.readOnly;
  return (
    <>
      <Problem problem={run.error ?? test.error} />
      <DataTable
        caption={words.sources}
        rows={items}
        keyOf={({ source }) => source}
        columns={[
          { id: "name", header: words.source, cell: ({ source }) => source },
          { id: "kind", header: words.kind, cell: ({ kind }) => words.kinds[kind], isWideOnly: true },
          {
            id: "state",
            header: words.state,
            cell: ({ enabled, failures, last_error }) => (
              <>
                <Badge tone={!enabled ? "neutral" : failures > 0 ? "bad" : "good"}>
                  {!enabled ? words.off : failures > 0 ? words.failing(failures) : words.well}
                </Badge>{" "}
                {last_error && <span className="quiet">{last_error}</span>}
              </>
            ),
          },
          {
            id: "last",
            header: words.lastRun,
            isWideOnly: true,
            cell: ({ succeeded_at }) => <Moment at={succeeded_at} />,
          },
          { id: "next", header: words.nextRun, isWideOnly: true, cell: ({ due_at }) => <Moment at={due_at} /> },
          {
            id: "do",
            header: "",
            cell: ({ source, kind }) =>
              kind === "push" ? null : (
                <span className="actions">
                  <Button
                    reason={reason}
                    isBusy={run.isPending && run.variables.source === source}
                    aria-label={`${words.run}: ${source}`}
                    onClick={() => run.mutate({ source })}
                  >
                    {words.run}
                  </Button>
                  <Button
                    reason={reason}
                    isBusy={test.isPending && test.variables.source === source}
                    aria-label={`${words.test}: ${source}`}
                    onClick={() => test.mutate({ source })}
                  >
                    {words.test}
                  </Button>
                </span>
              ),
          },
        ]}
      />
    </>
  );
}
