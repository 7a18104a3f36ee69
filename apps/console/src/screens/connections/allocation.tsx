import { compareDecimals } from "@org/core/decimal";
import type { AnswerOf } from "../../api/paths.js";
import { labelled, useWords } from "../../language/language.js";
import { Percent } from "../../parts/amount.js";
import { DataTable } from "../../parts/data-table.js";
import { Link } from "../../parts/link.js";
import { dataWords } from "./data-words.js";
import { percentOf } from "./gain.js";
import { TotalOf } from "./totals.js";
import { useTypeNames } from "./type-names.js";

type Total = AnswerOf<"/data/v1/list-investments">["totals"][number];
/** What totals can be divided by. */
export type Group = "type" | "subtype" | "kind" | "portfolio" | "bank" | "client_ref";

/** How each currency's total is divided, the largest part first. Currencies are never added up, so each has shares of its own. */
export function Allocation({
  by,
  heading,
  parts,
  totals,
  hasShares,
  clientName,
}: {
  readonly by: Group;
  readonly heading: string;
  readonly parts: readonly Total[];
  /** Of each currency. */
  readonly totals: readonly Total[];
  /** Movements have none: in and out are no parts of a whole. */
  readonly hasShares: boolean;
  readonly clientName: (reference: string) => string;
}) {
  const words = useWords(dataWords);
  const types = useTypeNames();
  const caption = labelled(words.totalsBy, heading);
  return totals.map(({ currency, balance: whole }) => (
    <div key={currency} className="allocation">
      <DataTable
        caption={totals.length > 1 ? `${caption}, ${currency}` : caption}
        rows={parts.filter((part) => part.currency === currency).toSorted(largestFirst)}
        keyOf={(total) => JSON.stringify([total[by]])}
        columns={[
          { id: "group", header: totals.length > 1 ? `${heading} · ${currency}` : heading, cell: groupOf },
          ...(hasShares ? [{ id: "share", header: words.share, cell: (part: Total) => shareOf(part, whole) }] : []),
          { id: "rows", header: words.number, cell: ({ rows }) => rows, isNumeric: true, isWideOnly: true },
          { id: "total", header: words.total, cell: (total) => <TotalOf total={total} />, isNumeric: true },
        ]}
      />
    </div>
  ));

  function shareOf({ balance }: Total, whole: string | null) {
    const share = balance === null || whole === null ? null : percentOf(balance, whole, 1);
    return (
      <span className="share">
        <span className="share-bar" aria-hidden="true">
          <span style={{ width: `${share === null ? 0 : Math.min(100, Math.max(0, Number(share)))}%` }} />
        </span>
        <Percent value={share} />
      </span>
    );
  }

  function groupOf({ portfolio, kind, client_ref, ...codes }: Total) {
    if (by === "portfolio") return portfolio?.name ?? portfolio?.id ?? words.unknown;
    if (by === "kind") return kind ? ((words.kinds as Readonly<Record<string, string>>)[kind] ?? kind) : words.unknown;
    if (by === "client_ref")
      return client_ref ? (
        <Link to="/client" search={{ ref: client_ref, tab: "holdings" }}>
          {clientName(client_ref)}
        </Link>
      ) : (
        words.nobody
      );
    const code = codes[by];
    return code ? (types[code] ?? code) : words.unknown;
  }
}

function largestFirst(a: Total, b: Total): number {
  if (a.balance === null || b.balance === null) return Number(a.balance === null) - Number(b.balance === null);
  return compareDecimals(b.balance, a.balance);
}
