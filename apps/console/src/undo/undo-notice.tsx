import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { forget } from "../api/answers.js";
import { ApiProblem } from "../api/api-problem.js";
import { call } from "../api/call.js";
import { withFreshProof } from "../api/proving.js";
import { useWords } from "../language/language.js";
import { Button } from "../parts/button.js";
import { useProblemText } from "../parts/problem.js";
import { showToast } from "../parts/toast.js";
import { createStored, useStored } from "../shell/stored.js";
import { useCountdown, useSecondsFormat } from "./countdown.js";
import { undoWords } from "./undo-words.js";
import {
  areMails,
  dropWaiting,
  secondsUntil,
  type UndoOutcome,
  type WaitingLetter,
  type WaitingMoves,
  waitingMoves,
} from "./waiting-moves.js";

interface UndoResult {
  readonly moves: WaitingMoves;
  readonly outcomes: readonly UndoOutcome[];
}

/** Prefixes of paths whose answers change when a mail has left or a move is undone. */
const AFTER_UNDO = ["/operator/v1/letters/", "/operator/v1/mails/", "/operator/v1/work/"];
/** The most letters that one request moves. */
const CHUNK = 100;
const UndoResults = lazy(() => import("./undo-results.js"));
/** Kept outside components: the dialog from which a bulk move was undone is closed before the answer comes. */
const result = createStored<UndoResult | null>(null);

/** Whether a dialog shows the notice, which then is nowhere else. */
const inDialog = createStored(false);

/** Shows the last move whose mail waits, counts down, and offers to undo it; on every screen. */
export function UndoNotice() {
  const shown = useStored(result);
  const isInDialog = useStored(inDialog);
  return (
    <>
      {!isInDialog && <WaitingNotice />}
      {shown && (
        <Suspense>
          <UndoResults moves={shown.moves} outcomes={shown.outcomes} onClose={() => result.set(null)} />
        </Suspense>
      )}
    </>
  );
}

/** The notice in a dialog, behind which nothing can be pressed. @param onUndo called when Undo is pressed */
export function NoticeInDialog({ onUndo }: { readonly onUndo: () => void }) {
  useEffect(() => {
    inDialog.set(true);
    return () => inDialog.set(false);
  }, []);
  return <WaitingNotice onUndo={onUndo} />;
}

function WaitingNotice({ onUndo }: { readonly onUndo?: () => void }) {
  const words = useWords(undoWords);
  const problemText = useProblemText();
  const waiting = useStored(waitingMoves).at(-1) ?? null;
  const seconds = useCountdown(waiting?.until ?? null);
  const inWords = useSecondsFormat();
  const notice = useRef<HTMLDivElement>(null);
  /** Announced once: a screen reader must not count down. */
  const [announced, setAnnounced] = useState("");
  const undo = useMutation<void, unknown, WaitingMoves>({
    mutationFn: undoMoves,
    onSuccess: (_done, moves) =>
      moves.letters.length === 1 && showToast(areMails(moves) ? words.notSent : words.undone),
    onError(problem) {
      if (problem instanceof ApiProblem) showToast(problemText(problem), "bad");
    },
    onSettled(_done, _problem, moves) {
      dropWaiting(moves);
      return forget(AFTER_UNDO);
    },
  });
  const isOver = waiting !== null && seconds === 0 && !undo.isPending;
  const said = waiting && textOf(waiting, inWords(seconds), words);

  const announce = useEffectEvent((moves: WaitingMoves | null) =>
    setAnnounced(moves === null ? "" : textOf(moves, inWords(secondsUntil(moves.until)), words)),
  );
  useEffect(() => announce(waiting), [waiting]);
  useEffect(() => {
    if (!isOver || waiting === null) return;
    dropWaiting(waiting);
    void forget(AFTER_UNDO);
  }, [isOver, waiting]);
  useEffect(() => {
    function pressed(event: KeyboardEvent): void {
      if (waiting === null || undo.isPending || event.defaultPrevented || !isUndoKey(event)) return;
      const open = document.querySelector("dialog[open]");
      if (open !== null && !open.contains(notice.current)) return;
      event.preventDefault();
      start(waiting);
    }
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  });

  function start(moves: WaitingMoves): void {
    undo.mutate(moves);
    onUndo?.();
  }

  return (
    <div ref={notice}>
      <p className="spoken" role="status">
        {announced}
      </p>
      {waiting && seconds > 0 && (
        <section className="waiting-notice" aria-label={words.region}>
          <span aria-hidden="true">{said}</span>
          <Button isBusy={undo.isPending} aria-keyshortcuts="Z Control+Z Meta+Z" onClick={() => start(waiting)}>
            {areMails(waiting) ? words.ofMails.withdraw(waiting.letters.length) : words.undo}
          </Button>
        </section>
      )}
    </div>
  );
}

/** Undoes each letter's move, or withdraws its mail. A single refusal is thrown; of many, each has its outcome. */
async function undoMoves(moves: WaitingMoves): Promise<void> {
  const [only] = moves.letters;
  if (only && moves.letters.length === 1) {
    await withFreshProof<unknown>(() =>
      "mail_id" in only
        ? call("/operator/v1/mails/withdraw", { mail_id: only.mail_id })
        : call("/operator/v1/letters/undo", { letter_id: only.letter_id, version: only.version }),
    );
    return;
  }
  const outcomes: UndoOutcome[] = [];
  for (const one of moves.letters) {
    if (!("mail_id" in one)) continue;
    outcomes.push(await withdraw(one));
    result.set({ moves, outcomes: [...outcomes] });
  }
  const moved = moves.letters.filter((one) => "version" in one);
  for (let from = 0; from < moved.length; from += CHUNK) {
    const some = moved.slice(from, from + CHUNK);
    const letter_ids = some.map(({ letter_id }) => letter_id);
    const versions = Object.fromEntries(some.map(({ letter_id, version }) => [letter_id, version]));
    const body = { move: "undo", letter_ids, versions } as const;
    outcomes.push(...(await withFreshProof(() => call("/operator/v1/letters/move-many", body))).items);
    result.set({ moves, outcomes: [...outcomes] });
  }
}

/** Withdraws one mail of many. @throws what is not the server's refusal of this one */
async function withdraw({
  letter_id,
  mail_id,
}: Extract<WaitingLetter, { readonly mail_id: string }>): Promise<UndoOutcome> {
  try {
    await withFreshProof(() => call("/operator/v1/mails/withdraw", { mail_id }));
    return { letter_id, outcome: "moved", error: null };
  } catch (problem) {
    if (!(problem instanceof ApiProblem) || problem.code !== "CONFLICT") throw problem;
    return {
      letter_id,
      outcome: "refused",
      error: problem.reason === "mail_has_left" ? { reason: problem.reason } : {},
    };
  }
}

type UndoWords = (typeof undoWords)["en"];

function textOf({ letters, recipient }: WaitingMoves, time: string, words: UndoWords): string {
  return recipient !== null && letters.length === 1
    ? words.goesOutTo(recipient, time)
    : words.goOut(letters.length, time);
}

/** `z` anywhere outside of fields, and Ctrl or ⌘ with Z, which in a field undoes typing. */
function isUndoKey({ key, target, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  if (key.toLowerCase() !== "z" || altKey || shiftKey) return false;
  const isTyping = (target as HTMLElement).matches("input:not([type=checkbox]), textarea, select");
  return !isTyping && !(ctrlKey && metaKey);
}
