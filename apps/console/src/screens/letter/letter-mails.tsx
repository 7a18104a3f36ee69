import { useEffect, useState } from "react";
import { forget, useChange } from "../../api/answers.js";
import { faultOf } from "../../api/api-problem.js";
import { labelled, useWords } from "../../language/language.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { DataTable } from "../../parts/data-table.js";
import { Dialog } from "../../parts/dialog.js";
import { TextField } from "../../parts/fields.js";
import { Moment } from "../../parts/moment.js";
import { MailEffect } from "../../parts/move-effects.js";
import { Problem } from "../../parts/problem.js";
import { showToast } from "../../parts/toast.js";
import { useCountdown, useSecondsFormat } from "../../undo/countdown.js";
import { outcomeWords } from "../../undo/outcome-words.js";
import { undoWords } from "../../undo/undo-words.js";
import { addMails, dropLetter } from "../../undo/waiting-moves.js";
import type { Letter } from "./letter-history.js";
import { recordWords } from "./record-words.js";
import { letterWords } from "./words.js";

type Mail = Letter["mails"][number];

const tones = { sent: "good", queued: "neutral", withdrawn: "neutral", failed: "bad", in_doubt: "warn" } as const;

/** The mails about a letter, and the actions for one that did not arrive. */
export function LetterMails({ letter, mayWork }: { readonly letter: Letter; readonly mayWork: boolean }) {
  const words = useWords(letterWords);
  const records = useWords(recordWords);
  const undoing = useWords(undoWords);
  const { doNotSend } = useWords(outcomeWords);
  const [retrying, setRetrying] = useState<Mail | null>(null);
  const confirm = useChange("/operator/v1/mails/confirm", {
    changes: ["/operator/v1/letters/"],
    onDone: () => showToast(words.kept),
  });
  const withdraw = useChange("/operator/v1/mails/withdraw", {
    changes: ["/operator/v1/letters/"],
    onDone() {
      dropLetter(letter.id);
      showToast(undoing.notSent);
    },
  });
  if (letter.mails.length === 0) return null;
  const { undo } = letter;
  const sendingOf = ({ state }: Mail) => (state === "queued" ? records.sendNow : records.tryAgain);
  const reason = mayWork ? null : words.readOnly;
  return (
    <section>
      <header className="section-head">
        <h2>{records.mails}</h2>
      </header>
      <Problem problem={confirm.error ?? withdraw.error} />
      <DataTable
        caption={records.mails}
        rows={letter.mails}
        keyOf={({ mail_id }) => mail_id}
        columns={[
          { id: "kind", header: records.mail, cell: ({ kind }) => records.mailKinds[kind] },
          {
            id: "state",
            header: records.state,
            cell: ({ state, last_error, next_attempt_at }) => (
              <>
                <Badge tone={tones[state]}>{records.mailStates[state]}</Badge>{" "}
                {next_attempt_at !== null && <Leaves until={next_attempt_at} />}
                {last_error && <span className="quiet">{last_error}</span>}
              </>
            ),
          },
          { id: "to", header: records.recipient, cell: ({ recipient }) => recipient, isWideOnly: true },
          {
            id: "at",
            header: records.when,
            cell: ({ settled_at, created_at }) => <Moment at={settled_at ?? created_at} />,
            isWideOnly: true,
          },
          {
            id: "do",
            header: "",
            cell: (mail) =>
              mail.state === "sent" || mail.state === "withdrawn" ? null : mail.mail_id === undo?.mail_id ? (
                <UndoMove letter={letter} reason={reason} />
              ) : (
                <span className="actions">
                  {mail.recipient !== null && (
                    <Button
                      reason={reason}
                      aria-label={labelled(sendingOf(mail), records.mailKinds[mail.kind])}
                      onClick={() => setRetrying(mail)}
                    >
                      {sendingOf(mail)}
                    </Button>
                  )}
                  {mail.state !== "queued" && (
                    <Button
                      reason={reason}
                      isBusy={confirm.isPending && confirm.variables.mail_id === mail.mail_id}
                      aria-label={labelled(records.arrived, records.mailKinds[mail.kind])}
                      onClick={() => confirm.mutate({ mail_id: mail.mail_id })}
                    >
                      {records.arrived}
                    </Button>
                  )}
                  <Button
                    reason={reason}
                    isBusy={withdraw.isPending && withdraw.variables.mail_id === mail.mail_id}
                    aria-label={labelled(doNotSend, records.mailKinds[mail.kind])}
                    onClick={() => withdraw.mutate({ mail_id: mail.mail_id })}
                  >
                    {doNotSend}
                  </Button>
                </span>
              ),
          },
        ]}
      />
      {retrying && <RetryDialog mail={retrying} onClose={() => setRetrying(null)} />}
    </section>
  );
}

/** In how many seconds a waiting mail leaves. */
function Leaves({ until }: { readonly until: string }) {
  const words = useWords(undoWords);
  const seconds = useCountdown(until);
  const inWords = useSecondsFormat();
  useEffect(() => {
    // Whatever became of it then.
    if (seconds === 0) void forget(["/operator/v1/letters/"]);
  }, [seconds]);
  return seconds > 0 && <span className="quiet">{words.leaves(inWords(seconds))}</span>;
}

/** Undoes the letter's last move, whose mail waits. */
function UndoMove({ letter, reason }: { readonly letter: Letter; readonly reason: string | null }) {
  const words = useWords(undoWords);
  const undo = useChange("/operator/v1/letters/undo", {
    changes: ["/operator/v1/mails/"],
    onDone() {
      dropLetter(letter.id);
      showToast(words.undone);
    },
  });
  return (
    <>
      <Button
        reason={reason}
        isBusy={undo.isPending}
        onClick={() => undo.mutate({ letter_id: letter.id, version: letter.version })}
      >
        {words.undo}
      </Button>
      <Problem problem={undo.error} />
    </>
  );
}

function RetryDialog({ mail, onClose }: { readonly mail: Mail; readonly onClose: () => void }) {
  const records = useWords(recordWords);
  const [recipient, setRecipient] = useState(mail.recipient ?? "");
  const retry = useChange("/operator/v1/mails/retry", {
    changes: ["/operator/v1/letters/"],
    onDone({ mail: sent }) {
      dropLetter(sent.letter_id);
      if (!addMails([sent], () => "")) showToast(records.mailQueued);
      onClose();
    },
  });
  return (
    <Dialog title={mail.state === "queued" ? records.sendNow : records.tryAgain} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (retry.isPending) return;
          const changed = recipient.trim() !== (mail.recipient ?? "");
          retry.mutate({ mail_id: mail.mail_id, ...(changed && { recipient: recipient.trim() }) });
        }}
      >
        {mail.state === "in_doubt" && <p className="notice">{records.inDoubtText}</p>}
        <TextField
          label={records.recipient}
          type="email"
          value={recipient}
          fault={faultOf(retry.error, "recipient")}
          onChange={setRecipient}
        />
        <MailEffect kind={mail.kind} to={recipient} />
        <Problem problem={retry.error} />
        <Button type="submit" look="first" isBusy={retry.isPending}>
          {records.send}
        </Button>
      </form>
    </Dialog>
  );
}
