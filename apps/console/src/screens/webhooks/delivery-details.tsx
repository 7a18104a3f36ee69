import { type ReactNode, useState } from "react";
import { useAnswer } from "../../api/answers.js";
import { useWords } from "../../language/language.js";
import type { RowOf } from "../../listing/list.js";
import { Button } from "../../parts/button.js";
import { Dialog } from "../../parts/dialog.js";
import { Facts } from "../../parts/facts.js";
import { Loading } from "../../parts/loading.js";
import { Problem } from "../../parts/problem.js";
import { EntryJson } from "../../sentences/entry-dialog.js";
import { EventSentence } from "../../sentences/sentence.js";
import { sentenceWords } from "../../sentences/sentence-words.js";
import { webhookWords } from "./words.js";

/** The name of a delivery, which opens what was sent and what came of it. */
export function DeliveryDetails({
  eventId,
  log,
  label,
  facts,
}: {
  readonly eventId: string;
  readonly label: string;
  /** The tenant of the endpoint, for operators; null for the tenant's own people. */
  readonly log: string | null;
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}) {
  const words = useWords(webhookWords);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="plain" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Dialog title={words.sent} onClose={() => setOpen(false)}>
          {log === null ? (
            <Sent eventId={eventId} facts={facts} path="/events/v1/list-events" ofLog={{}} />
          ) : (
            <Sent eventId={eventId} facts={facts} path="/operator/v1/list-events" ofLog={{ tenant_id: log }} />
          )}
        </Dialog>
      )}
    </>
  );
}

function Sent({
  eventId,
  facts,
  path,
  ofLog,
}: Pick<Parameters<typeof DeliveryDetails>[0], "eventId" | "facts"> & {
  readonly path: "/events/v1/list-events" | "/operator/v1/list-events";
  readonly ofLog: object;
}) {
  const words = useWords(webhookWords);
  const { what } = useWords(sentenceWords);
  const before = useAnswer(path, { query: { ...ofLog, before: eventId }, order: "desc", page_size: 1 });
  const previous = before.data?.items[0]?.id;
  const found = useAnswer(
    path,
    { query: { ...ofLog, ...(previous !== undefined && { after: previous }) }, order: "asc", page_size: 1 },
    { enabled: before.isSuccess },
  );
  const event: RowOf<"/events/v1/list-events"> | undefined = found.data?.items.find(({ id }) => id === eventId);
  if (before.isLoading || found.isLoading) return <Loading />;
  // An id that is not kept is refused.
  if (found.isSuccess ? !event : before.error?.code === "VALIDATION_ERROR") return <p>{words.notKept}</p>;
  if (!event) return <Problem problem={before.error ?? found.error} />;
  return (
    <>
      <Facts facts={[[what, <EventSentence key="what" event={event} />], ...facts]} />
      <EntryJson entry={event} />
    </>
  );
}
