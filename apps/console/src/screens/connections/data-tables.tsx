import type { ReactNode } from "react";
import { useAnswer } from "../../api/answers.js";
import type { BodyOf } from "../../api/paths.js";
import { useWords } from "../../language/language.js";
import type { CsvColumn } from "../../listing/csv.js";
import { ExportButton } from "../../listing/export-button.js";
import { type Filter, FilterBar, useFilters } from "../../listing/filter-bar.js";
import { List, type ListOf, type RowOf } from "../../listing/list.js";
import { Amount } from "../../parts/amount.js";
import type { Column } from "../../parts/data-table.js";
import { dataWords } from "./data-words.js";

type DataPath = "/data/v1/list-portfolios" | "/data/v1/list-investments" | "/data/v1/list-transactions";
interface Whose {
  readonly connectionId: string;
}

/** The portfolios of a connection, with all digits that the bank sent. */
export function Portfolios({ connectionId }: Whose) {
  const words = useWords(dataWords);
  const columns: readonly Column<RowOf<"/data/v1/list-portfolios">>[] = [
    { id: "name", header: words.portfolios, cell: ({ name }) => name },
    { id: "type", header: words.type, cell: ({ type }) => type, isWideOnly: true },
    { id: "account", header: words.account, cell: ({ refAccount }) => refAccount, isWideOnly: true },
    { id: "balance", header: words.balance, cell: ({ balance }) => <Amount value={balance} />, isNumeric: true },
    { id: "currency", header: words.currency, cell: ({ currency }) => currency },
  ];
  return (
    <DataList
      path="/data/v1/list-portfolios"
      body={{ credentials_token: connectionId }}
      {...{ columns, caption: words.portfolios, name: "portfolios" }}
    />
  );
}

/** The holdings of a connection, in all its portfolios. */
export function Holdings({ connectionId }: Whose) {
  const words = useWords(dataWords);
  const columns: readonly Column<RowOf<"/data/v1/list-investments">>[] = [
    { id: "name", header: words.holdings, cell: ({ name }) => name },
    { id: "isin", header: words.isin, cell: ({ isin }) => isin && <code>{isin}</code>, isWideOnly: true },
    { id: "type", header: words.type, cell: ({ type }) => type, isWideOnly: true },
    { id: "units", header: words.units, cell: ({ amount }) => <Amount value={amount} />, isNumeric: true },
    { id: "balance", header: words.balance, cell: ({ balance }) => <Amount value={balance} />, isNumeric: true },
    { id: "currency", header: words.currency, cell: ({ currency }) => currency },
  ];
  return (
    <DataList
      path="/data/v1/list-investments"
      body={{ credentials_token: connectionId }}
      {...{ columns, caption: words.holdings, name: "holdings" }}
    />
  );
}

/** The transactions of a connection, newest first. */
export function Transactions({ connectionId }: Whose) {
  const words = useWords(dataWords);
  const filters: readonly Filter[] = [
    { kind: "date", name: "from", label: words.start },
    { kind: "date", name: "until", label: words.end },
  ];
  const { values, clear } = useFilters(filters);
  const columns: readonly Column<RowOf<"/data/v1/list-transactions">>[] = [
    { id: "description", header: words.description, cell: ({ description }) => description },
    { id: "date", header: words.date, cell: ({ operationDate }) => operationDate },
    {
      id: "units",
      header: words.units,
      cell: ({ amount }) => <Amount value={amount} />,
      isNumeric: true,
      isWideOnly: true,
    },
    {
      id: "price",
      header: words.price,
      cell: ({ unitPrice }) => <Amount value={unitPrice} />,
      isNumeric: true,
      isWideOnly: true,
    },
    { id: "cash", header: words.cash, cell: ({ balance }) => <Amount value={balance} />, isNumeric: true },
    { id: "currency", header: words.currency, cell: ({ currency }) => currency },
  ];
  const body = {
    credentials_token: connectionId,
    ...(values.from && { start_date: values.from }),
    ...(values.until && { end_date: values.until }),
  };
  return (
    <DataList
      path="/data/v1/list-transactions"
      {...{ body, columns, clear, caption: words.transactions, name: "transactions" }}
      filters={<FilterBar filters={filters} />}
    />
  );
}

/** Rows of one kind, with the date of the data, their totals, and a download as a file. */
function DataList<P extends DataPath>({
  path,
  body,
  columns,
  caption,
  name,
  filters,
  clear = null,
}: Pick<ListOf<P>, "path" | "columns" | "caption"> & {
  readonly body: object;
  readonly name: string;
  readonly filters?: ReactNode;
  readonly clear?: (() => void) | null;
}) {
  const words = useWords(dataWords);
  const asked = { ...body, page_size: 100 } as BodyOf<P>;
  const { data } = useAnswer(path as DataPath, { ...body, page_size: 1 } as BodyOf<DataPath>);
  const source = data?.sources[0]?.state;
  return (
    <>
      {filters}
      <div className="actions">
        {source && source !== "ok" && <p className="notice">{words.dataStates[source]}</p>}
        <ExportButton path={path} body={body as BodyOf<P>} name={name} columns={exported[path]} />
      </div>
      <List
        {...{ path, columns, caption, clear }}
        body={asked}
        keyOf={(row) => (row as { id?: string }).id ?? ""}
        empty={{ title: words.noRows, text: words.noRowsText }}
      />
      {data && data.totals.length > 0 && (
        <p className="totals">
          {words.total}:{" "}
          {data.totals.map(({ currency, balance, rows_without_balance: without, rows_notional: notional }) => (
            <span key={currency}>
              {balance === null ? currency : <Amount value={balance} currency={currency} />}{" "}
              {without !== undefined && `(${without} ${words.withoutBalance}) `}
              {notional !== undefined && `(${notional} ${words.notional}) `}
            </span>
          ))}
        </p>
      )}
    </>
  );
}

type Texts = Readonly<Record<string, string | null | undefined>>;
const of = (...names: readonly string[]): readonly CsvColumn<Texts>[] =>
  names.map((header) => ({ header, text: (row) => row[header] }));

/** The columns of a file, with the API's names. */
const exported: Readonly<Record<DataPath, readonly CsvColumn<Texts>[]>> = {
  "/data/v1/list-portfolios": of("id", "name", "type", "refAccount", "balance", "currency"),
  "/data/v1/list-investments": of("id", "name", "isin", "type", "subtype", "amount", "balance", "currency", "price"),
  "/data/v1/list-transactions": of("id", "operationDate", "description", "amount", "unitPrice", "balance", "currency"),
};
