import { useWords } from "../../language/language.js";
import { List, type RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { Moment } from "../../parts/moment.js";
import { EventSentence } from "../../sentences/sentence.js";
import { type Session, SessionBadge } from "../sessions/session-parts.js";
import { sessionWords } from "../sessions/words.js";
import { connectionWords } from "./words.js";

interface Whose {
  readonly connectionId: string;
  /** The owning tenant, for operators; null for the tenant's own people. */
  readonly tenantId: string | null;
}

type Event = RowOf<"/events/v1/list-events">;

/** A connection's events, from the event log. */
export function ConnectionHistory({ connectionId, tenantId }: Whose) {
  const words = useWords(connectionWords);
  const shared = {
    caption: words.historyCaption,
    keyOf: ({ id }: Event) => id,
    empty: { title: words.historyEmpty, text: words.historyEmptyText },
    columns: [
      { id: "when", header: words.when, cell: ({ created_at }: Event) => <Moment at={created_at} look="both" /> },
      {
        id: "what",
        header: words.what,
        cell: (event: Event) => <EventSentence event={event} self={{ kind: "connection", id: connectionId }} />,
      },
    ],
  };
  const query = { object_id: connectionId };
  return tenantId === null ? (
    <List {...shared} path="/events/v1/list-events" body={{ query }} />
  ) : (
    <List {...shared} path="/operator/v1/list-events" body={{ query: { ...query, tenant_id: tenantId } }} />
  );
}

/** The sessions in which the customer of a connection logged in. */
export function ConnectionLogins({ connectionId, tenantId }: Whose) {
  const words = useWords(connectionWords);
  const session = useWords(sessionWords);
  const general = useWords(listWords);
  const shared = {
    caption: words.loginsCaption,
    keyOf: ({ session_id }: Session) => session_id,
    empty: { title: words.loginsEmpty, text: words.loginsEmptyText },
    columns: [
      { id: "opened", header: session.opened, cell: ({ opened_at }: Session) => <Moment at={opened_at} /> },
      { id: "when", header: words.when, cell: ({ updated_at }: Session) => <Moment at={updated_at} look="both" /> },
      {
        id: "state",
        header: general.state,
        cell: (session: Session) => <SessionBadge session={session} />,
      },
      {
        id: "ends",
        header: general.expires,
        cell: ({ expires_at }: Session) => <Moment at={expires_at} />,
        isWideOnly: true,
      },
    ],
  };
  const query = { connection_id_in: [connectionId] };
  return tenantId === null ? (
    <List {...shared} path="/connect/v2/sessions/list-sessions" body={{ query }} />
  ) : (
    <List {...shared} path="/operator/v1/sessions/list" body={{ tenant_id: tenantId, query }} />
  );
}
