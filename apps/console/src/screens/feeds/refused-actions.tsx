import "../../listing/listing.css";
import { fileCauseOf, stepOfCause } from "@org/core/file-steps";
import { useState } from "react";
import { useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { Link } from "../../parts/link.js";
import { keysPlace } from "./file-places.js";
import { refusalWords } from "./refusal-words.js";
import { TextToCustodian } from "./text-to-custodian.js";

/**
 * What to do about a file that cannot be read, by the cause that the server names: a mapping for an unknown table, a key for an encrypted file, a
 * letter to the custodian for a bad line. The first action is what solves it.
 */
export function RefusedActions({
  cause,
  reason,
  name,
  to = null,
  toMapping,
  onReplace,
}: {
  readonly cause: string | null;
  readonly reason: string;
  readonly name: string;
  /** The custodian's address, where it is known. */
  readonly to?: string | null;
  /** The editor with this very file. */
  readonly toMapping: { readonly search: Readonly<Record<string, string>>; readonly onClick?: () => void };
  /** Left out: the screen has a field for another file already. */
  readonly onReplace?: () => void;
}) {
  const words = useWords(refusalWords);
  const [isWriting, setWriting] = useState(false);
  const known = fileCauseOf(cause);
  const step = stepOfCause[known];
  const isTable = step === "map_file";
  const isFile = isTable || step === "replace_file";
  return (
    <>
      <p>{words.causes[known]}</p>
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
        {step === "see_keys" && (
          <Link {...keysPlace} className="button first">
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
      {isWriting && <TextToCustodian {...{ to }} subject={words.subject(name)} text={words.letter(name, reason)} />}
    </>
  );
}
