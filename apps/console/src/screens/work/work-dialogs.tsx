import { type FormEvent, type ReactNode, useState } from "react";
import { useAnswer, useChange } from "../../api/answers.js";
import type { ApiProblem } from "../../api/api-problem.js";
import { faultOf } from "../../api/api-problem.js";
import { useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { TextField } from "../../parts/fields.js";
import { MailEffect, MoveEffects } from "../../parts/move-effects.js";
import { partWords } from "../../parts/part-words.js";
import { Problem } from "../../parts/problem.js";
import { showToast } from "../../parts/toast.js";
import { outcomeWords } from "../../undo/outcome-words.js";
import { addMailOf, addMails, addMoved } from "../../undo/waiting-moves.js";
import { letterTerms } from "../letters/letter-terms.js";
import { AskCustodian, asksCustodian } from "./ask-custodian.js";
import { workWords } from "./words.js";
import { type Manner, QUEUE, type WorkLine } from "./work-places.js";

interface Shown {
  readonly line: WorkLine;
  readonly onClose: () => void;
}

/** Asks for the input of a line's action, and performs it. */
export function WorkDialog({ manner, ...shown }: Shown & { readonly manner: Manner }) {
  if (manner === "advance") return <MoveOn {...shown} />;
  if (manner === "resolve") return <Resume {...shown} />;
  if (manner === "mail") return <SendAgain {...shown} />;
  if (manner === "doubt") return <Doubt {...shown} />;
  if (manner === "retry") return <TakeFile {...shown} />;
  if (manner === "address") return <GiveAddress {...shown} />;
  return <NoteDone {...shown} />;
}

function MoveOn({ line, onClose }: Shown) {
  const words = useWords(workWords);
  const [note, setNote] = useState("");
  const done = ended(onClose, words.said.advanced);
  const change = useChange("/operator/v1/letters/advance", {
    changes: done.changes,
    onDone({ letter }) {
      // The notice of a mail that waits says that it has moved, and would be covered.
      if (addMoved(letter)) onClose();
      else done.onDone();
    },
  });
  const { statuses } = useWords(letterTerms);
  const { letter_id = line.subject.id, status } = line.details;
  const preview = useAnswer("/operator/v1/letters/preview-moves", { move: "advance", letter_ids: [letter_id] });
  const effects = preview.data?.items[0]?.effects;
  return (
    <Asking
      title={words.dialogs.advance}
      action={words.actions.advance_letter}
      change={change}
      onClose={onClose}
      onDo={() => change.mutate({ letter_id, ...(note !== "" && { note }) })}
    >
      <p>{words.dialogs.advanceLead(status === undefined ? "" : statuses[status])}</p>
      {effects && <MoveEffects effects={[effects]} />}
      <TextField label={words.dialogs.note} hint={words.dialogs.noteHint} value={note} onChange={setNote} />
    </Asking>
  );
}

function Resume({ line, onClose }: Shown) {
  const words = useWords(workWords);
  const [note, setNote] = useState("");
  const change = useChange("/operator/v1/letters/resolve", ended(onClose, words.said.resolved));
  const { statuses } = useWords(letterTerms);
  const { letter_id = line.subject.id, previous_status = "Connected", note: why } = line.details;
  return (
    <Asking
      title={words.dialogs.resolve}
      action={words.actions.resolve_letter}
      change={change}
      onClose={onClose}
      onDo={() => change.mutate({ letter_id, ...(note !== "" && { note }) })}
    >
      {why && (
        <p>
          {words.dialogs.why} {why}
        </p>
      )}
      <p>{words.dialogs.resolveLead(statuses[previous_status])}</p>
      {asksCustodian(line) && <AskCustodian line={line} />}
      <TextField label={words.dialogs.note} hint={words.dialogs.noteHint} value={note} onChange={setNote} />
    </Asking>
  );
}

function NoteDone({ line, onClose }: Shown) {
  const words = useWords(workWords);
  const { letter_id = line.subject.id, observations: before = "" } = line.details;
  const [text, setText] = useState(before);
  const change = useChange("/operator/v1/letters/observe", ended(onClose, words.said.noted));
  return (
    <Asking
      title={words.dialogs.done}
      action={words.dialogs.keep}
      change={change}
      onClose={onClose}
      onDo={() => change.mutate({ letter_id, observations: text })}
    >
      <p>{words.dialogs.doneLead}</p>
      {asksCustodian(line) && <AskCustodian line={line} />}
      <TextField
        label={words.dialogs.observations}
        hint={words.dialogs.observationsHint}
        rows={3}
        value={text}
        onChange={setText}
        fault={faultOf(change.error, "observations")}
      />
    </Asking>
  );
}

function SendAgain({ line, onClose }: Shown) {
  const words = useWords(workWords);
  const { mail_id = line.subject.id, letter_id = "", mail_kind, recipient = "", reason } = line.details;
  const [to, setTo] = useState(recipient);
  const again = useChange("/operator/v1/mails/retry", mailed(onClose, words.said.queued));
  const correct = useChange("/operator/v1/letters/contacts", mailed(onClose, words.said.queued));
  // A custodian's address is changed on the letter; a client's only for the mail.
  const isCorrected = to !== recipient && mail_kind !== "signature_request";
  const change = isCorrected ? correct : again;
  const send = () =>
    isCorrected
      ? correct.mutate({ letter_id, contact_info: { banker_email: to }, mail: true })
      : again.mutate({ mail_id, ...(to !== recipient && { recipient: to }) });
  return (
    <Asking title={words.dialogs.mail} action={words.dialogs.sendAgain} change={change} onClose={onClose} onDo={send}>
      {reason && <p>{words.dialogs.mailLead(reason)}</p>}
      <TextField
        label={words.dialogs.recipient}
        type="email"
        required
        value={to}
        onChange={setTo}
        fault={faultOf(change.error, "recipient") ?? faultOf(change.error, "contact_info.banker_email")}
      />
      {mail_kind && <MailEffect kind={mail_kind} to={to} />}
    </Asking>
  );
}

function Doubt({ line, onClose }: Shown) {
  const words = useWords(workWords);
  const { mail_id = line.subject.id, recipient = "" } = line.details;
  const confirm = useChange("/operator/v1/mails/confirm", ended(onClose, words.said.confirmed));
  const again = useChange("/operator/v1/mails/retry", mailed(onClose, words.said.queued));
  const { doNotSend, decided } = useWords(outcomeWords);
  const withdraw = useChange("/operator/v1/mails/withdraw", ended(onClose, decided));
  return (
    <Asking
      title={words.dialogs.doubt}
      action={words.dialogs.arrived}
      change={{ isPending: confirm.isPending, error: confirm.error ?? again.error ?? withdraw.error }}
      onClose={onClose}
      onDo={() => confirm.mutate({ mail_id })}
      other={
        <>
          <Button isBusy={again.isPending} onClick={() => again.mutate({ mail_id })}>
            {words.dialogs.sendAgain}
          </Button>
          <Button isBusy={withdraw.isPending} onClick={() => withdraw.mutate({ mail_id })}>
            {doNotSend}
          </Button>
        </>
      }
    >
      <p>{words.dialogs.doubtLead(recipient)}</p>
    </Asking>
  );
}

function GiveAddress({ line, onClose }: Shown) {
  const words = useWords(workWords);
  const [address, setAddress] = useState("");
  const [isNotifiedByHand, setNotifiedByHand] = useState(false);
  const { letter_id = line.subject.id } = line.details;
  const change = useChange("/operator/v1/letters/contacts", mailed(onClose, words.said.queued));
  if (isNotifiedByHand) return <NoteDone line={line} onClose={onClose} />;
  return (
    <Asking
      title={words.dialogs.address}
      action={words.dialogs.send}
      change={change}
      onClose={onClose}
      onDo={() => change.mutate({ letter_id, contact_info: { banker_email: address }, mail: true })}
      other={<Button onClick={() => setNotifiedByHand(true)}>{words.dialogs.orNote}</Button>}
    >
      <p>{words.dialogs.addressLead}</p>
      <TextField
        label={words.dialogs.banker}
        type="email"
        required
        value={address}
        onChange={setAddress}
        fault={faultOf(change.error, "contact_info.banker_email")}
      />
    </Asking>
  );
}

/** The file may have arrived before its letter waited for one; the letter is then advanced first. */
function TakeFile({ line, onClose }: Shown) {
  const words = useWords(workWords);
  const { letter_id, name } = line.details;
  const file = { file_id: line.subject.id };
  const [reason, setReason] = useState<string | null>(null);
  const done = ended(onClose, words.said.taken);
  const retry = useChange("/operator/v1/datafeeds/retry-pending", {
    changes: done.changes,
    onDone: ({ outcome, findings }) => (outcome === "held" ? setReason(findings[0]?.reason ?? null) : done.onDone()),
  });
  const advance = useChange("/operator/v1/letters/advance", {
    changes: done.changes,
    onDone: () => retry.mutate(file),
  });
  return (
    <Asking
      title={words.actions.retry_file}
      action={words.actions.retry_file}
      change={{ isPending: retry.isPending, error: advance.error ?? retry.error }}
      onClose={onClose}
      onDo={() => retry.mutate(file)}
      other={
        letter_id !== undefined && (
          <Button isBusy={advance.isPending} onClick={() => advance.mutate({ letter_id, to: "WaitingForData" })}>
            {words.dialogs.advanceThenRetry}
          </Button>
        )
      }
    >
      <p>{reason ?? name}</p>
    </Asking>
  );
}

/** A confirmation with one button that acts, and perhaps another one. */
function Asking({
  title,
  action,
  change,
  onDo,
  onClose,
  other,
  children,
}: {
  readonly title: string;
  readonly action: string;
  readonly change: { readonly isPending: boolean; readonly error: ApiProblem | null };
  readonly onDo: () => void;
  readonly onClose: () => void;
  readonly other?: ReactNode;
  readonly children: ReactNode;
}) {
  const words = useWords(partWords);
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!change.isPending) onDo();
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        {children}
        <Problem problem={change.error} />
        <div className="actions">
          <Button type="submit" look="first" isBusy={change.isPending}>
            {action}
          </Button>
          {other}
          <Button onClick={onClose}>{words.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The notice of a mail that waits says so itself. */
function mailed(onClose: () => void, said: string) {
  const done = ended(onClose, said);
  return {
    ...done,
    onDone(
      answer:
        | { readonly mail: Parameters<typeof addMails>[0][number] }
        | { readonly letter: Parameters<typeof addMailOf>[0] },
    ) {
      const waits = "mail" in answer ? addMails([answer.mail], () => "") : addMailOf(answer.letter);
      if (waits) onClose();
      else done.onDone();
    },
  };
}

function ended(onClose: () => void, said: string) {
  return {
    changes: QUEUE,
    onDone() {
      showToast(said);
      onClose();
    },
  };
}
