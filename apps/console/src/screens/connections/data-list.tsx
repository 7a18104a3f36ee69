import { messagesIn } from "@org/portfolio-view/messages";
import type { ReactNode } from "react";
import { useAnswer } from "../../api/answers.js";
import type { AnswerOf, BodyOf } from "../../api/paths.js";
import { usePerson } from "../../api/session.js";
import { useLanguage, useWords } from "../../language/language.js";
import type { CsvColumn } from "../../listing/csv.js";
import { ExportButton } from "../../listing/export-button.js";
import { type Filter, FilterBar, useFilters, useSort } from "../../listing/filter-bar.js";
import { List, type ListOf } from "../../listing/list.js";
import { useAddress } from "../../parts/address.js";
import { Amount } from "../../parts/amount.js";
import { Button } from "../../parts/button.js";
import { DataTable } from "../../parts/data-table.js";
import { Facts } from "../../parts/facts.js";
import { SelectField } from "../../parts/fields.js";
import { Link } from "../../parts/link.js";
import { dayFormat } from "../../parts/moment.js";
import { type Connection, NextRefresh } from "./connection-parts.js";
import { dataWords } from "./data-words.js";
import { connectionWords } from "./words.js";

type DataPath = "/data/v1/list-portfolios" | "/data/v1/list-investments" | "/data/v1/list-transactions";
type Answer = AnswerOf<DataPath>;
type Total = Answer["totals"][number];
type Group = "type" | "subtype" | "kind" | "portfolio";

/** Whose data are shown. */
export interface DataOf {
  readonly connection: Connection;
  /** Opens the dialog with a link for the customer to log in again. */
  readonly onRepair: () => void;
}

/** The names of portfolios' and holdings' types and subtypes, by code. */
export function useTypeNames(): Readonly<Record<string, string>> {
  return messagesIn[useLanguage()].kinds;
}

/** A filter by what the connection's data have. @param options values and their names, repeated or not */
export function choiceOf(
  name: string,
  label: string,
  options: readonly (readonly [value: string | null | undefined, name: string | null | undefined])[],
): Filter {
  const names = new Map(options.flatMap(([value, text]) => (value ? [[value, text || value] as const] : [])));
  const listed = [...names].map(([value, text]) => ({ value, label: text }));
  return { kind: "choice", name, label, options: listed.sort((a, b) => a.label.localeCompare(b.label)) };
}

/** The rows of one kind with their filters and order, their totals, the date and state of the data, and a download of what is shown. */
export function DataList<P extends DataPath>({
  path,
  of: { connection, onRepair },
  columns,
  caption,
  name,
  usualSort = "",
  groups,
  offeredBy,
  filtersOf,
  bodyOf,
  empty,
}: Pick<ListOf<P>, "path" | "columns" | "caption"> & {
  readonly of: DataOf;
  /** The file's name without its extension. */
  readonly name: string;
  /** The order without `sort`, by the name that a column has for it. */
  readonly usualSort?: string;
  /** What the totals can be divided by. */
  readonly groups: readonly Group[];
  /** What `filtersOf` gets the totals of all rows by. */
  readonly offeredBy: Group | readonly Group[];
  readonly filtersOf: (totals: readonly Total[]) => readonly Filter[];
  readonly bodyOf: (values: Readonly<Record<string, string>>) => object;
  /** The heading if there are no rows at all. */
  readonly empty: string;
}) {
  const words = useWords(dataWords);
  const { search, setSearch } = useAddress();
  const own = { credentials_token: connection.connection_id };
  const ask = (more: object) => ({ ...own, ...more, totals_only: true }) as BodyOf<DataPath>;
  const { data: all } = useAnswer(path as DataPath, ask({ totals_by: offeredBy }));
  const filters = filtersOf(all?.totals ?? []);
  const { values, clear } = useFilters(filters);
  const sort = useSort(columns, usualSort);
  const body = { ...own, ...bodyOf(values), ...(sort.value !== usualSort && { sort: sort.value }) } as BodyOf<P>;
  const { data } = useAnswer(path as DataPath, ask(bodyOf(values)), { keepsPrevious: true });
  const by = groups.find((group) => group === search.by);
  const divided = { ...bodyOf(values), totals_by: by };
  const grouped = useAnswer(path as DataPath, ask(divided), { enabled: by !== undefined, keepsPrevious: true });
  const isEmpty = all?.totals.length === 0;
  const source = data?.sources[0]?.state ?? "ok";
  return (
    <>
      {source !== "ok" && <SourceNotice {...{ source, connection, onRepair }} />}
      {!isEmpty && (
        <>
          <FilterBar filters={filters.filter(isWorthShowing)} />
          <div className="totals">
            <Facts facts={data ? [...totalFacts(data.totals), asOfFact(data)] : []} />
            <div className="actions">
              <SelectField
                label={words.totalsBy}
                value={by ?? ""}
                options={[
                  { value: "", label: words.currency },
                  ...groups.map((group) => ({ value: group, label: nameOf(group) })),
                ]}
                onChange={(group) => setSearch({ by: group })}
              />
              <ExportButton path={path} body={body} name={name} columns={exported[path]} />
            </div>
          </div>
          {/* Meanwhile there may be the totals by another group. */}
          {by && grouped.data?.totals[0]?.[by] !== undefined && (
            <GroupTotals by={by} heading={nameOf(by)} totals={grouped.data.totals} />
          )}
          <p className="hint" role="status">
            {sort.value.endsWith("balance") && (data?.totals.length ?? 0) > 1 && words.grouped}
          </p>
        </>
      )}
      <List
        {...{ path, columns, caption, clear, sort }}
        body={{ ...body, page_size: 100 }}
        keyOf={(row) => (row as { id?: string }).id ?? ""}
        empty={{ title: empty, text: source === "ok" && words.noneText }}
      />
    </>
  );

  /** A choice between fewer than two is none, unless the address has made it. */
  function isWorthShowing(filter: Filter): boolean {
    return filter.kind !== "choice" || filter.options.length > 1 || values[filter.name] !== undefined;
  }

  function nameOf(group: Group): string {
    return group === "kind" ? words.type : words[group];
  }

  function totalFacts(totals: readonly Total[]): readonly (readonly [string, ReactNode])[] {
    if (totals.length === 0) return [];
    return [[words.total, totals.map((total) => <TotalOf key={total.currency} total={total} rows={total.rows} />)]];
  }

  function asOfFact({ as_of: { oldest, newest } }: Answer): readonly [string, ReactNode] {
    return [words.asOf, oldest && newest && <Period from={oldest} until={newest} />];
  }
}

/** A sum, of how many rows unless they are shown elsewhere, and what is not part of it. */
function TotalOf({ total, rows }: { readonly total: Total; readonly rows?: number }) {
  const words = useWords(dataWords);
  const { balance, currency, rows_without_balance: without, rows_notional: notional } = total;
  const notes = [
    ...(rows === undefined ? [] : [words.rows(rows)]),
    ...(without === undefined ? [] : [`${without} ${words.withoutBalance}`]),
    ...(notional === undefined ? [] : [`${notional} ${words.notional}`]),
  ];
  return (
    <div>
      {balance === null ? currency : <Amount value={balance} currency={currency} />}{" "}
      {notes.length > 0 && <span className="quiet">· {notes.join(", ")}</span>}
    </div>
  );
}

function Period({ from, until }: { readonly from: string; readonly until: string }) {
  return <>{dayFormat(from, useLanguage(), "long").formatRange(new Date(from), new Date(until))}</>;
}

function GroupTotals({
  by,
  heading,
  totals,
}: {
  readonly by: Group;
  readonly heading: string;
  readonly totals: readonly Total[];
}) {
  const words = useWords(dataWords);
  const types = useTypeNames();
  return (
    <DataTable
      caption={`${words.totalsBy}: ${heading}`}
      rows={totals}
      keyOf={(total) => JSON.stringify([total.currency, total[by]])}
      columns={[
        { id: "group", header: heading, cell: groupOf },
        { id: "rows", header: words.number, cell: ({ rows }) => rows, isNumeric: true },
        { id: "total", header: words.total, cell: (total) => <TotalOf total={total} />, isNumeric: true },
      ]}
    />
  );

  function groupOf({ portfolio, kind, ...codes }: Total): string {
    if (by === "portfolio") return portfolio?.name ?? portfolio?.id ?? words.unknown;
    if (by === "kind") return kind ? ((words.kinds as Readonly<Record<string, string>>)[kind] ?? kind) : words.unknown;
    const code = codes[by];
    return code ? (types[code] ?? code) : words.unknown;
  }
}

/** Why the data are not up to date, and what happens or has to be done next. */
function SourceNotice({
  source,
  connection: { state, letter_id, refresh },
  onRepair,
}: DataOf & { readonly source: "pending" | "stale" | "error" }) {
  const words = useWords(dataWords);
  const connecting = useWords(connectionWords);
  const { may } = usePerson();
  return (
    <div className="notice">
      {words.dataStates[source]} {next()}
    </div>
  );

  function next(): ReactNode {
    if (letter_id !== null)
      return (
        <>
          {state === "blocked" ? words.blocked : source !== "pending" && words.nextFile}{" "}
          <Link to={`/letters/${letter_id}`}>{words.openLetter}</Link>
        </>
      );
    if (state === "needs_relogin" || state === "blocked")
      return (
        <>
          {words.relogin} {may("work") && <Button onClick={onRepair}>{connecting.repair}</Button>}
        </>
      );
    return (
      <>
        {connecting.nextRefresh}: <NextRefresh refresh={refresh} />
      </>
    );
  }
}

type Texts = Readonly<Record<string, string | null | undefined>>;
const of = (...names: readonly string[]): readonly CsvColumn<Texts>[] =>
  names.map((header) => ({ header, text: (row) => row[header] }));

/** The columns of a file, with the API's names. */
const exported: Readonly<Record<DataPath, readonly CsvColumn<Texts>[]>> = {
  "/data/v1/list-portfolios": of("id", "name", "type", "refAccount", "balance", "currency"),
  "/data/v1/list-investments": of(
    ...["id", "name", "isin", "type", "subtype", "amount", "balance", "currency", "price", "valuation_date"],
  ),
  "/data/v1/list-transactions": of(
    ...["id", "operationDate", "description", "kind", "amount", "unitPrice", "balance", "currency"],
  ),
};
