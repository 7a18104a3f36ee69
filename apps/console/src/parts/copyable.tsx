import { useWords } from "../language/language.js";
import { Button } from "./button.js";
import { partWords } from "./part-words.js";
import { showToast } from "./toast.js";

interface Copied {
  readonly text: string;
  /** What is copied, for the button and the message. */
  readonly label: string;
}

/** A text to be used elsewhere, with a button that copies it. */
export function Copyable({ text, label }: Copied) {
  return (
    <span className="copyable">
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}

/** A button that copies a text. */
export function CopyButton({ text, label }: Copied) {
  const words = useWords(partWords);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      showToast(words.copied(label));
    } catch {
      showToast(words.notCopied, "bad");
    }
  }
  return (
    <Button look="plain" icon="copy" isIconOnly onClick={() => void copy()}>
      {words.copy(label)}
    </Button>
  );
}
