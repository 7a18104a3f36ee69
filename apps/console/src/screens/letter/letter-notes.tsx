import { useState } from "react";
import { useChange } from "../../api/answers.js";
import { faultOf } from "../../api/api-problem.js";
import { useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { Facts } from "../../parts/facts.js";
import { CheckField, TextField } from "../../parts/fields.js";
import { showToast } from "../../parts/toast.js";
import { addMailOf } from "../../undo/waiting-moves.js";
import { LetterConflictNotice, useEditedLetter } from "./letter-conflict-notice.js";
import type { Letter } from "./letter-history.js";
import { letterWords } from "./words.js";

interface About {
  readonly letter: Letter;
  readonly onDone: (answer: { readonly letter: Letter }) => void;
}

/** The observations that the tenant reads, and the addresses that mails go to. */
export function LetterNotes({ letter, mayWork }: Pick<About, "letter"> & { readonly mayWork: boolean }) {
  const words = useWords(letterWords);
  const [open, setOpen] = useState<"observe" | "contacts" | null>(null);
  const reason = mayWork ? null : words.readOnly;
  const done = () => {
    setOpen(null);
    showToast(words.kept);
  };
  const corrected = (answer: { readonly letter: Letter }) => {
    setOpen(null);
    if (!addMailOf(answer.letter)) showToast(words.kept);
  };
  return (
    <section>
      <header className="section-head">
        <h2>{words.notes}</h2>
        <div className="actions">
          <Button reason={reason} onClick={() => setOpen("observe")}>
            {words.observe}
          </Button>
          <Button reason={reason} onClick={() => setOpen("contacts")}>
            {words.correctContacts}
          </Button>
        </div>
      </header>
      <Facts
        facts={[
          [words.observations, letter.observations ?? words.noObservations],
          ...Object.entries(letter.contact_info).map(
            ([name, value]) => [name === "banker_email" ? words.bankerEmail : name, value] as const,
          ),
        ]}
      />
      {open === "observe" && <ObserveDialog letter={letter} onDone={done} onClose={() => setOpen(null)} />}
      {open === "contacts" && <ContactsDialog letter={letter} onDone={corrected} onClose={() => setOpen(null)} />}
    </section>
  );
}

function ObserveDialog({ letter, onDone, onClose }: About & { readonly onClose: () => void }) {
  const words = useWords(letterWords);
  const [before] = useState(letter.observations);
  const [text, setText] = useState(before ?? "");
  const seen = useEditedLetter(letter);
  const change = useChange("/operator/v1/letters/observe", { onDone });
  return (
    <Dialog title={words.observe} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (change.isPending) return;
          change.mutate({
            letter_id: letter.id,
            version: seen.version,
            observations: text.trim() === "" ? null : text.trim(),
          });
        }}
      >
        <TextField
          label={words.observations}
          hint={words.observationsHint}
          rows={5}
          value={text}
          fault={faultOf(change.error, "observations")}
          onChange={setText}
        />
        {letter.observations !== before && (
          <Facts facts={[[words.thereNow, letter.observations ?? words.noObservations]]} />
        )}
        <LetterConflictNotice seen={seen} change={change} />
        <Button type="submit" look="first" isBusy={change.isPending}>
          {words.keep}
        </Button>
      </form>
    </Dialog>
  );
}

function ContactsDialog({ letter, onDone, onClose }: About & { readonly onClose: () => void }) {
  const words = useWords(letterWords);
  const [before] = useState(letter.contact_info.banker_email ?? "");
  const [email, setEmail] = useState(before);
  const [mail, setMail] = useState(false);
  const seen = useEditedLetter(letter);
  const change = useChange("/operator/v1/letters/contacts", { changes: ["/operator/v1/mails/"], onDone });
  const isNew = email.trim() !== (letter.contact_info.banker_email ?? "");
  return (
    <Dialog title={words.correctContacts} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (change.isPending || !(isNew || mail)) return;
          change.mutate({
            letter_id: letter.id,
            version: seen.version,
            mail,
            contact_info: isNew ? { banker_email: email.trim() === "" ? null : email.trim() } : {},
          });
        }}
      >
        <TextField
          label={words.bankerEmail}
          type="email"
          value={email}
          fault={faultOf(change.error, "contact_info.banker_email") ?? faultOf(change.error, "contact_info")}
          onChange={setEmail}
        />
        <CheckField label={words.mailAgain} checked={mail} onChange={setMail} />
        {(letter.contact_info.banker_email ?? "") !== before && (
          <Facts facts={[[words.thereNow, letter.contact_info.banker_email ?? words.noObservations]]} />
        )}
        <LetterConflictNotice seen={seen} change={change} />
        <Button
          type="submit"
          look="first"
          isBusy={change.isPending}
          reason={isNew || mail ? null : words.nothingChanged}
        >
          {words.keep}
        </Button>
      </form>
    </Dialog>
  );
}
