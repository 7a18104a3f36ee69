import { useAnswer } from "../../api/answers.js";
import type { AnswerOf } from "../../api/paths.js";
import { labelled, useWords } from "../../language/language.js";
import { ClientFact } from "../../listing/client-fact.js";
import { nameWithClient } from "../../listing/client-name.js";
import { clientWords } from "../../listing/client-words.js";
import { listWords } from "../../listing/list-words.js";
import { useAddress } from "../../parts/address.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { Copyable } from "../../parts/copyable.js";
import { DataTable } from "../../parts/data-table.js";
import { Facts } from "../../parts/facts.js";
import { Link } from "../../parts/link.js";
import { Loading } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { Screen } from "../../parts/screen.js";
import { useSize } from "../../parts/size.js";
import { EventSentence } from "../../sentences/sentence.js";
import { recordWords } from "../letter/record-words.js";
import { letterWords } from "../letter/words.js";
import { badgeTone, letterTerms } from "../letters/letter-terms.js";
import { lettersWords } from "../letters/words.js";
import { ownLetterWords } from "./words.js";

type HistoryEntry = AnswerOf<"/letters/v1/show-letter">["letter"]["history"][number];

/** One letter of a tenant, for its people: its status, what comes next, its documents, mails and history. */
export default function OwnLetterScreen() {
  const words = useWords(letterWords);
  const own = useWords(ownLetterWords);
  const terms = useWords(letterTerms);
  const records = useWords(recordWords);
  const sizeText = useSize();
  const general = useWords(listWords);
  const whose = useWords(clientWords);
  const { title: allLetters } = useWords(lettersWords);
  const { params } = useAddress();
  const found = useAnswer("/letters/v1/show-letter", { letter_id: params.letterId ?? "" });
  const letter = found.data?.letter;
  const client_ref = letter?.client_ref ?? "";
  const client = useAnswer("/clients/v1/show", { client_ref }, { enabled: client_ref !== "" }).data;
  const named = { client_ref, client_name: client?.name };
  return (
    <Screen
      title={letter ? nameWithClient(named, letter.custodian) : words.title}
      above={<Link to="/letters">{allLetters}</Link>}
    >
      <Problem problem={found.error}>
        <Button onClick={() => void found.refetch()}>{general.retry}</Button>
      </Problem>
      {found.isPending && !found.error && <Loading lines={8} />}
      {letter && (
        <>
          <Facts
            facts={[
              [whose.client, client_ref && <ClientFact of={named} isLink />],
              [terms.status, <Badge tone={badgeTone(letter.status)}>{terms.statuses[letter.status]}</Badge>],
              [words.since, <Moment at={letter.status_since} look="both" />],
              [own.next, own.steps[letter.status]],
              [words.observations, letter.observations],
              [words.bankerEmail, letter.contact_info.banker_email],
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
          <h2>{records.documents}</h2>
          {letter.documents.length === 0 ? (
            <p className="quiet">{records.noDocuments}</p>
          ) : (
            <DataTable
              caption={records.documents}
              rows={letter.documents}
              keyOf={({ kind }) => kind}
              columns={[
                { id: "kind", header: records.document, cell: ({ kind }) => records.documentKinds[kind] },
                {
                  id: "size",
                  header: records.size,
                  isNumeric: true,
                  cell: ({ size }) => sizeText(size),
                },
                {
                  id: "signature",
                  header: records.signature,
                  isWideOnly: true,
                  cell: ({ signature }) => records.signatures[signature],
                },
              ]}
            />
          )}
          <h2>{records.mails}</h2>
          {letter.mails.length === 0 ? (
            <p className="quiet">{own.noMails}</p>
          ) : (
            <DataTable
              caption={records.mails}
              rows={[...letter.mails].reverse()}
              keyOf={({ kind, at }) => `${kind} ${at}`}
              columns={[
                { id: "kind", header: records.mail, cell: ({ kind }) => records.mailKinds[kind] },
                { id: "state", header: records.state, cell: ({ state }) => records.mailStates[state] },
                { id: "at", header: records.when, cell: ({ at }) => <Moment at={at} /> },
              ]}
            />
          )}
          <h2>{records.history}</h2>
          <DataTable
            caption={records.history}
            rows={[...letter.history].reverse()}
            keyOf={({ event, at }) => `${event} ${at}`}
            columns={[
              { id: "what", header: records.what, cell: (entry) => <What letterId={letter.id} entry={entry} /> },
              { id: "at", header: records.when, cell: ({ at }) => <Moment at={at} look="both" /> },
            ]}
          />
        </>
      )}
    </Screen>
  );
}

/** What an entry without a move changed, by its event. */
const changes: Readonly<Record<string, string>> = {
  observe: "observations",
  correct_details: "details",
  correct_contacts: "contacts",
  mail_again: "mail",
  assign: "client",
};

/** A tenant's people are told what happened, and not who of the operators did it. */
function What({ letterId: letter_id, entry }: { readonly letterId: string; readonly entry: HistoryEntry }) {
  const { event: done, from, to } = entry;
  const type = from === null ? "letter.created" : from === to ? "letter.changed" : "letter.moved";
  const event = { type, tenant_id: "", data: { letter_id, change: changes[done] ?? "", from, to } };
  return <EventSentence event={event} self={{ kind: "letter", id: letter_id }} />;
}
