import { useState } from "react";
import { usePerson } from "../../api/session.js";
import { useWords } from "../../language/language.js";
import { useBeginning } from "../../listing/beginning.js";
import { clientOf } from "../../listing/client-name.js";
import { type Filter, FilterBar, useFilters, useOrder } from "../../listing/filter-bar.js";
import { List } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { useAddress } from "../../parts/address.js";
import { Button } from "../../parts/button.js";
import { Link } from "../../parts/link.js";
import { Moment } from "../../parts/moment.js";
import { Screen } from "../../parts/screen.js";
import { type Client, CreateClient, DeleteClient, RenameClient } from "./client-dialogs.js";
import { clientsWords } from "./words.js";

/** The clients of the person's tenant. */
export default function ClientsScreen() {
  const words = useWords(clientsWords);
  const general = useWords(listWords);
  const { may } = usePerson();
  const { go } = useAddress();
  const [isCreating, setCreating] = useBeginning("client");
  const [dialog, setDialog] = useState<{ readonly kind: "rename" | "delete"; readonly client: Client } | null>(null);
  const filters: readonly Filter[] = [{ kind: "text", name: "name", label: words.search }];
  const { values, clear } = useFilters(filters);
  const { sort, order, sortsOf } = useOrder({
    reference: "client_ref",
    "-reference": "-client_ref",
    name: "name",
    "-name": "-name",
  });
  const close = () => setDialog(null);
  return (
    <Screen
      title={words.title}
      lead={words.lead}
      actions={
        may("work") && (
          <Button look="first" onClick={() => setCreating(true)}>
            {words.create}
          </Button>
        )
      }
    >
      <FilterBar filters={filters} />
      <List
        path="/clients/v1/list"
        body={{ ...(values.name && { name: values.name }), order, page_size: 100 }}
        caption={words.caption}
        keyOf={({ client_ref }) => client_ref}
        nameOf={nameOf}
        sort={sort}
        columns={[
          {
            id: "client",
            header: general.name,
            sorts: sortsOf("name"),
            cell: (client) => (
              <Link to="/client" search={{ ref: client.client_ref }}>
                {nameOf(client)}
              </Link>
            ),
          },
          {
            id: "reference",
            header: words.reference,
            sorts: sortsOf("reference"),
            cell: ({ client_ref }) => client_ref,
            isWideOnly: true,
          },
          { id: "connections", header: words.connections, cell: ({ connections }) => connections, isNumeric: true },
          { id: "letters", header: words.letters, cell: ({ letters }) => letters, isNumeric: true, isWideOnly: true },
          {
            id: "created",
            header: general.created,
            cell: ({ created_at }) => <Moment at={created_at} />,
            isWideOnly: true,
          },
        ]}
        {...(may("work") && {
          actionsOf: (client: Client) => [
            { label: words.rename, onSelect: () => setDialog({ kind: "rename", client }) },
            { label: words.delete, onSelect: () => setDialog({ kind: "delete", client }), look: "ends" as const },
          ],
        })}
        empty={{ title: words.emptyTitle, text: words.emptyText }}
        clear={clear}
      />
      {isCreating && <CreateClient onCreated={(ref) => go("/client", { ref })} onClose={() => setCreating(false)} />}
      {dialog?.kind === "rename" && <RenameClient client={dialog.client} onClose={close} />}
      {dialog?.kind === "delete" && <DeleteClient client={dialog.client} onClose={close} />}
    </Screen>
  );
}

function nameOf({ client_ref, name }: Client): string {
  return clientOf({ client_ref, client_name: name });
}
