import { useWords } from "../../language/language.js";
import { clientOf } from "../../listing/client-name.js";
import { dataWords } from "../connections/data-words.js";
import { useTypeNames } from "../connections/type-names.js";
import { largestOf, Share } from "../wealth/figures.js";
import { methodWords } from "./method-words.js";
import { Refusal } from "./reasons.js";
import type { Figure, ReportData, Summary } from "./report-data.js";
import { Money, PrintedTable } from "./report-table.js";
import { reportWords } from "./report-words.js";

/** How the value at the close is divided: by type, currency and bank, over all clients also by client; the most first. */
export function Allocations({ data }: { readonly data: ReportData }) {
  const words = useWords(reportWords);
  const terms = useWords(dataWords);
  const method = useWords(methodWords);
  const types = useTypeNames();
  const { closing, byCurrency, byBank, byClient } = data;
  const connections = data.connections.data?.items ?? [];
  const banks = new Map(connections.map(({ connector_id, bank }) => [connector_id, bank]));
  const clients = new Map(connections.map((each) => [each.client_ref, clientOf(each)]));
  if (closing.data?.items.length === 0) return null;
  return (
    <section>
      <h3>{words.allocation}</h3>
      <div className="allocations">
        <Divided by={terms.type} figure={closing} nameOf={(key) => types[key] ?? key} />
        <Divided by={terms.currency} figure={byCurrency} nameOf={(key) => key} />
        <Divided by={terms.bank} figure={byBank} nameOf={(key) => banks.get(key) ?? key} />
        <Divided by={terms.client} figure={byClient} nameOf={(key) => clients.get(key) ?? key} none={terms.nobody} />
      </div>
      <Refusal problems={[closing.error]} title={method.refusedValue} data={data} />
    </section>
  );
}

type Part = Summary["items"][number];

function Divided({
  by,
  figure: { data },
  nameOf,
  none,
}: {
  readonly by: string;
  readonly figure: Figure<Summary>;
  readonly nameOf: (key: string) => string;
  /** What has no key is called so; left out: not known. */
  readonly none?: string;
}) {
  const words = useWords(reportWords);
  const terms = useWords(dataWords);
  if (data === undefined || data.items.length === 0) return null;
  return (
    <PrintedTable
      label={by}
      rows={[...data.items].sort((one, other) => largestOf(other) - largestOf(one))}
      columns={[
        { header: by, cell: ({ key }) => named(key) },
        { header: terms.balance, cell: ({ totals }) => <Money totals={totals} />, isNumeric: true },
        ...(data.items.some(({ share }) => share !== null)
          ? [{ header: terms.share, cell: ({ share }: Part) => <Share value={share} />, isNumeric: true }]
          : []),
      ]}
    />
  );

  function named(key: string | null): string {
    if (key === null) return none ?? terms.unknown;
    return key === "unallocated" ? words.unallocated : nameOf(key);
  }
}
