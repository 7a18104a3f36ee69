import { useWords } from "../language/language.js";
import { Button } from "./button.js";
import { partWords } from "./part-words.js";
import { showToast } from "./toast.js";

/** A text to be used elsewhere, with a button that copies it. */
export function Copyable({ text, label }: { readonly text: string; readonly label: string }) {
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
    <span className="copyable">
      <code>{text}</code>
      <Button look="plain" icon="copy" isIconOnly onClick={() => void copy()}>
        {words.copy(label)}
      </Button>
    </span>
  );
}
