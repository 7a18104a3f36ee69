import { ApiProblem } from "../../api/api-problem.js";
import { usePerson } from "../../api/session.js";
import { labelled, useLanguage, useWords } from "../../language/language.js";
import { Badge } from "../../parts/badge.js";
import { breakable } from "../../parts/breakable.js";
import { Button } from "../../parts/button.js";
import { DataTable } from "../../parts/data-table.js";
import { Dialog } from "../../parts/dialog.js";
import { Link } from "../../parts/link.js";
import { partWords } from "../../parts/part-words.js";
import { Problem, useProblemText } from "../../parts/problem.js";
import { restOf } from "../../shell/runs.js";
import { useStored } from "../../shell/stored.js";
import { NoticeInDialog } from "../../undo/undo-notice.js";
import { lettersWords } from "../letters/words.js";
import { workWords } from "./words.js";
import { keyOfLine, placeOf } from "./work-places.js";
import { CHUNK, type LineRefusal, undoOf, workRun } from "./work-run.js";

/** The run of the person who is signed in, and its way back. */
export function useOwnRun() {
  const { person_id } = usePerson();
  const here = useStored(workRun.here);
  const run = here?.person === person_id ? here : null;
  const back = run && !run.isRunning && run.plan.what !== "undo" ? undoOf(run.plan, run.items, run.outcomes) : null;
  const undo = back && (() => workRun.start({ person: person_id, ...back }));
  return { run, undo };
}

/** What the run has done, how far it is, and, where it stopped, a way to go on. */
export function RunNotice({ onShow }: { readonly onShow: () => void }) {
  const { marks, bulk } = useWords(workWords);
  const words = useWords(lettersWords);
  const { close } = useWords(partWords);
  const number = new Intl.NumberFormat(useLanguage());
  const { run, undo } = useOwnRun();
  const { left = 0, hasStopped = false, canGoOn = false } = run ? restOf(run) : {};
  const isRunning = run?.isRunning === true;
  const done = run?.outcomes.filter(({ refusal }) => refusal === null).length ?? 0;
  const refused = (run?.outcomes.length ?? 0) - done;
  const didOf = (what: string) =>
    what in marks.made
      ? done > 0 && marks.made[what as keyof typeof marks.made](done)
      : bulk.did(number.format(done), number.format(run?.items.length ?? 0));
  return (
    <>
      {run && isRunning && run.items.length > 1 && (
        <p className="notice work-running">
          <progress aria-label={marks.results} max={run.items.length} value={run.outcomes.length} />{" "}
          {bulk.did(number.format(run.outcomes.length), number.format(run.items.length))}{" "}
          {left > CHUNK && <Button onClick={workRun.stop}>{words.stop}</Button>}
        </p>
      )}
      <p className="notice work-made" role="status" hidden={run === null || isRunning}>
        {run && !isRunning && (
          <>
            {didOf(run.plan.what)} {refused > 0 && marks.refused(refused)} {hasStopped && marks.stopped(left)}{" "}
            {canGoOn && (
              <Button look="first" onClick={workRun.goOn}>
                {words.goOn}
              </Button>
            )}{" "}
            {hasStopped && <Button onClick={workRun.end}>{words.leaveRest}</Button>}{" "}
            {undo && <Button onClick={undo}>{marks.undo}</Button>}{" "}
            {(refused > 0 || run.outcomes.length > 1) && <Button onClick={onShow}>{marks.details}</Button>}{" "}
            {!hasStopped && (
              <Button look="plain" onClick={workRun.end}>
                {close}
              </Button>
            )}
          </>
        )}
      </p>
      <Problem problem={run?.problem} />
    </>
  );
}

/** What became of each line; closing it leaves the run as it is. */
export function RunResults({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(workWords);
  const { close } = useWords(partWords);
  const { marks, bulk } = words;
  const number = new Intl.NumberFormat(useLanguage());
  const whyOf = useRefusalText();
  const { run } = useOwnRun();
  if (run === null) return null;
  const { items, outcomes, isRunning, problem } = run;
  const rows = items.slice(0, outcomes.length).map((line, index) => ({
    line,
    refusal: outcomes[index]?.refusal ?? null,
  }));
  const done = rows.filter(({ refusal }) => refusal === null).length;
  return (
    <Dialog title={marks.results} onClose={onClose}>
      <p role={isRunning ? undefined : "status"}>{bulk.did(number.format(done), number.format(items.length))}</p>
      <Problem problem={problem} />
      <DataTable
        caption={marks.results}
        // What was refused comes first.
        rows={rows.toSorted((a, b) => Number(a.refusal === null) - Number(b.refusal === null))}
        keyOf={({ line }) => keyOfLine(line)}
        columns={[
          {
            id: "line",
            header: words.what,
            cell: ({ line }) => <Link {...placeOf(line)}>{labelled(words.kinds[line.kind], line.name)}</Link>,
          },
          {
            id: "result",
            header: marks.result,
            cell: ({ refusal }) => (
              <>
                <Badge tone={refusal ? "bad" : "good"}>{refusal ? marks.refusedOne : marks.doneOne}</Badge>{" "}
                <span className="quiet">{refusal && breakable(whyOf(refusal))}</span>
              </>
            ),
          },
        ]}
      />
      {!isRunning && <NoticeInDialog onUndo={onClose} />}
      <div className="actions">
        <Button look="first" onClick={onClose}>
          {close}
        </Button>
      </div>
    </Dialog>
  );
}

function useRefusalText(): (refusal: LineRefusal) => string {
  const { marks, bulk } = useWords(workWords);
  const problemText = useProblemText();
  return (refusal) => {
    switch (refusal.why) {
      case "gone":
      case "changed":
        return marks[refusal.why];
      case "owned":
        return marks.hasIt(refusal.text);
      case "held":
        return refusal.text ?? bulk.stillHeld;
      case "problem":
        return problemText(new ApiProblem(refusal.problem));
    }
  };
}
