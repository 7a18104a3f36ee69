import "../../listing/listing.css";
import { useState } from "react";
import { useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { Link } from "../../parts/link.js";
import { partWords } from "../../parts/part-words.js";
import { showToast } from "../../parts/toast.js";
import { refusalWords } from "./refusal-words.js";

/**
 * What to do about a file that cannot be read, by the cause that the server names: a mapping for an unknown table, a key for an encrypted file, a
 * letter to the custodian for a bad line. The first action is what solves it.
 */
export function RefusedActions({
  cause,
  reason,
  name,
  toMapping,
  onReplace,
}: {
  readonly cause: string | null;
  readonly reason: string;
  readonly name: string;
  /** The editor with this very file. */
  readonly toMapping: { readonly search: Readonly<Record<string, string>>; readonly onClick?: () => void };
  /** Left out: the screen has a field for another file already. */
  readonly onReplace?: () => void;
}) {
  const words = useWords(refusalWords);
  const [isWriting, setWriting] = useState(false);
  const causes: Readonly<Record<string, string>> = words.causes;
  const known = causes[cause ?? ""] === undefined ? "content" : (cause ?? "content");
  const isTable = known === "format" || known === "mapping";
  const isFile = known === "content" || known === "format" || known === "mapping";
  return (
    <>
      <p>{causes[known]}</p>
      <div className="actions">
        {isTable && (
          <Link to="/mapping" className="button first" {...toMapping}>
            {words.makeMapping}
          </Link>
        )}
        {isTable && (
          <Link to="/sources" search={{ tab: "mappings" }} className="button usual">
            {words.chooseMapping}
          </Link>
        )}
        {(known === "key" || known === "valid_key" || known === "signature") && (
          <Link to="/sources" search={{ tab: "keys" }} className="button first">
            {words.toKeys}
          </Link>
        )}
        {known === "target" && (
          <Link to="/letters" className="button first">
            {words.toLetters}
          </Link>
        )}
        {isFile && onReplace && (
          <Button look={isTable ? "usual" : "first"} onClick={onReplace}>
            {words.replace}
          </Button>
        )}
        {isFile && (
          <Button look="usual" aria-expanded={isWriting} onClick={() => setWriting(!isWriting)}>
            {words.write}
          </Button>
        )}
      </div>
      {isWriting && <TextToCustodian {...{ name, reason }} />}
    </>
  );
}

/** A text to the custodian that names the file, the place and the reason. */
function TextToCustodian({ name, reason }: { readonly name: string; readonly reason: string }) {
  const words = useWords(refusalWords);
  const terms = useWords(partWords);
  const text = words.letter(name, reason);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      showToast(terms.copied(words.write));
    } catch {
      showToast(terms.notCopied, "bad");
    }
  }
  return (
    <section className="to-custodian" aria-label={words.write}>
      <pre>{text}</pre>
      <div className="actions">
        <Button icon="copy" onClick={() => void copy()}>
          {words.copy}
        </Button>
        <a
          className="button usual"
          href={`mailto:?subject=${encodeURIComponent(words.subject(name))}&body=${encodeURIComponent(text)}`}
        >
          {words.mail}
        </a>
      </div>
    </section>
  );
}
