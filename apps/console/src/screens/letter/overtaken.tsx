import type { ApiProblem } from "../../api/api-problem.js";
import { useWords } from "../../language/language.js";
import { Overtaken } from "../../listing/overtaken.js";
import { useSeen } from "../../listing/seen.js";
import { Entries, type Letter } from "./letter-history.js";
import { letterWords } from "./words.js";

/** The letter as it was when a dialog was opened: a change is of that version, until the person has seen what is new. */
export function useSeenLetter(letter: Letter) {
  const { version, there, look } = useSeen(letter.version, letter.history.length);
  const news = letter.history.slice(there);
  return { version, news, isOvertaken: news.length > 0, look };
}

/** Why a change was refused, and, when it was because of somebody else's, what they did. */
export function OvertakenLetter({
  seen,
  problem,
}: {
  readonly seen: ReturnType<typeof useSeenLetter>;
  readonly problem: ApiProblem | null;
}) {
  const words = useWords(letterWords);
  return (
    <Overtaken seen={seen} problem={problem} known={{ CONFLICT: words.conflict }}>
      <Entries entries={seen.news} />
    </Overtaken>
  );
}
