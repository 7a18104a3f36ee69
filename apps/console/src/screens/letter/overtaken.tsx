import { useState } from "react";
import { type ApiProblem, faultOf } from "../../api/api-problem.js";
import { useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { Problem } from "../../parts/problem.js";
import { type Letter, Meanwhile } from "./letter-history.js";
import { letterWords } from "./words.js";

/** The letter as it was when a dialog was opened: a change is of that version, until the person has seen what is new. */
export function useSeenLetter(letter: Letter) {
  const [seen, setSeen] = useState({ version: letter.version, length: letter.history.length });
  return {
    version: seen.version,
    news: letter.history.slice(seen.length),
    look: () => setSeen({ version: letter.version, length: letter.history.length }),
  };
}

/** Why a change was refused, and, when it was because of somebody else's, what they did. */
export function Overtaken({
  seen,
  problem,
}: {
  readonly seen: ReturnType<typeof useSeenLetter>;
  readonly problem: ApiProblem | null;
}) {
  const words = useWords(letterWords);
  return (
    <>
      {!(isOvertaken(problem) && seen.news.length > 0) && (
        <Problem problem={problem} known={{ CONFLICT: words.conflict }} />
      )}
      {seen.news.length > 0 && (
        <Meanwhile entries={seen.news}>
          <Button onClick={seen.look}>{words.goOn}</Button>
        </Meanwhile>
      )}
    </>
  );
}

function isOvertaken(problem: ApiProblem | null): boolean {
  return problem?.code === "CONFLICT" && faultOf(problem, "version") !== null;
}
