import { useState } from "react";
import { useAnswer } from "../../api/answers.js";
import { usePerson } from "../../api/session.js";
import { labelled, useWords } from "../../language/language.js";
import { ClientFact } from "../../listing/client-fact.js";
import { nameWithClient } from "../../listing/client-name.js";
import { clientWords } from "../../listing/client-words.js";
import { useAddress } from "../../parts/address.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { Copyable } from "../../parts/copyable.js";
import { Facts } from "../../parts/facts.js";
import { Link } from "../../parts/link.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { Screen } from "../../parts/screen.js";
import { badgeTone, letterTerms } from "../letters/letter-terms.js";
import { letterToDos } from "../letters/letter-to-dos.js";
import { lettersWords } from "../letters/words.js";
import { LetterDocuments } from "./letter-documents.js";
import { ChangedMeanwhile, LetterHistory } from "./letter-history.js";
import { LetterMails } from "./letter-mails.js";
import { LetterMoves } from "./letter-moves.js";
import { LetterNotes } from "./letter-notes.js";
import { remarkWords } from "./remark-words.js";
import { letterWords } from "./words.js";

/** One letter: its status, the moves allowed now, its documents, mails and history. */
export default function LetterScreen() {
  const words = useWords(letterWords);
  const terms = useWords(letterTerms);
  const toDos = useWords(letterToDos);
  const said = useWords(remarkWords);
  const whose = useWords(clientWords);
  const { title: allLetters } = useWords(lettersWords);
  const { may, person_id } = usePerson();
  const { params } = useAddress();
  const letter_id = params.letterId ?? "";
  const found = useAnswer("/operator/v1/letters/show", { letter_id });
  const letter = found.data?.letter;
  /** How much of the history this user has seen. */
  const [seen, setSeen] = useState<number | null>(null);
  if (letter && seen === null) setSeen(letter.history.length);
  const mayWork = may("work");
  const title = letter ? nameWithClient(letter, `${letter.custodian}, ${letter.tenant}`) : words.title;
  const others = letter?.history.slice(seen ?? 0).filter(({ actor }) => actor !== `person:${person_id}`) ?? [];
  return (
    <Screen title={title} above={<Link to="/letters">{allLetters}</Link>}>
      <Problem problem={found.error} onRetry={() => void found.refetch()} />
      {found.isPending && !found.error && <Loading lines={8} />}
      {letter && (
        <>
          <div role="status">
            {seen !== null && others.length > 0 && (
              <ChangedMeanwhile letter={letter} entries={others}>
                <Button onClick={() => setSeen(letter.history.length)}>{words.noted}</Button>
              </ChangedMeanwhile>
            )}
          </div>
          <Facts
            facts={[
              [whose.client, letter.client_ref && <ClientFact of={letter} isLink={false} />],
              [terms.status, <Badge tone={badgeTone(letter.status)}>{terms.statuses[letter.status]}</Badge>],
              [words.since, <Moment at={letter.status_since} look="both" />],
              [
                terms.toDo,
                letter.to_do.by === "nobody"
                  ? null
                  : labelled(terms.parties[letter.to_do.by], toDos[letter.to_do.code]),
              ],
              [
                terms.labels,
                Object.entries(letter.labels)
                  .map(([key, value]) => labelled(key, value))
                  .join(", "),
              ],
              [
                words.connection,
                letter.connection_id && <Link to={`/connections/${letter.connection_id}`}>{letter.custodian}</Link>,
              ],
              [terms.created, <Moment at={letter.created_at} look="both" />],
              [words.id, <Copyable text={letter.id} label={words.id} />],
            ]}
          />
          {letter.remarks.length > 0 && (
            <ul className="notice" aria-label={words.remarks}>
              {letter.remarks.map(({ code, detail }) => (
                <li key={`${code} ${detail}`}>{said[code](detail ?? words.noReason)}</li>
              ))}
            </ul>
          )}
          <LetterMoves letter={letter} mayWork={mayWork} />
          <LetterDocuments letter={letter} mayWork={mayWork} />
          <LetterNotes letter={letter} mayWork={mayWork} />
          <LetterMails letter={letter} mayWork={mayWork} />
          <LetterHistory letter={letter} />
        </>
      )}
    </Screen>
  );
}
