import { useLanguage, useWords } from "../../language/language.js";
import { List, type RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { useTenantNames } from "../../listing/tenant-names.js";
import { Badge } from "../../parts/badge.js";
import { Link } from "../../parts/link.js";
import { Moment } from "../../parts/moment.js";
import { Screen } from "../../parts/screen.js";
import { Tabs } from "../../parts/tabs.js";
import { providerWords } from "./words.js";

type Figures = RowOf<"/operator/v1/providers/figures">;

/** The colour of each state of a provider. */
export const providerTones = {
  available: "good",
  starting: "neutral",
  unavailable: "bad",
  no_settings: "warn",
  not_loaded: "warn",
} as const;

/** The providers with their state, and how each institution performs. */
export default function ProvidersScreen() {
  const words = useWords(providerWords);
  return (
    <Screen title={words.title} lead={words.lead}>
      <Tabs
        label={words.title}
        tabs={[
          { id: "providers", label: words.providers, content: () => <Providers /> },
          { id: "figures", label: words.figures, content: () => <InstitutionFigures /> },
        ]}
      />
    </Screen>
  );
}

function Providers() {
  const words = useWords(providerWords);
  const general = useWords(listWords);
  const tenants = useTenantNames();
  return (
    <List
      path="/operator/v1/providers/list"
      body={{}}
      caption={words.caption}
      keyOf={({ name, tenant_id }) => `${name} ${tenant_id ?? ""}`}
      columns={[
        {
          id: "name",
          header: general.name,
          cell: ({ name, title, tenant_id }) => (
            <Link to={`/providers/${name}`} search={tenant_id === null ? {} : { tenant: tenant_id }}>
              {title ?? name}
            </Link>
          ),
        },
        {
          id: "state",
          by: ({ state }) => words.states[state],
          header: general.state,
          cell: ({ state }) => <Badge tone={providerTones[state]}>{words.states[state]}</Badge>,
        },
        {
          id: "whose",
          header: words.whose,
          cell: ({ tenant_id }) => tenants.nameOf(tenant_id) ?? <span className="quiet">{general.installation}</span>,
        },
        {
          id: "connectors",
          byMost: ({ connectors }) => connectors,
          header: words.connectors,
          cell: ({ connectors }) => connectors,
          isNumeric: true,
          isWideOnly: true,
        },
        {
          id: "reason",
          header: words.reason,
          cell: ({ reason }) => <span className="quiet">{reason}</span>,
          isWideOnly: true,
        },
        {
          id: "changed",
          byMost: ({ changed_at }) => changed_at,
          header: words.changedAt,
          cell: ({ changed_at }) => <Moment at={changed_at} />,
          isWideOnly: true,
        },
      ]}
      empty={{ title: words.emptyTitle, text: words.emptyText }}
    />
  );
}

function InstitutionFigures() {
  const words = useWords(providerWords);
  return (
    <List
      path="/operator/v1/providers/figures"
      body={{}}
      caption={words.figuresCaption}
      keyOf={({ connector_id }) => connector_id}
      columns={[
        { id: "name", header: words.institution, cell: ({ name }) => name },
        {
          id: "breaker",
          header: words.breaker,
          cell: ({ circuit, circuit_open_since }) =>
            circuit === "open" ? (
              <>
                <Badge tone="bad">{words.open}</Badge> · <Moment at={circuit_open_since} />
              </>
            ) : (
              <Badge tone="good">{words.closed}</Badge>
            ),
        },
        ...(["logins", "refreshes"] as const).flatMap((kind) =>
          (["day", "week"] as const).map((period) => ({
            id: `${kind}-${period}`,
            header: `${words[kind]} ${words[period]}`,
            cell: (row: Figures) => <Rate outcomes={row[kind][period]} />,
            isNumeric: true,
            isWideOnly: period === "week",
          })),
        ),
      ]}
      empty={{ title: words.figuresEmpty, text: words.figuresEmptyText }}
    />
  );
}

/** The success rate with the number of attempts: 50 % of two says little. */
function Rate({ outcomes: { rate, succeeded, failed } }: { readonly outcomes: Figures["logins"]["day"] }) {
  const words = useWords(providerWords);
  const language = useLanguage();
  if (rate === null) return <span className="quiet">–</span>;
  const share = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 }).format(rate);
  return <span>{words.rate(share, succeeded, succeeded + failed)}</span>;
}
