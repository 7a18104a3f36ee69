import { useLanguage, useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { Problem } from "../../parts/problem.js";
import { restOf } from "../../shell/runs.js";
import { useStored } from "../../shell/stored.js";
import { NoticeInDialog } from "../../undo/undo-notice.js";
import { MoveOutcomes } from "./move-outcomes.js";
import { CHUNK, moveRun } from "./move-run.js";
import { lettersWords } from "./words.js";

/** How far a run is, with a way to stop it and to go on; at its end, what became of each letter. */
export function RunDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords(lettersWords);
  const number = new Intl.NumberFormat(useLanguage());
  const here = useStored(moveRun.here);
  if (here === null) return null;
  const { items, outcomes, isRunning, problem } = here;
  const { left, hasStopped, canGoOn } = restOf(here);
  const total = items.length;
  const moved = outcomes.filter(({ outcome }) => outcome === "moved").length;
  const names = new Map(items.map(({ letter_id, name }) => [letter_id, name]));
  const close = () => {
    if (isRunning) moveRun.stop();
    else if (left === 0) moveRun.end();
    onClose();
  };
  return (
    <Dialog title={words.movedTitle} onClose={close}>
      {total > CHUNK && left > 0 && (
        <p>
          <progress aria-label={words.movedTitle} max={total} value={outcomes.length} />{" "}
          {words.progress(number.format(outcomes.length), number.format(total))}
        </p>
      )}
      <p role={isRunning ? undefined : "status"}>{words.movedSummary(moved, outcomes.length - moved)}</p>
      {hasStopped && <p className="notice">{words.stopped(number.format(left))}</p>}
      <Problem problem={problem} />
      {outcomes.length > 0 && <MoveOutcomes rows={outcomes} nameOf={(id) => names.get(id)} />}
      {!isRunning && <NoticeInDialog onUndo={close} />}
      <div className="actions">
        {hasStopped ? (
          <>
            {canGoOn && (
              <Button look="first" onClick={moveRun.goOn}>
                {words.goOn}
              </Button>
            )}
            <Button
              onClick={() => {
                moveRun.end();
                onClose();
              }}
            >
              {words.leaveRest}
            </Button>
          </>
        ) : isRunning && total > CHUNK ? (
          <Button onClick={moveRun.stop}>{words.stop}</Button>
        ) : (
          <Button look="first" isBusy={isRunning} onClick={close}>
            {words.done}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
