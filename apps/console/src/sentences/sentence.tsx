import type { ReactNode } from "react";
import { useWords } from "../language/language.js";
import { letterTerms } from "../screens/letters/letter-terms.js";
import { auditSentences } from "./audit-sentences.js";
import { eventSentences } from "./event-sentences.js";
import { type AuditedLine, eventParts, lineParts, type Part, type Parts } from "./parts-of-sentence.js";
import { sentenceWords } from "./sentence-words.js";
import { capitalized, ThingPhrase } from "./thing-phrase.js";
import { thingWords } from "./thing-words.js";

/** The letter or connection whose own history is read: its sentences say "this letter". */
export interface OwnHistory {
  readonly kind: "letter" | "connection";
  readonly id: string;
}

/** An audit line as a sentence, with names and links. */
export function AuditSentence({ line, self }: { readonly line: AuditedLine; readonly self?: OwnHistory }) {
  const sentences: Readonly<Record<string, string>> = useWords(auditSentences);
  const { times } = useWords(sentenceWords);
  const { count } = line.facts;
  return (
    <>
      <Sentence template={sentences[line.action]} parts={lineParts(line)} self={self} />
      {typeof count === "number" && count > 1 && ` (${times(count)})`}
    </>
  );
}

/** An event as a sentence, with names and links. */
export function EventSentence({
  event: { type, tenant_id, data },
  self,
}: {
  readonly event: { readonly type: string; readonly tenant_id: string; readonly data: object };
  readonly self?: OwnHistory;
}) {
  const sentences: Readonly<Record<string, string>> = useWords(eventSentences);
  return <Sentence template={sentences[type]} parts={eventParts(data, tenant_id)} self={self} />;
}

function Sentence({
  template,
  parts,
  self,
}: {
  /** Undefined if another version of the server made the entry. */
  readonly template: string | undefined;
  readonly parts: Parts;
  readonly self: OwnHistory | undefined;
}) {
  const { other } = useWords(sentenceWords);
  if (template === undefined) return <>{other}</>;
  return <>{piecesOf(template).map((piece, index) => drawn(piece, index === 0))}</>;

  function drawn({ text, name, isGoing }: Piece, isFirst: boolean): ReactNode {
    if (name === null) return text;
    const part = parts[name];
    if (!part) return <span key={name}>–</span>;
    return <PartOfSentence key={name} part={part} isFirst={isFirst} isGoing={isGoing} self={self} />;
  }
}

function PartOfSentence({
  part,
  isFirst,
  isGoing,
  self,
}: {
  readonly part: Part;
  readonly isFirst: boolean;
  readonly isGoing: boolean;
  readonly self: OwnHistory | undefined;
}) {
  const words = useWords(sentenceWords);
  const things = useWords(thingWords);
  const { statuses } = useWords(letterTerms);
  const said = (text: string) => <>{isFirst ? capitalized(text) : text}</>;
  switch (part.is) {
    case "thing": {
      const { kind, id } = part.thing;
      if (self?.id === id && self.kind === kind) return said(things.self[self.kind]);
      return <ThingPhrase thing={part.thing} isFirst={isFirst} isGoing={isGoing} />;
    }
    case "actor":
      return said(things.actors[part.actor]);
    case "installation":
      return said(things.installation);
    case "unknownClient":
      return said(things.unknownClient);
    case "status":
      return <strong>{statuses[part.status]}</strong>;
    case "product":
      return said(words.products[part.product]);
    case "outcome":
      return said((words.outcomes as Readonly<Record<string, string>>)[part.outcome] ?? "–");
    case "change":
      return said((words.changes as Readonly<Record<string, string>>)[part.change] ?? "–");
    case "days":
      return said(words.days(part.count));
    case "differences":
      return said(words.differences(part.count));
    case "text":
      return said(part.text);
  }
}

interface Piece {
  readonly text: string;
  /** The placeholder; null for text. */
  readonly name: string | null;
  readonly isGoing: boolean;
}

/** Splits a template into texts and placeholders, such as `{who}` and `{object!}`. */
function piecesOf(template: string): readonly Piece[] {
  return template
    .split(/(\{\w+!?\})/)
    .filter((text) => text !== "")
    .map((text) => {
      const name = /^\{(\w+)!?\}$/.exec(text)?.[1] ?? null;
      return { text, name, isGoing: text.endsWith("!}") };
    });
}
