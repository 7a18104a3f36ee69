import { useChange } from "../../api/answers.js";
import { labelled, useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { Problem } from "../../parts/problem.js";
import { showToast } from "../../parts/toast.js";
import { outcomeWords } from "../../undo/outcome-words.js";
import { addMails } from "../../undo/waiting-moves.js";
import type { Letter } from "./letter-history.js";
import { recordWords } from "./record-words.js";

/** Asks about mails in doubt before a move, which the server refuses until then. Once all are decided, the caller shows the move itself. */
export function DoubtDialog({
  title,
  mails,
  onClose,
}: {
  readonly title: string;
  readonly mails: Letter["mails"];
  readonly onClose: () => void;
}) {
  const words = useWords(outcomeWords);
  const { mailKinds, inDoubtText } = useWords(recordWords);
  const how = { changes: ["/operator/v1/letters/"], onDone: () => showToast(words.decided) };
  const confirm = useChange("/operator/v1/mails/confirm", how);
  const retry = useChange("/operator/v1/mails/retry", {
    ...how,
    onDone: ({ mail }) => void (addMails([mail], () => "") || showToast(words.decided)),
  });
  const withdraw = useChange("/operator/v1/mails/withdraw", how);
  const isBusy = confirm.isPending || retry.isPending || withdraw.isPending;
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="notice">{words.isInDoubt}</p>
      {mails.map(({ mail_id, kind, recipient }) => (
        <section key={mail_id} aria-label={mailKinds[kind]}>
          <p>
            <strong>{mailKinds[kind]}</strong> {recipient}
          </p>
          {recipient !== null && <p className="quiet">{labelled(words.sendAgain, inDoubtText)}</p>}
          <div className="actions">
            <Button isBusy={isBusy} onClick={() => confirm.mutate({ mail_id })}>
              {words.arrived}
            </Button>
            {recipient !== null && (
              <Button isBusy={isBusy} onClick={() => retry.mutate({ mail_id })}>
                {words.sendAgain}
              </Button>
            )}
            <Button isBusy={isBusy} onClick={() => withdraw.mutate({ mail_id })}>
              {words.doNotSend}
            </Button>
          </div>
        </section>
      ))}
      <Problem problem={confirm.error ?? retry.error ?? withdraw.error} />
    </Dialog>
  );
}
