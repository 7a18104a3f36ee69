import type { ReactNode } from "react";
import { labelled, useWords } from "../../language/language.js";
import type { RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { ScopeTitles } from "../../listing/scope-titles.js";
import { Badge } from "../../parts/badge.js";
import type { Column } from "../../parts/data-table.js";
import { applicationWords, limitIn } from "./words.js";

/** What operators and a tenant's people both see of an application. */
type Shown = Pick<
  RowOf<"/applications/list">,
  "name" | "enabled" | "client_id" | "scopes" | "client_refs" | "dpop_bound_access_tokens"
>;

/** The name, the id beneath it and, on a phone, what its list says there. */
export function NameOfApplication({
  name,
  client_id,
  children,
}: Pick<Shown, "name" | "client_id"> & { readonly children?: ReactNode }) {
  const { clientId } = useWords(applicationWords);
  return (
    <>
      {name}
      {children}
      <span className="under quiet">
        <span className="spoken">{labelled(clientId, "")}</span>
        <code>{client_id}</code>
      </span>
    </>
  );
}

/** The columns that both lists of applications have. */
export function useApplicationColumns() {
  const words = useWords(applicationWords);
  const general = useWords(listWords);
  return {
    name: {
      id: "name",
      by: ({ name }) => name,
      header: general.name,
      cell: ({ name, client_id }) => <NameOfApplication {...{ name, client_id }} />,
    },
    state: {
      id: "state",
      by: ({ enabled }) => (enabled ? general.enabled : general.disabled),
      header: general.state,
      cell: ({ enabled, dpop_bound_access_tokens }) => (
        <>
          <Badge tone={enabled ? "good" : "neutral"}>{enabled ? general.enabled : general.disabled}</Badge>
          {dpop_bound_access_tokens && <span className="under quiet">{words.dpopRequired}</span>}
        </>
      ),
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
