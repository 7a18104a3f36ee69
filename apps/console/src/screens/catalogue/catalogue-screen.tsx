import { countryName } from "@org/connector-filter/countries";
import { useState } from "react";
import { useChange } from "../../api/answers.js";
import { usePerson } from "../../api/session.js";
import { useLanguage, useWords } from "../../language/language.js";
import { BY_FILES, ConnectorName, ProviderName } from "../../listing/connector-field.js";
import { type Filter, FilterBar, useFilters } from "../../listing/filter-bar.js";
import { List, type RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { Badge } from "../../parts/badge.js";
import { Link } from "../../parts/link.js";
import { Problem } from "../../parts/problem.js";
import { Screen } from "../../parts/screen.js";
import { showToast } from "../../parts/toast.js";
import { JoinConnectors } from "./join-connectors.js";
import { catalogueWords } from "./words.js";

type Connector = RowOf<"/connect/v2/connectors/list-connectors">;
type Entry = RowOf<"/operator/v1/connectors/list">;

/** The catalogue: operators see the provider of each connector, a tenant's people what is available to them. */
export default function CatalogueScreen() {
  const words = useWords(catalogueWords);
  const kinds: Readonly<Record<string, string>> = words.kinds;
  const language = useLanguage();
  const general = useWords(listWords);
  const { audience, may } = usePerson();
  const isOperator = audience === "operator";
  const filters: readonly Filter[] = [
    { kind: "text", name: "name", label: words.search },
    ...(isOperator
      ? [
          {
            kind: "choice" as const,
            name: "unserved",
            label: words.availability,
            options: [{ value: "yes", label: words.unserved }],
          },
        ]
      : []),
  ];
  const { values, clear } = useFilters(filters);
  const wanted = values.name?.toLowerCase() ?? "";
  const columns = [
    { id: "name", header: general.name, cell: ({ name }: Connector) => name },
    {
      id: "available",
      header: words.availability,
      cell: ({ available }: Connector) => (
        <Badge tone={available ? "good" : "neutral"}>{available ? words.available : words.unavailable}</Badge>
      ),
    },
    // Beside the actions of operators a phone has no room for it.
    { id: "type", header: words.type, cell: ({ type }: Connector) => kinds[type] ?? type, isWideOnly: isOperator },
    { id: "id", header: words.id, cell: ({ id }: Connector) => <code>{id}</code>, isWideOnly: true },
    {
      id: "countries",
      header: words.countries,
      cell: ({ countries }: Connector) => countries.map((code) => countryName(code, language)).join(", "),
      isWideOnly: true,
    },
  ];
  const [joined, setJoined] = useState<Entry | null>(null);
  const match = useChange("/operator/v1/connectors/match", {
    onDone: () => showToast(words.decided),
  });
  const shared = { caption: words.caption, keyOf: ({ id }: Connector) => id, clear };
  return (
    <Screen title={words.title} lead={isOperator ? words.leadOperator : words.leadTenant}>
      <FilterBar filters={filters} />
      {isOperator ? (
        <List
          {...shared}
          path="/operator/v1/connectors/list"
          body={{ page_size: 100, name: values.name ?? null, unserved: values.unserved === "yes" }}
          columns={[
            ...columns,
            {
              id: "ways",
              header: words.otherWays,
              isWideOnly: true,
              cell: (entry) => <OtherWays of={entry} />,
            },
            {
              id: "provider",
              header: words.provider,
              isWideOnly: true,
              cell: ({ provider }) =>
                provider === BY_FILES ? (
                  <ProviderName id={provider} />
                ) : (
                  <Link to={`/providers/${provider}`}>
                    <ProviderName id={provider} />
                  </Link>
                ),
            },
          ]}
          {...(may("administer") && { actionsOf })}
          empty={{ title: words.emptyTitle, text: words.emptyText }}
        />
      ) : (
        <List
          {...shared}
          path="/letters/v1/list-connectors"
          body={{}}
          columns={columns}
          shows={({ name, id }) => `${name} ${id}`.toLowerCase().includes(wanted)}
          empty={{ title: words.emptyTitle, text: words.emptyTenant }}
        />
      )}
      <Problem problem={match.error} />
      {joined && <JoinConnectors {...joined} onClose={() => setJoined(null)} />}
    </Screen>
  );

  function actionsOf(entry: Entry) {
    const { id, ways, metadata } = entry;
    const decide = (connector_ids: readonly string[], as: "one" | "separate" | "identifiers") => () =>
      match.mutate({ connector_ids: [...connector_ids], as });
    return [
      { label: words.join, onSelect: () => setJoined(entry) },
      ...(ways.indexOf(id) > 0
        ? [{ label: words.offerFirst, onSelect: decide([id, ...ways.filter((other) => other !== id)], "one") }]
        : []),
      ...(ways.length > 0 ? [{ label: words.separate, onSelect: decide([id], "separate") }] : []),
      ...(metadata.institution === undefined ? [] : [{ label: words.rematch, onSelect: decide([id], "identifiers") }]),
    ];
  }
}

/** The other connectors of the same institution, in the order in which people are offered them. */
function OtherWays({ of: { id, ways } }: { readonly of: Entry }) {
  const others = ways.filter((other) => other !== id);
  return others.map((other, index) => (
    <span key={other}>
      {index > 0 && ", "}
      <ConnectorName id={other} /> <code>{other}</code>
    </span>
  ));
}
