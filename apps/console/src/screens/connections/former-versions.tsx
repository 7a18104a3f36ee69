import { type ReactNode, useState } from "react";
import { useAnswer } from "../../api/answers.js";
import type { AnswerOf } from "../../api/paths.js";
import { useWords } from "../../language/language.js";
import { Amount, Unknown } from "../../parts/amount.js";
import { Button } from "../../parts/button.js";
import { DataTable } from "../../parts/data-table.js";
import { Dialog } from "../../parts/dialog.js";
import { Facts } from "../../parts/facts.js";
import { Loading } from "../../parts/loading.js";
import { Day, Moment } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { dataWords } from "./data-words.js";
import { formerVersionWords } from "./former-version-words.js";

type Version = AnswerOf<"/data/v1/show-transaction">["versions"][number];

interface Transaction {
  readonly connectionId: string;
  readonly id: string;
}

/** Says that a transaction said something else before, and shows what. */
export function FormerVersions({ count, ...transaction }: Transaction & { readonly count: number }) {
  const words = useWords(formerVersionWords);
  const [isOpen, setOpen] = useState(false);
  if (count === 0) return null;
  return (
    <>
      <span className="under">
        <Button look="plain" onClick={() => setOpen(true)}>
          {words.former(count)}
        </Button>
      </span>
      {isOpen && (
        <Dialog title={words.title} onClose={() => setOpen(false)}>
          <Versions {...transaction} />
        </Dialog>
      )}
    </>
  );
}

/** What happened to a transaction, the latest first, each time with the details that changed. */
function Versions({ connectionId, id }: Transaction) {
  const words = useWords(formerVersionWords);
  const of = { credentials_token: connectionId };
  const { data, error, refetch } = useAnswer("/data/v1/show-transaction", { ...of, transaction_id: id });
  const versions = data?.versions ?? [];
  const pairs = versions.flatMap((before, index) => {
    const after = versions[index - 1];
    return after ? [{ before, after, changed: changedFields(before, after) }] : [];
  });
  const hasChanged = (field: Field) => pairs.some(({ changed }) => changed.includes(field));
  const named = { ...of, fields: ["id" as const, "name" as const], page_size: 500 };
  const portfolios = useAnswer("/data/v1/list-portfolios", named, { enabled: hasChanged("portfolio_id") });
  const holdings = useAnswer("/data/v1/list-investments", named, { enabled: hasChanged("investment_id") });
  const rows = [...(portfolios.data?.items ?? []), ...(holdings.data?.items ?? [])];
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  if (error) return <Problem problem={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <>
      {pairs.map(({ before, after, changed }) => (
        <section key={before.ended_at} className="former-version">
          <Facts
            facts={[
              [words[before.ended_by ?? "replaced"], <Moment key="end" at={before.ended_at} look="exact" />],
              [
                words.cameBack,
                before.ended_by === "withdrawn" ? <Moment key="back" at={after.read_at} look="exact" /> : null,
              ],
              [words.firstRead, <Moment key="read" at={before.read_at} look="exact" />],
            ]}
          />
          {changed.length === 0 ? <p>{words.same}</p> : <Changes {...{ before, after, changed, names }} />}
        </section>
      ))}
      <p className="hint">{words.kept}</p>
    </>
  );
}

/** The details that a version can differ in, in the order in which they are shown. */
const fields = [
  ...(["description", "operationDate", "settlement_date", "kind", "amount", "unitPrice", "fees", "taxes"] as const),
  ...(["gross", "balance", "currency", "portfolio_id", "investment_id", "identifiers"] as const),
] as const satisfies readonly (keyof Version)[];
type Field = (typeof fields)[number];

function changedFields(before: Version, after: Version): readonly Field[] {
  const textOf = (value: unknown) => JSON.stringify(value ?? null);
  return fields.filter((field) => textOf(before[field]) !== textOf(after[field]));
}

function Changes({
  before,
  after,
  changed,
  names,
}: {
  readonly before: Version;
  readonly after: Version;
  readonly changed: readonly Field[];
  readonly names: ReadonlyMap<string | undefined, string | undefined>;
}) {
  const words = useWords(formerVersionWords);
  const data = useWords(dataWords);
  const kinds: Readonly<Record<string, string>> = data.kinds;
  const labels: Readonly<Record<Field, string>> = {
    description: data.description,
    operationDate: data.date,
    settlement_date: words.settled,
    kind: data.type,
    amount: data.units,
    unitPrice: data.price,
    fees: data.fees,
    taxes: data.taxes,
    gross: words.gross,
    balance: data.cash,
    currency: data.currency,
    portfolio_id: data.portfolio,
    investment_id: words.holding,
    identifiers: words.identifiers,
  };
  return (
    <DataTable
      caption={words.differences}
      keyOf={(field) => field}
      rows={changed}
      columns={[
        { id: "field", header: words.field, cell: (field) => labels[field] },
        { id: "before", header: words.before, cell: (field) => shownValue(before, field) },
        { id: "after", header: words.after, cell: (field) => shownValue(after, field) },
      ]}
    />
  );

  function shownValue(version: Version, field: Field): ReactNode {
    const value = version[field] ?? null;
    if (value === null) return <Unknown />;
    if (typeof value === "object")
      return Object.entries(value)
        .map(([scheme, number]) => `${scheme.toUpperCase()} ${number}`)
        .join(", ");
    if (field === "operationDate" || field === "settlement_date") return <Day at={value} />;
    if (field === "portfolio_id" || field === "investment_id") return names.get(value) ?? <Unknown />;
    if (field === "kind") return kinds[value];
    if (field === "description" || field === "currency") return value;
    return <Amount value={value} currency={field === "balance" ? version.currency : null} />;
  }
}
