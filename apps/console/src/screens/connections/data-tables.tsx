import { useWords } from "../../language/language.js";
import type { Filter } from "../../listing/filter-bar.js";
import type { RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { Amount } from "../../parts/amount.js";
import type { Column } from "../../parts/data-table.js";
import { Link } from "../../parts/link.js";
import { Day } from "../../parts/moment.js";
import { choiceOf, DataList, type DataOf, useTypeNames } from "./data-list.js";
import { dataWords } from "./data-words.js";

/** The portfolios of a connection, with all digits that the bank sent. */
export function Portfolios(of: DataOf) {
  const words = useWords(dataWords);
  const { name } = useWords(listWords);
  const types = useTypeNames();
  const { connection_id } = of.connection;
  const columns: readonly Column<RowOf<"/data/v1/list-portfolios">>[] = [
    {
      id: "name",
      header: name,
      cell: ({ id = "", name }) => (
        <Link to={`/connections/${connection_id}`} search={{ tab: "holdings", portfolio: id }}>
          {name}
        </Link>
      ),
      sorts: ["name"],
    },
    { id: "type", header: words.type, cell: ({ type = "" }) => types[type], isWideOnly: true },
    { id: "account", header: words.account, cell: ({ refAccount }) => refAccount, isWideOnly: true },
    { id: "balance", header: words.balance, cell: valueCell, isNumeric: true, sorts: ["-balance"] },
  ];
  return (
    <DataList
      path="/data/v1/list-portfolios"
      {...{ of, columns, caption: words.portfolios, name: "portfolios" }}
      groups={["type"]}
      offeredBy="type"
      filtersOf={(totals) => [
        { kind: "text", name: "text", label: name },
        choiceOf(
          "account_type",
          words.type,
          totals.map(({ type }) => [type, types[type ?? ""]]),
        ),
        choiceOf(
          "currency",
          words.currency,
          totals.map(({ currency }) => [currency, currency]),
        ),
      ]}
      bodyOf={({ text, account_type, currency }) => ({ name: text, portfolio_type: account_type, currency })}
      empty={words.noPortfolios}
    />
  );
}

/** The holdings of a connection, in all its portfolios. */
export function Holdings(of: DataOf) {
  const words = useWords(dataWords);
  const { name } = useWords(listWords);
  const types = useTypeNames();
  const columns: readonly Column<RowOf<"/data/v1/list-investments">>[] = [
    { id: "name", header: name, cell: (row) => row.name, sorts: ["name"] },
    {
      id: "isin",
      header: words.isin,
      cell: ({ isin }) => isin && <code className="isin">{isin}</code>,
      isWideOnly: true,
    },
    { id: "type", header: words.type, cell: ({ type = "" }) => types[type], isWideOnly: true },
    {
      id: "valued",
      header: words.valued,
      cell: ({ valuation_date }) => <Day at={valuation_date} />,
      isWideOnly: true,
      sorts: ["-valuation_date"],
    },
    {
      id: "units",
      header: words.units,
      cell: ({ amount }) => <Amount value={amount} />,
      isNumeric: true,
      isWideOnly: true,
    },
    { id: "balance", header: words.balance, cell: valueCell, isNumeric: true, sorts: ["-balance", "balance"] },
  ];
  return (
    <DataList
      path="/data/v1/list-investments"
      {...{ of, columns, caption: words.holdings, name: "holdings" }}
      groups={["type", "subtype", "portfolio"]}
      offeredBy={["type", "portfolio"]}
      filtersOf={(totals) => [
        { kind: "text", name: "text", label: words.nameOrIsin },
        choiceOf(
          "type",
          words.type,
          totals.map(({ type }) => [type, types[type ?? ""]]),
        ),
        choiceOf(
          "portfolio",
          words.portfolio,
          totals.map(({ portfolio }) => [portfolio?.id, portfolio?.name]),
        ),
        choiceOf(
          "currency",
          words.currency,
          totals.map(({ currency }) => [currency, currency]),
        ),
      ]}
      bodyOf={({ text, type, portfolio, currency }) => ({
        ...nameOrIsin(text),
        inv_type: type,
        portfolio_id: portfolio,
        currency,
      })}
      empty={words.noHoldings}
    />
  );
}

/** The transactions of a connection, newest first. */
export function Transactions(of: DataOf) {
  const words = useWords(dataWords);
  const kinds: Readonly<Record<string, string>> = words.kinds;
  const dates: readonly Filter[] = [
    { kind: "date", name: "from", label: words.start },
    { kind: "date", name: "until", label: words.end },
  ];
  const columns: readonly Column<RowOf<"/data/v1/list-transactions">>[] = [
    {
      id: "description",
      header: words.description,
      cell: ({ description, operationDate }) => (
        <>
          {description}
          <span className="narrow quiet">
            <Day at={operationDate} />
          </span>
        </>
      ),
    },
    {
      id: "date",
      header: words.date,
      cell: ({ operationDate }) => <Day at={operationDate} />,
      isWideOnly: true,
      sorts: ["-operationDate", "operationDate"],
    },
    { id: "kind", header: words.type, cell: ({ kind }) => kind && kinds[kind], isWideOnly: true },
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
    { id: "cash", header: words.cash, cell: valueCell, isNumeric: true, sorts: ["-balance", "balance"] },
  ];
  return (
    <DataList
      path="/data/v1/list-transactions"
      {...{ of, columns, caption: words.transactions, name: "transactions" }}
      usualSort="-operationDate"
      groups={["kind", "portfolio"]}
      offeredBy="kind"
      filtersOf={(totals) => [
        { kind: "text", name: "text", label: words.descriptionOrIsin },
        choiceOf(
          "kind",
          words.type,
          totals.map(({ kind }) => [kind, kinds[kind ?? ""]]),
        ),
        ...dates,
      ]}
      bodyOf={({ text, kind, from, until }) => ({ ...nameOrIsin(text), kind, start_date: from, end_date: until })}
      empty={words.noTransactions}
    />
  );
}

/** One field takes both: a whole ISIN is searched as such, any other text in the name. */
function nameOrIsin(text: string | undefined) {
  const isin = text?.trim();
  return isin && /^[A-Z]{2}[A-Z0-9]{9}\d$/i.test(isin) ? { isin } : { name: text };
}

function valueCell({ balance, currency = "" }: { balance?: string | null | undefined; currency?: string | undefined }) {
  return <Amount value={balance} currency={currency} />;
}
