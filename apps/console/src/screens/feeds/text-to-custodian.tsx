import "../../listing/listing.css";
import { useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { partWords } from "../../parts/part-words.js";
import { showToast } from "../../parts/toast.js";
import { refusalWords } from "./refusal-words.js";

/** A text to the custodian, to be copied or opened in the mail program. */
export function TextToCustodian({
  to,
  subject,
  text,
}: {
  /** Null: the address is not known here. */
  readonly to: string | null;
  readonly subject: string;
  readonly text: string;
}) {
  const words = useWords(refusalWords);
  const terms = useWords(partWords);
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
      <p className="quiet">{to === null ? words.noAddress : words.goesTo(to)}</p>
      <pre>{text}</pre>
      <div className="actions">
        <Button icon="copy" onClick={() => void copy()}>
          {words.copy}
        </Button>
        <a
          className="button usual"
          href={`mailto:${encodeURIComponent(to ?? "").replace("%40", "@")}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text)}`}
        >
          {words.mail}
        </a>
      </div>
    </section>
  );
}
