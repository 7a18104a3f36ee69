import { useWords } from "../../language/language.js";
import type { RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { ScopeTitles } from "../../listing/scope-titles.js";
import { Badge } from "../../parts/badge.js";
import type { Column } from "../../parts/data-table.js";
import { applicationWords, limitIn } from "./words.js";

/** What operators and a tenant's people both see of an application. */
type Shown = Pick<RowOf<"/applications/list">, "name" | "enabled" | "client_id" | "scopes" | "client_refs">;

/** The columns that both lists of applications have. */
export function useApplicationColumns() {
  const words = useWords(applicationWords);
  const general = useWords(listWords);
  return {
    name: { id: "name", by: ({ name }) => name, header: general.name, cell: ({ name }) => name },
    state: {
      id: "state",
      by: ({ enabled }) => (enabled ? general.enabled : general.disabled),
      header: general.state,
      cell: ({ enabled }) => (
        <Badge tone={enabled ? "good" : "neutral"}>{enabled ? general.enabled : general.disabled}</Badge>
      ),
    },
    client: {
      id: "client",
      header: words.clientId,
      cell: ({ client_id }) => <code>{client_id}</code>,
      isWideOnly: true,
    },
    scopes: {
      id: "scopes",
      header: general.scopes,
      cell: ({ scopes }) => <ScopeTitles scopes={scopes} />,
      isWideOnly: true,
    },
    clients: {
      id: "clients",
      header: words.clients,
      cell: ({ client_refs }) => <span className="quiet">{limitIn(words, client_refs)}</span>,
      isWideOnly: true,
    },
  } as const satisfies Readonly<Record<string, Column<Shown>>>;
}
