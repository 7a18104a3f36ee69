import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { forget } from "../../api/answers.js";
import { ApiProblem } from "../../api/api-problem.js";
import { call } from "../../api/call.js";
import type { AnswerOf } from "../../api/paths.js";
import { withFreshProof } from "../../api/proving.js";
import { labelled, useWords } from "../../language/language.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { DataTable } from "../../parts/data-table.js";
import { Dialog } from "../../parts/dialog.js";
import { TextField } from "../../parts/fields.js";
import { Link } from "../../parts/link.js";
import { partWords } from "../../parts/part-words.js";
import { Problem, useProblemText } from "../../parts/problem.js";
import { NoticeInDialog } from "../../undo/undo-notice.js";
import { addMails } from "../../undo/waiting-moves.js";
import { workWords } from "./words.js";
import { type BulkStep, keyOfLine, nameOf, placeOf, QUEUE, type WorkLine } from "./work-places.js";

type Mail = AnswerOf<"/operator/v1/mails/retry">["mail"];

interface Done {
  readonly line: WorkLine;
  /** Null = done; else why it was not. */
  readonly refusal: string | null;
}

/** Says what a step does, does it line by line, and shows what became of each. */
export function BulkNext({
  step,
  lines,
  onClose,
}: {
  readonly step: BulkStep;
  readonly lines: readonly WorkLine[];
  readonly onClose: (isDone: boolean) => void;
}) {
  const words = useWords(workWords);
  const { cancel, close } = useWords(partWords);
  const { bulk, marks } = words;
  const problemText = useProblemText();
  const [note, setNote] = useState("");
  const [done, setDone] = useState<readonly Done[]>([]);
  /** Those that were sent again. */
  const mails = useRef<Mail[]>([]);
  const run = useMutation<void, ApiProblem>({
    async mutationFn() {
      for (const line of lines) {
        const act = () => withFreshProof(() => perform(step, line, note.trim(), mails.current));
        const refusal = await refusalOf(act, problemText);
        setDone((before) => [...before, { line, refusal: refusal === HELD ? bulk.stillHeld : refusal }]);
      }
    },
    onSettled() {
      const names = new Map(lines.map((line) => [line.details.letter_id ?? "", nameOf(line)]));
      addMails(mails.current, (letterId) => names.get(letterId) ?? letterId);
      return forget([...QUEUE, "/operator/v1/"]);
    },
  });
  if (done.length > 0 || run.isSuccess)
    return (
      <Dialog key="results" title={marks.results} onClose={() => onClose(true)}>
        <p role="status">{bulk.did(done.filter(({ refusal }) => refusal === null).length, lines.length)}</p>
        <Problem problem={run.error} />
        <DataTable
          caption={marks.results}
          rows={done}
          keyOf={({ line }) => keyOfLine(line)}
          columns={[
            {
              id: "line",
              header: words.what,
              cell: ({ line }) => <Link {...placeOf(line)}>{labelled(words.kinds[line.kind], nameOf(line))}</Link>,
            },
            {
              id: "result",
              header: marks.result,
              cell: ({ refusal }) => (
                <>
                  <Badge tone={refusal === null ? "good" : "bad"}>
                    {refusal === null ? marks.doneOne : marks.refusedOne}
                  </Badge>{" "}
                  <span className="quiet">{refusal}</span>
                </>
              ),
            },
          ]}
        />
        {!run.isPending && <NoticeInDialog onUndo={() => onClose(true)} />}
        <div className="actions">
          <Button look="first" isBusy={run.isPending} onClick={() => onClose(true)}>
            {close}
          </Button>
        </div>
      </Dialog>
    );
  const recipients = [...new Set(lines.flatMap(({ details }) => details.recipient ?? []))];
  return (
    <Dialog title={bulk.steps[step](lines.length)} onClose={() => onClose(false)}>
      <form
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (!run.isPending) run.mutate();
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
          <Button type="submit" look="first" isBusy={run.isPending}>
            {bulk.steps[step](lines.length)}
          </Button>
          <Button onClick={() => onClose(false)}>{cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Stands for a file that was tried again in vain. */
const HELD = "held";

/** Why it failed; null if it did not. @throws what is not the server's refusal of this one line */
async function refusalOf(
  act: () => Promise<string | null>,
  problemText: (problem: ApiProblem) => string,
): Promise<string | null> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    return problemText(error);
  }
}

async function perform(
  step: BulkStep,
  { subject: { id }, details }: WorkLine,
  note: string,
  mails: Mail[],
): Promise<string | null> {
  const { mail_id = id, letter_id = id, observations } = details;
  switch (step) {
    case "retryFiles": {
      const { outcome, findings } = await call("/operator/v1/datafeeds/retry-pending", { file_id: id });
      return outcome === "held" ? (findings[0]?.reason ?? HELD) : null;
    }
    case "resend":
      mails.push((await call("/operator/v1/mails/retry", { mail_id })).mail);
      return null;
    case "arrived":
      await call("/operator/v1/mails/confirm", { mail_id });
      return null;
    case "enable":
      await call("/operator/v1/webhooks/enable", { id });
      return null;
    case "note":
      await call("/operator/v1/letters/observe", {
        letter_id,
        observations: observations ? `${observations}\n${note}` : note,
      });
      return null;
  }
}
