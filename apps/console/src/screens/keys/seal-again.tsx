import { useRef, useState } from "react";
import { forget } from "../../api/answers.js";
import { call } from "../../api/call.js";
import type { AnswerOf } from "../../api/paths.js";
import { withFreshProof } from "../../api/proving.js";
import { useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { partWords } from "../../parts/part-words.js";
import { Problem } from "../../parts/problem.js";
import { keyWords } from "./words.js";

/** Reseals stored values, one batch at a time, until all use the active key or the user stops. */
export function SealAgain() {
  const words = useWords(keyWords);
  const parts = useWords(partWords);
  const [done, setDone] = useState<{ readonly sealed: number; readonly unreadable: number } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const isStopped = useRef(false);

  async function sealAll(): Promise<void> {
    let [sealed, unreadable] = [0, 0];
    let page_token: string | null = null;
    isStopped.current = false;
    setProblem(null);
    setBusy(true);
    try {
      do {
        const place: string | null = page_token;
        const batch: AnswerOf<"/operator/v1/keys/rewrap"> = await withFreshProof(() =>
          call("/operator/v1/keys/rewrap", { page_token: place }),
        );
        sealed += batch.rewrapped;
        unreadable += batch.unreadable.reduce((sum, { values }) => sum + values, 0);
        page_token = batch.next_page_token;
        setDone({ sealed, unreadable });
      } while (page_token !== null && !isStopped.current);
      await forget(["/operator/v1/keys/"]);
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <p className="quiet">{words.rewrapLead}</p>
      <div className="actions">
        <Button isBusy={isBusy} onClick={() => void sealAll()}>
          {words.rewrap}
        </Button>
        {isBusy && (
          <Button
            onClick={() => {
              isStopped.current = true;
            }}
          >
            {parts.cancel}
          </Button>
        )}
        <span role="status">
          {done && (isBusy ? words.rewrapping(done.sealed) : words.rewrapped(done.sealed, done.unreadable))}
        </span>
      </div>
      <Problem problem={problem} />
    </>
  );
}
