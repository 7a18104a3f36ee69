import { useLanguage, useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { Problem } from "../../parts/problem.js";
import { useStored } from "../../shell/stored.js";
import { NoticeInDialog } from "../../undo/undo-notice.js";
import { MoveOutcomes } from "./move-outcomes.js";
import { CHUNK, continueRun, endRun, moveRun, stopRun } from "./move-run.js";
import { lettersWords } from "./words.js";

/** How far a run is, with a way to stop it and to go on; at its end, what became of each letter. */
export function RunDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(lettersWords);
  const number = new Intl.NumberFormat(useLanguage());
  const here = useStored(moveRun);
  if (here === null) return null;
  const { run, names, outcomes, isRunning, problem } = here;
  const left = run.rest.length;
  const hasStopped = left > 0 && !isRunning;
  const close = () => {
    if (isRunning) stopRun();
    else if (left === 0) endRun();
    onClose();
  };
  return (
    <Dialog title={words.movedTitle} onClose={close}>
      {run.total > CHUNK && left > 0 && (
        <p>
          <progress aria-label={words.movedTitle} max={run.total} value={run.total - left} />{" "}
          {words.progress(number.format(run.total - left), number.format(run.total))}
        </p>
      )}
      <p role={isRunning ? undefined : "status"}>{words.movedSummary(run.moved, run.refused)}</p>
      {hasStopped && <p className="notice">{words.stopped(number.format(left))}</p>}
      <Problem problem={problem} />
      {outcomes.length > 0 && <MoveOutcomes rows={outcomes} nameOf={(id) => names.get(id)} />}
      {!isRunning && <NoticeInDialog onUndo={close} />}
      <div className="actions">
        {hasStopped ? (
          <>
            <Button look="first" onClick={continueRun}>
              {words.goOn}
            </Button>
            <Button
              onClick={() => {
                endRun();
                onClose();
              }}
            >
              {words.leaveRest}
            </Button>
          </>
        ) : isRunning && run.total > CHUNK ? (
          <Button onClick={stopRun}>{words.stop}</Button>
        ) : (
          <Button look="first" isBusy={isRunning} onClick={close}>
            {words.done}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
