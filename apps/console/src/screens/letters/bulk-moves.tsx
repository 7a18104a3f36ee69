import { useMutation } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { forget } from "../../api/answers.js";
import type { ApiProblem } from "../../api/api-problem.js";
import { call } from "../../api/call.js";
import type { AnswerOf, BodyOf } from "../../api/paths.js";
import { withFreshProof } from "../../api/proving.js";
import { useWords } from "../../language/language.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { DataTable } from "../../parts/data-table.js";
import { Dialog } from "../../parts/dialog.js";
import { SelectField, TextField } from "../../parts/fields.js";
import { Link } from "../../parts/link.js";
import { Problem } from "../../parts/problem.js";
import { NoticeInDialog } from "../../undo/undo-notice.js";
import { undoWords } from "../../undo/undo-words.js";
import { addWaiting } from "../../undo/waiting-moves.js";
import { letterTerms } from "./letter-terms.js";
import { MoveEffects } from "./move-effects.js";
import { lettersWords } from "./words.js";

type Move = NonNullable<BodyOf<"/operator/v1/letters/preview-moves">["move"]>;
type Preview = AnswerOf<"/operator/v1/letters/preview-moves">["items"][number];
type Outcome = AnswerOf<"/operator/v1/letters/move-many">["items"][number];

/** The most letters that one request moves. */
const CHUNK = 100;
const bulkMoves = ["advance", "block", "resolve", "cancel"] as const satisfies readonly Move[];

/**
 * Moves the selected letters: first shows what would happen to each, then the result. A letter that somebody changes in between is refused, since the
 * move is based on the version shown.
 */
export function BulkMoves({
  ids,
  nameOf: nameNow,
  onClose,
}: {
  readonly ids: readonly string[];
  readonly nameOf: (letterId: string) => string | undefined;
  readonly onClose: () => void;
}) {
  const words = useWords(lettersWords);
  const terms = useWords(letterTerms);
  // A moved letter may drop out of the list, so keep its name.
  const [names] = useState(() => new Map(ids.map((id) => [id, nameNow(id)])));
  const nameOf = (letterId: string) => names.get(letterId);
  const [move, setMove] = useState<Move>("advance");
  const [note, setNote] = useState("");
  const [typed, setTyped] = useState("");
  const preview = useMutation<readonly Preview[], ApiProblem, Move>({ mutationFn: (wanted) => previewOf(ids, wanted) });
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const make = useMutation<void, ApiProblem, readonly Preview[]>({
    mutationFn: (previews) =>
      makeMoves(previews, { move, ...(note.trim() !== "" && { note: note.trim() }) }, (done) =>
        setOutcomes((before) => [...before, ...done]),
      ),
    onSettled: () => forget(["/operator/v1/letters/", "/operator/v1/mails/"]),
  });
  /** Tells the notice which of the moved letters can be undone, all at once. */
  const keepWaiting = useEffectEvent(() => {
    const waiting = outcomes.filter(({ undo_until }) => undo_until !== null);
    const until = waiting.map(({ undo_until }) => undo_until ?? "").toSorted()[0];
    if (until === undefined) return;
    const letters = waiting.map(({ letter_id, version }) => ({
      letter_id,
      version: version ?? 0,
      name: nameOf(letter_id) ?? letter_id,
    }));
    addWaiting({ letters, recipient: null, until });
  });
  useEffect(() => {
    if (make.isSuccess || make.isError) keepWaiting();
  }, [make.isSuccess, make.isError]);
  const previews = preview.data;
  const able = previews?.filter(({ outcome }) => outcome === "moves") ?? [];
  const isUnsure = move === "cancel" && typed.trim() !== String(able.length);

  if (make.isSuccess || outcomes.length > 0)
    return (
      // A separate dialog: the focus would be lost with the button that was pressed.
      <Dialog key="outcomes" title={words.movedTitle} onClose={onClose}>
        <p role="status">
          {words.movedSummary(
            outcomes.filter(({ outcome }) => outcome === "moved").length,
            outcomes.filter(({ outcome }) => outcome === "refused").length,
          )}
        </p>
        {make.error && <p className="notice">{words.unknownRest(able.length - outcomes.length)}</p>}
        <Problem problem={make.error} />
        <Outcomes rows={outcomes} nameOf={nameOf} />
        {!make.isPending && <NoticeInDialog onUndo={onClose} />}
        <div className="actions">
          <Button look="first" isBusy={make.isPending} onClick={onClose}>
            {words.done}
          </Button>
        </div>
      </Dialog>
    );

  return (
    <Dialog title={words.moveTitle(ids.length)} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (previews === undefined) preview.mutate(move);
          else if (able.length > 0 && !isUnsure && !make.isPending) make.mutate(able);
        }}
      >
        <SelectField
          label={words.move}
          value={move}
          options={bulkMoves.map((value) => ({ value, label: terms.moves[value] }))}
          onChange={(value) => {
            setMove(value);
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
        <Problem problem={preview.error ?? make.error} />
        <p role="status">{previews && words.previewSummary(able.length, previews.length - able.length)}</p>
        {previews && (
          <>
            {able.length > 0 && <MoveEffects effects={able.flatMap(({ effects }) => effects ?? [])} />}
            <Outcomes rows={previews} nameOf={nameOf} />
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
              isBusy={make.isPending}
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

/** The expected or actual outcome of each letter. */
function Outcomes({
  rows,
  nameOf,
}: { readonly rows: readonly (Preview | Outcome)[] } & Pick<Parameters<typeof BulkMoves>[0], "nameOf">) {
  const words = useWords(lettersWords);
  const { statuses, status } = useWords(letterTerms);
  const { refusals } = useWords(undoWords);
  return (
    <DataTable
      caption={words.outcomes}
      rows={rows}
      keyOf={({ letter_id }) => letter_id}
      columns={[
        {
          id: "letter",
          header: words.letter,
          cell: ({ letter_id }) => <Link to={`/letters/${letter_id}`}>{nameOf(letter_id) ?? letter_id}</Link>,
        },
        {
          id: "to",
          header: status,
          cell: ({ from, to }) => (
            <>
              {from && statuses[from]}
              {to && ` → ${statuses[to]}`}
            </>
          ),
        },
        {
          id: "outcome",
          header: words.outcome,
          cell: ({ outcome, error }) => (
            <>
              <Badge tone={outcome === "refused" ? "bad" : "good"}>{words.outcomeNames[outcome]}</Badge>{" "}
              {error && <span className="quiet">{error.reason ? refusals[error.reason] : error.message}</span>}
            </>
          ),
        },
      ]}
    />
  );
}

async function previewOf(ids: readonly string[], move: Move): Promise<readonly Preview[]> {
  const previews: Preview[] = [];
  for (let from = 0; from < ids.length; from += CHUNK) {
    const letter_ids = ids.slice(from, from + CHUNK);
    previews.push(...(await call("/operator/v1/letters/preview-moves", { letter_ids, move })).items);
  }
  return previews;
}

/** Reports the outcomes of each chunk when it is done, since a later one may fail. */
async function makeMoves(
  previews: readonly Preview[],
  how: { readonly move: Move; readonly note?: string },
  onDone: (outcomes: readonly Outcome[]) => void,
): Promise<void> {
  for (let from = 0; from < previews.length; from += CHUNK) {
    const some = previews.slice(from, from + CHUNK);
    const letter_ids = some.map(({ letter_id }) => letter_id);
    const versions = Object.fromEntries(some.map(({ letter_id, version }) => [letter_id, version ?? 0]));
    const body = { ...how, letter_ids, versions };
    onDone((await withFreshProof(() => call("/operator/v1/letters/move-many", body))).items);
  }
}
