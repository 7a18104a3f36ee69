import { useState } from "react";
import { useChange } from "../../api/answers.js";
import { faultOf } from "../../api/api-problem.js";
import { useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { TextField } from "../../parts/fields.js";
import { MoveEffects } from "../../parts/move-effects.js";
import { showToast } from "../../parts/toast.js";
import { addMoved } from "../../undo/waiting-moves.js";
import { letterTerms } from "../letters/letter-terms.js";
import { DetailsDialog } from "./details-dialog.js";
import { DoubtDialog } from "./doubt-dialog.js";
import { LetterConflictNotice, useEditedLetter } from "./letter-conflict-notice.js";
import type { Letter } from "./letter-history.js";
import { SignDialog } from "./sign-dialog.js";
import { letterWords } from "./words.js";

type Possible = Letter["moves"][number];

/** The moves that are allowed now, as the server says from its table. */
export function LetterMoves({ letter, mayWork }: { readonly letter: Letter; readonly mayWork: boolean }) {
  const words = useWords(letterWords);
  const terms = useWords(letterTerms);
  const [open, setOpen] = useState<Possible | "details" | null>(null);
  if (letter.moves.length === 0) return <p className="quiet">{words.noMoves}</p>;
  const close = () => setOpen(null);
  const done = (answer?: { readonly letter: Letter }) => {
    close();
    if (!answer || !addMoved(answer.letter)) showToast(words.moved);
  };
  const titleOf = ({ move, to }: Possible) =>
    move === "advance" ? words.advanceTo(terms.statuses[to]) : terms.moves[move];
  const doubtful = letter.mails.filter(({ state }) => state === "in_doubt");
  function dialogOf(chosen: Possible | "details") {
    if (doubtful.length > 0 && chosen !== "details")
      return <DoubtDialog title={titleOf(chosen)} mails={doubtful} onClose={close} />;
    if (chosen === "details" || chosen.move === "details")
      return <DetailsDialog letter={letter} onDone={done} onClose={close} />;
    if (chosen.move === "sign")
      return <SignDialog letter={letter} effects={chosen.effects} onDone={done} onClose={close} />;
    return <MoveDialog letter={letter} possible={chosen} move={chosen.move} onDone={done} onClose={close} />;
  }
  return (
    <section aria-label={words.moves}>
      <div className="actions">
        {letter.moves.map((possible, index) => (
          <Button
            key={possible.move}
            look={possible.move === "cancel" ? "ends" : index === 0 ? "first" : "usual"}
            reason={mayWork ? null : words.readOnly}
            onClick={() => setOpen(possible)}
          >
            {titleOf(possible)}
          </Button>
        ))}
        {letter.status === "UsersDetail" && (
          <Button reason={mayWork ? null : words.readOnly} onClick={() => setOpen("details")}>
            {words.correctDetails}
          </Button>
        )}
      </div>
      {open !== null && dialogOf(open)}
    </section>
  );
}

function MoveDialog({
  letter,
  possible: { to, effects },
  move,
  onDone,
  onClose,
}: {
  readonly letter: Letter;
  readonly possible: Possible;
  readonly move: "advance" | "block" | "resolve" | "cancel";
  readonly onDone: (answer: { readonly letter: Letter }) => void;
  readonly onClose: () => void;
}) {
  const words = useWords(letterWords);
  const terms = useWords(letterTerms);
  const [note, setNote] = useState("");
  const seen = useEditedLetter(letter);
  const change = useChange(`/operator/v1/letters/${move}`, {
    changes: ["/operator/v1/mails/"],
    onDone,
  });
  const isStillPossible = letter.moves.some((possible) => possible.move === move && possible.to === to);
  return (
    <Dialog title={`${move === "advance" ? words.advanceTo(terms.statuses[to]) : terms.moves[move]}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (change.isPending || !isStillPossible) return;
          change.mutate({
            letter_id: letter.id,
            version: seen.version,
            ...(note.trim() !== "" && { note: note.trim() }),
            ...(move === "advance" && { to }),
          });
        }}
      >
        <p>
          {terms.statuses[letter.status]} → <strong>{terms.statuses[to]}</strong>
        </p>
        <MoveEffects effects={[effects]} />
        {move === "cancel" && <p className="notice">{words.cancelText}</p>}
        <TextField
          label={terms.note}
          hint={terms.noteHint}
          rows={3}
          value={note}
          fault={faultOf(change.error, "note")}
          onChange={setNote}
        />
        <LetterConflictNotice seen={seen} change={change} />
        <div className="actions">
          <Button
            type="submit"
            look={move === "cancel" ? "ends" : "first"}
            isBusy={change.isPending}
            reason={isStillPossible ? null : words.notAnyMore}
          >
            {terms.moves[move]}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
