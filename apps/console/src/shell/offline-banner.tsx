import { connection } from "../api/connection.js";
import { useWords } from "../language/language.js";
import { shellWords } from "./shell-words.js";
import { useStored } from "./stored.js";

/** Says that the server does not answer, as long as that is so. */
export function OfflineBanner() {
  const words = useWords(shellWords);
  const isUnavailable = useStored(connection) === "away";
  return (
    <div role="status" className="away-place">
      {isUnavailable && (
        <p className="away">
          <b>{words.awayTitle}</b> {words.awayText}
        </p>
      )}
    </div>
  );
}
