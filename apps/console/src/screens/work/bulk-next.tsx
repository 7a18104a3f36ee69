import { type FormEvent, useState } from "react";
import { useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { TextField } from "../../parts/fields.js";
import { partWords } from "../../parts/part-words.js";
import { workWords } from "./words.js";
import type { BulkStep, WorkLine } from "./work-places.js";

/** Says what a step does to lines before it is done. */
export function BulkNext({
  step,
  lines,
  onMake,
  onClose,
}: {
  readonly step: BulkStep;
  readonly lines: readonly WorkLine[];
  readonly onMake: (note: string) => void;
  readonly onClose: () => void;
}) {
  const words = useWords(workWords);
  const { cancel } = useWords(partWords);
  const { bulk } = words;
  const [note, setNote] = useState("");
  const recipients = [...new Set(lines.flatMap(({ details }) => details.recipient ?? []))];
  return (
    <Dialog title={bulk.steps[step](lines.length)} onClose={onClose}>
      <form
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          onMake(note.trim());
        }}
      >
        <ul className="notice">
          <li>{bulk.effects[step](lines.length)}</li>
          {step === "resend" && <li>{recipients.slice(0, 5).join(", ") + (recipients.length > 5 ? " …" : "")}</li>}
          {step === "resend" && lines.some(({ kind }) => kind === "mail_in_doubt") && <li>{bulk.twice}</li>}
        </ul>
        {step === "note" && (
          <TextField
            label={words.dialogs.observations}
            hint={words.dialogs.observationsHint}
            required
            rows={3}
            maxLength={1_000}
            value={note}
            onChange={setNote}
          />
        )}
        <div className="actions">
          <Button type="submit" look="first">
            {bulk.steps[step](lines.length)}
          </Button>
          <Button onClick={onClose}>{cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
