import type { ReactNode } from "react";
import type { AnswerOf } from "../../api/paths.js";
import { useWords } from "../../language/language.js";
import { DataTable } from "../../parts/data-table.js";
import { Moment } from "../../parts/moment.js";
import { AuditSentence } from "../../sentences/sentence.js";
import { letterTerms } from "../letters/letter-terms.js";
import { recordWords } from "./record-words.js";

/** A letter as an operator sees it. */
export type Letter = AnswerOf<"/operator/v1/letters/show">["letter"];
export type HistoryEntry = Letter["history"][number];

/** The complete history of a letter, newest first. */
export function LetterHistory({ letter }: { readonly letter: Letter }) {
  const words = useWords(recordWords);
  const terms = useWords(letterTerms);
  return (
    <section>
      <header className="section-head">
        <h2>{words.history}</h2>
      </header>
      <DataTable
        caption={words.history}
        rows={[...letter.history].reverse()}
        keyOf={({ move_id }) => move_id}
        columns={[
          { id: "at", header: words.when, cell: ({ at }) => <Moment at={at} /> },
          { id: "what", header: words.what, cell: (entry) => <What letter={letter} entry={entry} /> },
          { id: "note", header: terms.note, cell: ({ note }) => note, isWideOnly: true },
        ]}
      />
    </section>
  );
}

/** What others did to the letter since this user looked. Nothing is overwritten, and the user sees it before continuing. */
export function ChangedMeanwhile({
  letter,
  entries,
  children,
}: {
  readonly letter: Letter;
  readonly entries: readonly HistoryEntry[];
  readonly children?: ReactNode;
}) {
  const words = useWords(recordWords);
  return (
    <div className="notice">
      <strong>{words.meanwhile}</strong>
      <Entries letter={letter} entries={entries} />
      {children}
    </div>
  );
}

/** Who did what, oldest first. */
export function Entries({ letter, entries }: { readonly letter: Letter; readonly entries: readonly HistoryEntry[] }) {
  return (
    <ul>
      {entries.map((entry) => (
        <li key={entry.move_id}>
          <What letter={letter} entry={entry} /> <Moment at={entry.at} />
          {entry.note && ` – ${entry.note}`}
        </li>
      ))}
    </ul>
  );
}

function What({ letter: { id, tenant_id }, entry }: { readonly letter: Letter; readonly entry: HistoryEntry }) {
  const { event, from, to, actor } = entry;
  // A letter that was handed in already signed begins with the event that otherwise moves it.
  const action = event === "sign" && from === null ? "letter.submit" : `letter.${event}`;
  const line = { action, actor, object_type: "letter", object_id: id, tenant_id, facts: { from, to } };
  return <AuditSentence line={line} self={{ kind: "letter", id }} />;
}
