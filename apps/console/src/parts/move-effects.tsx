import type { AnswerOf } from "../api/paths.js";
import { useWords } from "../language/language.js";
import { effectWords } from "./effect-words.js";

type Effects = NonNullable<AnswerOf<"/operator/v1/letters/preview-moves">["items"][number]["effects"]>;
type MailKind = NonNullable<Effects["mail"]>["kind"];

/** What moves do besides changing the status, a line for each addressee, before they are made. */
export function MoveEffects({
  effects,
  first = [],
}: {
  readonly effects: readonly Effects[];
  /** What else happens. */
  readonly first?: readonly string[];
}) {
  const words = useWords(effectWords);
  const mails = new Map<string, { readonly kind: MailKind; readonly to: string; readonly count: number }>();
  for (const { mail } of effects) {
    if (mail?.recipient == null) continue;
    const { kind, recipient: to } = mail;
    mails.set(`${kind} ${to}`, { kind, to, count: (mails.get(`${kind} ${to}`)?.count ?? 0) + 1 });
  }
  const unaddressed = effects.filter(({ mail }) => mail !== null && mail.recipient === null).length;
  const withdrawn = sumOf(effects.map(({ withdrawn_mails }) => withdrawn_mails));
  const deleted = sumOf(effects.map(({ deleted_documents }) => deleted_documents));
  const lines = [
    ...first,
    ...[...mails.values()].map(({ kind, to, count }) => words.mailsTo[kind](count, to)),
    ...(unaddressed > 0 ? [words.noAddress(unaddressed)] : []),
    ...(withdrawn > 0 ? [words.mailsWithdrawn(withdrawn)] : []),
    ...(deleted > 0 ? [words.documentsDeleted(deleted)] : []),
  ];
  return (
    <ul className="notice" aria-label={words.effects}>
      {(lines.length > 0 ? lines : [words.nothingOutside]).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** That a mail is sent, before it is. */
export function MailEffect({ kind, to }: { readonly kind: MailKind; readonly to: string }) {
  const mail = { kind, recipient: to.trim() || null };
  return <MoveEffects effects={[{ mail, withdrawn_mails: 0, deleted_documents: 0 }]} />;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
