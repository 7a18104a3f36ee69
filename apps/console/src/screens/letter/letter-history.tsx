import type { LetterEvent } from "@org/letter-lifecycle";
import type { ReactNode } from "react";
import type { AnswerOf } from "../../api/paths.js";
import { useWords } from "../../language/language.js";
import { DataTable } from "../../parts/data-table.js";
import { Moment } from "../../parts/moment.js";
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
          { id: "what", header: words.what, cell: (entry) => <What entry={entry} /> },
          { id: "who", header: words.who, cell: ({ actor, actor_name }) => actor_name ?? actor },
          { id: "at", header: words.when, cell: ({ at }) => <Moment at={at} /> },
          { id: "note", header: terms.note, cell: ({ note }) => note, isWideOnly: true },
        ]}
      />
    </section>
  );
}

/** What others did to the letter since this user looked. Nothing is overwritten, and the user sees it before continuing. */
export function ChangedMeanwhile({
  entries,
  children,
}: {
  readonly entries: readonly HistoryEntry[];
  readonly children?: ReactNode;
}) {
  const words = useWords(recordWords);
  return (
    <div className="notice">
      <strong>{words.meanwhile}</strong>
      <Entries entries={entries} />
      {children}
    </div>
  );
}

/** Who did what, oldest first. */
export function Entries({ entries }: { readonly entries: readonly HistoryEntry[] }) {
  return (
    <ul>
      {entries.map((entry) => (
        <li key={entry.move_id}>
          {entry.actor_name ?? entry.actor}: <What entry={entry} /> <Moment at={entry.at} />
          {entry.note && ` – ${entry.note}`}
        </li>
      ))}
    </ul>
  );
}

/** What happened to a letter, with the status that it led to. */
export function What({ entry: { event, from, to } }: { readonly entry: Pick<HistoryEntry, "event" | "from" | "to"> }) {
  const { events } = useWords(recordWords);
  const { statuses } = useWords(letterTerms);
  // There are texts for the whole lifecycle, but another version of the server may name other events.
  const known: Readonly<Record<LetterEvent, string> & Record<string, string>> = events;
  const said = known[event] ?? event;
  if (from === to) return <>{said}</>;
  return (
    <>
      {said}: {from && `${statuses[from]} → `}
      {statuses[to]}
    </>
  );
}
