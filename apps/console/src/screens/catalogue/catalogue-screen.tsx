import { countryName } from "@org/connector-filter/countries";
import { usePerson } from "../../api/session.js";
import { useLanguage, useWords } from "../../language/language.js";
import { BY_FILES, ProviderName } from "../../listing/connector-field.js";
import { type Filter, FilterBar, useFilters } from "../../listing/filter-bar.js";
import { List, type RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { Badge } from "../../parts/badge.js";
import { Link } from "../../parts/link.js";
import { Screen } from "../../parts/screen.js";
import { catalogueWords } from "./words.js";

type Connector = RowOf<"/connect/v2/connectors/list-connectors">;

/** The catalogue: operators see the provider of each connector, a tenant's people what is available to them. */
export default function CatalogueScreen() {
  const words = useWords(catalogueWords);
  const kinds: Readonly<Record<string, string>> = words.kinds;
  const language = useLanguage();
  const general = useWords(listWords);
  const { audience } = usePerson();
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
    { id: "type", header: words.type, cell: ({ type }: Connector) => kinds[type] ?? type },
    { id: "id", header: words.id, cell: ({ id }: Connector) => <code>{id}</code>, isWideOnly: true },
    {
      id: "countries",
      header: words.countries,
      cell: ({ countries }: Connector) => countries.map((code) => countryName(code, language)).join(", "),
      isWideOnly: true,
    },
  ];
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
    </Screen>
  );
}
