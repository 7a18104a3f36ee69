import { useWords } from "../../language/language.js";
import { nameWithClient } from "../../listing/client-name.js";
import type { Filter } from "../../listing/filter-bar.js";
import type { RowOf } from "../../listing/list.js";
import { listWords } from "../../listing/list-words.js";
import { Amount, Percent, Unknown } from "../../parts/amount.js";
import type { Column } from "../../parts/data-table.js";
import { Link } from "../../parts/link.js";
import { Day } from "../../parts/moment.js";
import { choiceOf, DataList } from "./data-list.js";
import { dataWords } from "./data-words.js";
import { FormerVersions } from "./former-versions.js";
import { gainOf } from "./gain.js";
import { type DataOf, isOfMany } from "./scope.js";
import { useTypeNames } from "./type-names.js";
import { WhyLink } from "./why.js";

/** The portfolios of a connection, a client or all, with all digits that the bank sent. */
export function Portfolios({ of }: { readonly of: DataOf }) {
  const words = useWords(dataWords);
  const { name } = useWords(listWords);
  const types = useTypeNames();
  const columns: readonly Column<RowOf<"/data/v1/list-portfolios">>[] = [
    {
      id: "name",
      header: name,
      cell: ({ id = "", name, ...row }) => (
        <>
          <Origin of={of} row={row} tab="portfolios" />
          <Link to={`/connections/${connectionOf(of, row)}`} search={{ tab: "holdings", portfolio: id }}>
            {name}
          </Link>
        </>
      ),
      sorts: ["name", "-name"],
    },
    { id: "type", header: words.type, cell: ({ type = "" }) => types[type], isWideOnly: true },
    { id: "account", header: words.account, cell: ({ refAccount }) => refAccount, isWideOnly: true },
    { id: "balance", header: words.balance, cell: valueCell, isNumeric: true, sorts: ["-balance", "balance"] },
  ];
  return (
    <DataList
      path="/data/v1/list-portfolios"
      {...{ of, columns, caption: words.portfolios, name: "portfolios" }}
      groups={["type"]}
      offeredBy={of === "all" ? ["type", "bank"] : "type"}
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

/** The holdings of a connection, a client or all, with what they cost and gained where the bank tells it. */
export function Holdings({ of }: { readonly of: DataOf }) {
  const words = useWords(dataWords);
  const { name } = useWords(listWords);
  const types = useTypeNames();
  const columns: readonly Column<RowOf<"/data/v1/list-investments">>[] = [
    {
      id: "name",
      header: name,
      cell: ({ name, isin, ...row }) => (
        <>
          <Origin of={of} row={row} tab="holdings" />
          {name}
          {isin && <code className="isin under">{isin}</code>}
        </>
      ),
      sorts: ["name", "-name"],
    },
    {
      id: "type",
      header: words.type,
      cell: ({ type = "", subtype }) => (
        <>
          <span className="whole">{types[type]}</span>
          {subtype && <span className="under quiet">{types[subtype]}</span>}
        </>
      ),
      isWideOnly: true,
    },
    {
      id: "valued",
      header: words.valued,
      cell: ({ valuation_date }) => (valuation_date ? <Day at={valuation_date} /> : <Unknown />),
      isWideOnly: true,
      sorts: ["-valuation_date", "valuation_date"],
    },
    {
      id: "units",
      header: words.units,
      cell: ({ amount }) => <Amount value={amount} isAsked />,
      isNumeric: true,
      isWideOnly: true,
    },
    {
      id: "price",
      header: words.price,
      cell: (row) => <Price of={row} />,
      isNumeric: true,
      isWideOnly: true,
      beneath: "units",
    },
    { id: "balance", header: words.balance, cell: valueCell, isNumeric: true, sorts: ["-balance", "balance"] },
    {
      id: "cost",
      header: words.cost,
      cell: ({ cost }) => <Amount value={cost} isAsked />,
      isNumeric: true,
      isWideOnly: true,
      beneath: "balance",
    },
    { id: "gain", header: words.gain, cell: (row) => <Gain of={row} />, isNumeric: true, isWideOnly: true },
  ];
  return (
    <DataList
      path="/data/v1/list-investments"
      {...{ of, columns, caption: words.holdings, name: "holdings" }}
      groups={of === "all" ? ["type", "subtype"] : ["type", "subtype", "portfolio"]}
      offeredBy={["type", of === "all" ? "bank" : "portfolio"]}
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

/** The transactions of a connection, a client or all, newest first. */
export function Transactions({ of }: { readonly of: DataOf }) {
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
      cell: ({ description, operationDate, ...row }) => (
        <>
          <Origin of={of} row={row} tab="transactions" />
          {description}
          <span className="narrow quiet">
            <Day at={operationDate} />
          </span>
          <FormerVersions connectionId={connectionOf(of, row)} id={row.id ?? ""} count={row.former_versions ?? 0} />
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
    {
      id: "kind",
      header: words.type,
      cell: ({ kind }) => (kind ? <span className="whole">{kinds[kind]}</span> : <Unknown />),
      isWideOnly: true,
    },
    {
      id: "units",
      header: words.units,
      cell: ({ amount }) => <Amount value={amount} isAsked />,
      isNumeric: true,
      isWideOnly: true,
    },
    {
      id: "price",
      header: words.price,
      cell: ({ unitPrice }) => <Amount value={unitPrice} isAsked />,
      isNumeric: true,
      isWideOnly: true,
      beneath: "units",
    },
    {
      id: "fees",
      header: words.fees,
      cell: ({ fees }) => <Amount value={fees} isAsked />,
      isNumeric: true,
      isWideOnly: true,
    },
    {
      id: "taxes",
      header: words.taxes,
      cell: ({ taxes }) => <Amount value={taxes} isAsked />,
      isNumeric: true,
      isWideOnly: true,
      beneath: "fees",
    },
    {
      id: "cash",
      header: words.cash,
      cell: (row) => valueCell(row, true),
      isNumeric: true,
      sorts: ["-balance", "balance"],
    },
  ];
  return (
    <DataList
      path="/data/v1/list-transactions"
      {...{ of, columns, caption: words.transactions, name: "transactions" }}
      usualSort="-operationDate"
      groups={of === "all" ? ["kind"] : ["kind", "portfolio"]}
      offeredBy={of === "all" ? ["kind", "bank"] : "kind"}
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

interface Money {
  readonly id?: string | undefined;
  readonly balance?: string | null | undefined;
  readonly currency?: string | undefined;
}

function valueCell({ id = "", balance, currency = "" }: Money, isSigned = false) {
  return (
    <WhyLink id={id}>
      <Amount value={balance} currency={currency} isAsked isSigned={isSigned} />
    </WhyLink>
  );
}

type Holding = RowOf<"/data/v1/list-investments">;

/** What one unit is worth: in percent of the nominal, or in its currency, named only where the value is in another. */
function Price({ of: { price, price_unit, price_currency, currency } }: { readonly of: Holding }) {
  if (price_unit === "percent" && price) return <Percent value={price} />;
  return (
    <Amount value={price} currency={price_currency && price_currency !== currency ? price_currency : null} isAsked />
  );
}

function Gain({ of }: { readonly of: Holding }) {
  const found = gainOf(of);
  if (found === null) return <Unknown />;
  return (
    <>
      <Amount value={found.gain} isSigned />
      {found.percent !== null && (
        <span className="under">
          <Percent value={found.percent} isSigned />
        </span>
      )}
    </>
  );
}

interface WhoseRow {
  readonly credentials_token?: string | undefined;
  readonly bank?: string | undefined;
  readonly client_ref?: string | null | undefined;
  readonly client_name?: string | null | undefined;
}

function connectionOf(of: DataOf, { credentials_token = "" }: WhoseRow): string {
  return of !== "all" && "connection" in of ? of.connection.connection_id : credentials_token;
}

/** Client and bank of a row among those of several banks; of one client's rows the bank. */
function Origin({ of, row, tab }: { readonly of: DataOf; readonly row: WhoseRow; readonly tab: string }) {
  if (!isOfMany(of)) return null;
  const { bank = "" } = row;
  return (
    <span className="over">
      <Link to={`/connections/${connectionOf(of, row)}`} search={{ tab }}>
        {of === "all" ? nameWithClient(row, bank) : bank}
      </Link>
    </span>
  );
}
