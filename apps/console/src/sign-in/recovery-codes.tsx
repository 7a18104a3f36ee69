import { useState } from "react";
import { useWords } from "../language/language.js";
import { Button } from "../parts/button.js";
import { CheckField } from "../parts/fields.js";
import { partWords } from "../parts/part-words.js";
import { showToast } from "../parts/toast.js";
import { joinWords } from "./join-words.js";

/** Shows recovery codes, for the only time. */
export function RecoveryCodes({
  codes,
  onSaved,
}: {
  readonly codes: readonly string[];
  /** The user confirms that the codes are stored. */
  readonly onSaved: () => void;
}) {
  const words = useWords(joinWords);
  const { notCopied } = useWords(partWords);
  const [isKept, setKept] = useState(false);
  const text = codes.join("\n");
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      showToast(words.copied);
    } catch {
      showToast(notCopied, "bad");
    }
  }
  return (
    <>
      <p>{words.codesText}</p>
      <ul className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="actions">
        <Button icon="copy" onClick={() => void copy()}>
          {words.copyAll}
        </Button>
        <Button icon="download" onClick={() => saveAsFile(text)}>
          {words.download}
        </Button>
      </div>
      <CheckField label={words.kept} checked={isKept} onChange={setKept} />
      <Button look="first" reason={isKept ? null : words.firstKeep} onClick={onSaved}>
        {words.goOn}
      </Button>
    </>
  );
}

function saveAsFile(text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: "text/plain" }));
  link.download = "wealth-connect-recovery-codes.txt";
  link.click();
  URL.revokeObjectURL(link.href);
}
