import { type ReactNode, useState } from "react";
import { useWords } from "../language/language.js";
import { Button } from "../parts/button.js";
import { Copyable, CopyButton } from "../parts/copyable.js";
import { Dialog } from "../parts/dialog.js";
import { Facts } from "../parts/facts.js";
import { sentenceWords } from "./sentence-words.js";

type Fact = readonly [name: string, value: ReactNode];

/** A button that opens an entry: its facts with ids to copy, and the entry as the server keeps it. */
export function EntryButton({ entry, facts }: { readonly entry: object; readonly facts: () => readonly Fact[] }) {
  const words = useWords(sentenceWords);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="plain" icon="audit" isIconOnly onClick={() => setOpen(true)}>
        {words.details}
      </Button>
      {isOpen && (
        <Dialog title={words.entry} onClose={() => setOpen(false)}>
          <Facts facts={facts()} />
          <EntryJson entry={entry} />
        </Dialog>
      )}
    </>
  );
}

/** An entry as the server keeps it. */
export function EntryJson({ entry }: { readonly entry: object }) {
  const words = useWords(sentenceWords);
  const json = JSON.stringify(entry, null, 2);
  return (
    <section>
      <header className="section-head">
        <h3>{words.asJson}</h3>
        <CopyButton text={json} label="JSON" />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
      <pre className="entry-json" tabIndex={0}>
        {json}
      </pre>
    </section>
  );
}

/** A fact that is an id. */
export function idFact(name: string, id: string | null): Fact {
  return [name, id ? <Copyable text={id} label={name} /> : null];
}
