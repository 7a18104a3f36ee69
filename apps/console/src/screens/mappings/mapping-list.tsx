import { useState } from "react";
import { usePerson } from "../../api/session.js";
import { labelled, useWords } from "../../language/language.js";
import { ConnectorName } from "../../listing/connector-field.js";
import { ConfirmChange } from "../../listing/form-dialog.js";
import { List, type RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { NewButton } from "../../listing/new-button.js";
import { useAddress } from "../../parts/address.js";
import { Link } from "../../parts/link.js";
import { Moment } from "../../parts/moment.js";
import { TargetName } from "../feeds/target-fields.js";
import { mappingWords } from "./words.js";

type Mapping = RowOf<"/operator/v1/datafeed-mappings/list">;

/** How CSV and fixed-width files are read: mappings of connectors and connections, and those that come with the server. */
export function MappingList() {
  const words = useWords(mappingWords);
  const general = useWords(listWords);
  const { may } = usePerson();
  const { go } = useAddress();
  const [removing, setRemoving] = useState<Mapping | null>(null);
  return (
    <>
      <p className="lead">{words.lead}</p>
      <div className="actions">
        <NewButton onClick={() => go("/mapping")}>{words.create}</NewButton>
      </div>
      <List
        path="/operator/v1/datafeed-mappings/list"
        body={{}}
        caption={words.caption}
        keyOf={({ connector_id, connection_id, name }) => [connector_id, connection_id, name].join(" ")}
        nameOf={({ title }) => title}
        columns={[
          {
            id: "title",
            header: general.name,
            cell: (mapping) => (
              <Link to="/mapping" search={addressOf(mapping)}>
                {mapping.title}
              </Link>
            ),
          },
          {
            id: "whose",
            header: words.whose,
            cell({ connector_id, connection_id }) {
              if (connector_id !== null) return <ConnectorName id={connector_id} />;
              if (connection_id !== null) return <TargetName kind="connection_id" id={connection_id} />;
              return words.shipped;
            },
          },
          { id: "name", header: words.name, cell: ({ name }) => <code>{name}</code>, isWideOnly: true },
          {
            id: "changed",
            byMost: ({ changed_at }) => changed_at,
            header: general.changed,
            cell: ({ changed_at }) => <Moment at={changed_at} />,
            isWideOnly: true,
          },
        ]}
        {...(may("administer") && {
          actionsOf: (mapping: Mapping) =>
            isShipped(mapping)
              ? []
              : [{ label: general.remove, look: "ends" as const, onSelect: () => setRemoving(mapping) }],
        })}
        empty={{ title: words.none, text: words.lead }}
      />
      {removing && (
        <ConfirmChange
          {...{ title: labelled(general.remove, removing.title), action: general.remove, typed: removing.name }}
          path="/operator/v1/datafeed-mappings/remove"
          body={{ ...ownerOf(removing), name: removing.name }}
          changes={["/operator/v1/sources/"]}
          onClose={() => setRemoving(null)}
          effects={[words.removeText]}
        />
      )}
    </>
  );
}

/** The connector or connection whose files it is for; empty for a mapping that comes with the server. */
function ownerOf({ connector_id, connection_id }: Pick<Mapping, "connector_id" | "connection_id">) {
  return { ...(connector_id !== null && { connector_id }), ...(connection_id !== null && { connection_id }) };
}

function isShipped({ connector_id, connection_id }: Mapping): boolean {
  return connector_id === null && connection_id === null;
}

function addressOf({ name, connector_id, connection_id }: Mapping): Readonly<Record<string, string>> {
  return {
    name,
    ...(connector_id && { connector: connector_id }),
    ...(connection_id && { connection: connection_id }),
  };
}
