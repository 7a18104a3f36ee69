import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { ApiProblem } from "../../api/api-problem.js";
import { usePerson } from "../../api/session.js";
import { useLanguage, useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { SelectField, TextField } from "../../parts/fields.js";
import { MoveEffects } from "../../parts/move-effects.js";
import { Problem } from "../../parts/problem.js";
import { useStored } from "../../shell/stored.js";
import { letterTerms } from "./letter-terms.js";
import { MoveOutcomes } from "./move-outcomes.js";
import { type Previews, previewMoves, type Target } from "./move-previews.js";
import { CHUNK, type Move, moveRun, startMoves } from "./move-run.js";
import { RunDialog } from "./run-dialog.js";
import { lettersWords } from "./words.js";

const bulkMoves = ["advance", "block", "resolve", "cancel"] as const satisfies readonly Move[];

/**
 * Moves the selected letters, or all that match: first shows what would happen to each, then the result. A letter that somebody changes in between
 * is refused, since the move is based on the version shown. A run that was stopped before comes first.
 */
export function BulkMoves({
  ids,
  matching,
  nameOf: nameNow,
  onClose,
}: {
  readonly ids: readonly string[];
  /** Instead of `ids`: what the list shows, and how many that are. */
  readonly matching?: Extract<Target, { matching: unknown }> | undefined;
  readonly nameOf: (letterId: string) => string | undefined;
  readonly onClose: () => void;
}) {
  const words = useWords(lettersWords);
  const terms = useWords(letterTerms);
  const number = new Intl.NumberFormat(useLanguage());
  const { person_id: person } = usePerson();
  const here = useStored(moveRun.here);
  // A moved letter may drop out of the list, so keep its name.
  const [names] = useState(() => new Map(ids.map((id) => [id, nameNow(id)])));
  const [move, setMove] = useState<Move>("advance");
  const [note, setNote] = useState("");
  const [typed, setTyped] = useState("");
  const [progress, setProgress] = useState<readonly [done: number, total: number]>([0, 0]);
  const looking = useRef<AbortController | null>(null);
  useEffect(() => () => looking.current?.abort(), []);
  const preview = useMutation<Previews, ApiProblem, Move>({
    mutationFn(wanted) {
      looking.current = new AbortController();
      const { signal } = looking.current;
      return previewMoves(matching ?? { ids }, wanted, (done, total) => setProgress([done, total]), signal);
    },
  });
  const previews = preview.data?.items;
  const nameOf = (letterId: string) => names.get(letterId) ?? preview.data?.names.get(letterId);
  const able = previews?.filter(({ outcome }) => outcome === "moves") ?? [];
  const isUnsure = move === "cancel" && typed.trim() !== String(able.length);
  const count = matching?.shown ?? ids.length;

  // A separate dialog: the focus would be lost with the button that was pressed.
  if (here?.person === person) return <RunDialog onClose={onClose} />;

  return (
    <Dialog title={words.moveTitle(count)} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (previews === undefined) preview.mutate(move);
          else if (able.length > 0 && !isUnsure)
            startMoves(
              person,
              { move, note: note.trim() },
              able.map(({ letter_id, version, to }) => ({
                letter_id,
                version: version ?? 0,
                to,
                name: nameOf(letter_id) ?? letter_id,
              })),
            );
        }}
      >
        <SelectField
          label={words.move}
          value={move}
          options={bulkMoves.map((value) => ({ value, label: terms.moves[value] }))}
          onChange={(value) => {
            setMove(value);
            looking.current?.abort();
            preview.reset();
          }}
        />
        <TextField
          label={terms.note}
          hint={terms.noteHint}
          rows={2}
          maxLength={2_000}
          value={note}
          onChange={setNote}
        />
        <Problem problem={preview.error} />
        <p role="status">{previews && words.previewSummary(able.length, previews.length - able.length)}</p>
        {preview.isPending && progress[1] > CHUNK && (
          <p>
            <progress aria-label={words.preview} max={progress[1]} value={progress[0]} />{" "}
            {words.lookedAt(number.format(progress[0]), number.format(progress[1]))}
          </p>
        )}
        {preview.data && (
          <>
            {preview.data.total > preview.data.items.length && (
              <p className="notice">
                {words.capped(number.format(preview.data.items.length), number.format(preview.data.total))}
              </p>
            )}
            {matching && preview.data.total !== matching.shown && (
              <p className="notice">
                {words.differs(number.format(matching.shown), number.format(preview.data.total))}
              </p>
            )}
          </>
        )}
        {previews && (
          <>
            {able.length > 0 && <MoveEffects effects={able.flatMap(({ effects }) => effects ?? [])} />}
            <MoveOutcomes rows={previews} nameOf={nameOf} />
            {move === "cancel" && able.length > 0 && (
              <>
                <p className="notice">{words.cancelWarning}</p>
                <TextField
                  label={words.typeCount(able.length)}
                  value={typed}
                  onChange={setTyped}
                  autoComplete="off"
                  inputMode="numeric"
                />
              </>
            )}
          </>
        )}
        <div className="actions">
          {previews === undefined ? (
            <Button type="submit" look="first" isBusy={preview.isPending}>
              {words.preview}
            </Button>
          ) : (
            <Button
              type="submit"
              look={move === "cancel" ? "ends" : "first"}
              reason={able.length === 0 ? words.noneMoves : isUnsure ? words.notTyped : null}
            >
              {words.moveThem(able.length)}
            </Button>
          )}
          <Button onClick={onClose}>{words.leave}</Button>
        </div>
      </form>
    </Dialog>
  );
}
