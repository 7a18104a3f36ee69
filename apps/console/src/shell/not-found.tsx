import { useWords } from "../language/language.js";
import { Link } from "../parts/link.js";
import { Screen } from "../parts/screen.js";
import { shellWords } from "./shell-words.js";

/** Shown for unknown addresses, and for screens that this person may not see. */
export function NotFound() {
  const words = useWords(shellWords);
  return (
    <Screen title={words.notFoundTitle} lead={words.notFoundText}>
      <p>
        <Link to="/">{words.toStart}</Link>
      </p>
    </Screen>
  );
}
