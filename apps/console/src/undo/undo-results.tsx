import { useWords } from "../language/language.js";
import { Badge } from "../parts/badge.js";
import { Button } from "../parts/button.js";
import { DataTable } from "../parts/data-table.js";
import { Dialog } from "../parts/dialog.js";
import { Link } from "../parts/link.js";
import { refusalWords } from "../sentences/refusal-words.js";
import { outcomeWords } from "./outcome-words.js";
import { areMails, type UndoOutcome, type WaitingMoves } from "./waiting-moves.js";

/** What became of each letter whose move was undone with others. */
export default function UndoResults({
  moves,
  outcomes,
  onClose,
}: {
  readonly moves: WaitingMoves;
  readonly outcomes: readonly UndoOutcome[];
  readonly onClose: () => void;
}) {
  const all = useWords(outcomeWords);
  const words = areMails(moves) ? { ...all, ...all.ofMails } : all;
  const refusals = useWords(refusalWords);
  const names = new Map(moves.letters.map(({ letter_id, name }) => [letter_id, name]));
  const undone = outcomes.filter(({ outcome }) => outcome === "moved").length;
  return (
    <Dialog title={words.results} onClose={onClose}>
      <p role="status">{words.summary(undone, outcomes.length - undone)}</p>
      <DataTable
        caption={words.results}
        rows={outcomes}
        keyOf={({ letter_id }) => letter_id}
        columns={[
          {
            id: "letter",
            header: words.letter,
            cell: ({ letter_id }) => <Link to={`/letters/${letter_id}`}>{names.get(letter_id) ?? letter_id}</Link>,
          },
          {
            id: "outcome",
            header: words.outcome,
            cell: ({ outcome, error }) => (
              <>
                <Badge tone={outcome === "refused" ? "bad" : "good"}>{words.outcomes[outcome]}</Badge>{" "}
                {error && <span className="quiet">{refusals[error.reason ?? "changed_meanwhile"]}</span>}
              </>
            ),
          },
        ]}
      />
      <div className="actions">
        <Button look="first" onClick={onClose}>
          {words.done}
        </Button>
      </div>
    </Dialog>
  );
}
