import { ConflictNotice, type OwnChange } from "../../listing/conflict-notice.js";
import { useEditedVersion } from "../../listing/edited-version.js";
import { Entries, type Letter } from "./letter-history.js";

/** The letter as it was when a dialog was opened: a change is based on that version until the user has seen what is new. */
export function useEditedLetter(letter: Letter) {
  const { version, there, look } = useEditedVersion(letter.version, letter.history.length);
  const news = letter.history.slice(there);
  return { letter, version, news, isVersionConflict: news.length > 0, look };
}

/** Why a change was refused and, after a conflict, what others did. */
export function LetterConflictNotice({
  seen,
  change,
}: {
  readonly seen: ReturnType<typeof useEditedLetter>;
  readonly change: OwnChange;
}) {
  return (
    <ConflictNotice seen={seen} change={change}>
      <Entries letter={seen.letter} entries={seen.news} />
    </ConflictNotice>
  );
}
