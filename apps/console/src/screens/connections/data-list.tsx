import "./data.css";
import type { ReactNode } from "react";
import { useAnswer } from "../../api/answers.js";
import type { AnswerOf, BodyOf } from "../../api/paths.js";
import { useLanguage, useWords } from "../../language/language.js";
import type { CsvColumn } from "../../listing/csv.js";
import { ExportButton } from "../../listing/export-button.js";
import { type Filter, FilterBar, useFilters, useSort } from "../../listing/filter-bar.js";
import { List, type ListOf } from "../../listing/list.js";
import { Nothing } from "../../listing/nothing.js";
import { useAddress } from "../../parts/address.js";
import { Empty } from "../../parts/empty.js";
import { Facts } from "../../parts/facts.js";
import { SelectField } from "../../parts/fields.js";
import { Loading } from "../../parts/loading.js";
import { dayFormat } from "../../parts/moment.js";
import { Problem } from "../../parts/problem.js";
import { Allocation, type Group } from "./allocation.js";
import { dataWords } from "./data-words.js";
import { gainOf } from "./gain.js";
import { type DataOf, isOfMany, type Scope, scopeOf, useFilteredScope } from "./scope.js";
import { SourceNotice, SourcesNotice } from "./source-notices.js";
import { TotalOf } from "./totals.js";
import { Why } from "./why.js";

type DataPath = "/data/v1/list-portfolios" | "/data/v1/list-investments" | "/data/v1/list-transactions";
type Answer = AnswerOf<DataPath>;
const TRANSACTIONS = "/data/v1/list-transactions" satisfies DataPath;
type Total = Answer["totals"][number];

/** A filter by what the data have. @param options values and their names, repeated or not */
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
  of,
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
  const isMany = isOfMany(of);
  const ask = (within: Scope | null, more: object) => ({ ...within, ...more, totals_only: true }) as BodyOf<DataPath>;
  const offered = useAnswer(path as DataPath, ask(scopeOf(of), { totals_by: offeredBy }));
  const all = offered.data;
  const [first, ...others] = filtersOf(all?.totals ?? []);
  const filters: readonly Filter[] = [
    ...(first ? [first] : []),
    ...(of === "all" ? [{ kind: "client", name: "client", label: words.client } as const, banksIn(all)] : []),
    ...others,
  ];
  const { values, clear } = useFilters(filters);
  const filtered = useFilteredScope(of, values);
  const { scope } = filtered;
  const sort = useSort(columns, usualSort);
  const body = { ...scope, ...bodyOf(values), ...(sort.value !== usualSort && { sort: sort.value }) } as BodyOf<P>;
  const asked = {
    ...body,
    fields: [
      ...(isMany ? origin : []),
      ...fields[path],
      ...(path === TRANSACTIONS ? (["former_versions"] as const) : []),
    ],
    ...(isMany && { include_source_token: true }),
  };
  const isKnown = scope !== null;
  const { data, error, refetch } = useAnswer(path as DataPath, ask(scope, bodyOf(values)), {
    ...{ enabled: isKnown, keepsPrevious: true },
  });
  const offeredGroups: readonly Group[] = isMany
    ? [...groups, "bank", ...(of === "all" ? (["client_ref"] as const) : [])]
    : groups;
  const by = offeredGroups.find((group) => group === (search.by ?? (isMany ? groups[0] : "")));
  const grouped = useAnswer(path as DataPath, ask(scope, { ...bodyOf(values), totals_by: by }), {
    ...{ enabled: isKnown && by !== undefined, keepsPrevious: true },
  });
  const clients = useAnswer("/clients/v1/list", { page_size: 500 }, { enabled: by === "client_ref" }).data?.items ?? [];
  const isEmpty = all?.totals.length === 0;
  const one = of !== "all" && "connection" in of ? of : null;
  const source = (one && data?.sources[0]?.state) ?? "ok";
  const nothing = { title: empty, text: one ? source === "ok" && words.noneText : words.noneTextOfMany };
  const failed = error ?? offered.error ?? (by && grouped.error);
  return (
    <>
      {one && source !== "ok" && <SourceNotice source={source} {...one} />}
      {!isEmpty && <FilterBar filters={filters.filter(isWorthShowing)} />}
      {unread()}
      {!isEmpty && isKnown && (
        <>
          <div className="totals">
            <div>
              <Facts facts={data ? [...totalFacts(data.totals), asOfFact(data)] : []} />
              {isMany && data && <SourcesNotice answer={data} />}
            </div>
            <div className="actions">
              <SelectField
                label={words.totalsBy}
                value={by ?? "currency"}
                options={[
                  { value: "currency", label: words.currency },
                  ...offeredGroups.map((group) => ({ value: group, label: nameOf(group) })),
                ]}
                onChange={(group) => setSearch({ by: group })}
              />
              <ExportButton
                path={path}
                body={asked}
                name={name}
                columns={[...exported[path], ...(isMany ? textsOf(origin) : [])]}
              />
            </div>
          </div>
          {/* Meanwhile there may be the totals by another group. */}
          {by && data && grouped.data?.totals[0]?.[by] !== undefined && (
            <Allocation
              by={by}
              heading={nameOf(by)}
              parts={grouped.data.totals}
              totals={data.totals}
              hasShares={path !== TRANSACTIONS}
              clientName={(ref) => clients.find(({ client_ref }) => client_ref === ref)?.name || ref}
            />
          )}
          <Problem problem={failed} title={words.noTotals} onRetry={retry} />
          <p className="hint" role="status">
            {sort.value.endsWith("balance") && (data?.totals.length ?? 0) > 1 && words.grouped}
          </p>
        </>
      )}
      {isKnown && (
        <List
          {...{ path, columns, caption, clear, sort }}
          body={{ ...asked, page_size: 100 }}
          keyOf={(row) => (row as { id?: string }).id ?? ""}
          empty={nothing}
        />
      )}
      <Why />
    </>
  );

  /** What there is in place of the rows while nothing is read. */
  function unread(): ReactNode {
    if (filtered.isEmpty) return <Nothing empty={nothing} clear={clear} />;
    if (filtered.isTooLarge) return <Empty title={words.tooMany}>{words.tooManyText}</Empty>;
    if (filtered.problem) return <Problem problem={filtered.problem} onRetry={filtered.retry} />;
    return !isKnown && <Loading lines={6} />;
  }

  function banksIn(answer: Answer | undefined): Filter {
    return choiceOf("bank", words.bank, answer?.totals.map(({ bank }) => [bank, bank]) ?? []);
  }

  /** A choice between fewer than two is none, unless the address has made it. */
  function isWorthShowing(filter: Filter): boolean {
    return filter.kind !== "choice" || filter.options.length > 1 || values[filter.name] !== undefined;
  }

  function retry(): void {
    for (const one of [offered, grouped]) if (one.error) void one.refetch();
    if (error) void refetch();
  }

  function nameOf(group: Group): string {
    return words[group === "kind" ? "type" : group === "client_ref" ? "client" : group];
  }

  function totalFacts(totals: readonly Total[]): readonly (readonly [string, ReactNode])[] {
    if (totals.length === 0) return [];
    return [[words.total, totals.map((total) => <TotalOf key={total.currency} total={total} rows={total.rows} />)]];
  }

  function asOfFact({ as_of: { oldest, newest } }: Answer): readonly [string, ReactNode] {
    return [words.asOf, oldest && newest && <Period from={oldest} until={newest} />];
  }
}

function Period({ from, until }: { readonly from: string; readonly until: string }) {
  return <>{dayFormat(from, useLanguage(), "long").formatRange(new Date(from), new Date(until))}</>;
}

/** Fields of rows: of several banks whose they are, and all that is shown. */
const origin = ["bank", "client_ref", "client_name"] as const;
const fields = {
  "/data/v1/list-portfolios": ["id", "name", "type", "refAccount", "balance", "currency"],
  "/data/v1/list-investments": [
    ...[
      "id",
      "name",
      "isin",
      "type",
      "subtype",
      "amount",
      "balance",
      "currency",
      "price",
      "price_unit",
      "price_currency",
    ],
    ...["cost", "valuation_date"],
  ],
  "/data/v1/list-transactions": [
    ...[
      "id",
      "operationDate",
      "settlement_date",
      "description",
      "kind",
      "amount",
      "unitPrice",
      "fees",
      "taxes",
      "balance",
    ],
    "currency",
  ],
} as const satisfies Readonly<Record<DataPath, readonly string[]>>;

type Texts = Readonly<Record<string, string | null | undefined>>;
const textsOf = (names: readonly string[]): readonly CsvColumn<Texts>[] =>
  names.map((header) => ({ header, text: (row) => row[header] }));
const gain: CsvColumn<Texts> = { header: "gain", text: (row) => gainOf(row)?.gain };

/** The columns of a file, with the API's names. */
const exported: Readonly<Record<DataPath, readonly CsvColumn<Texts>[]>> = {
  "/data/v1/list-portfolios": textsOf(fields["/data/v1/list-portfolios"]),
  "/data/v1/list-investments": [...textsOf(fields["/data/v1/list-investments"]), gain],
  "/data/v1/list-transactions": textsOf(fields["/data/v1/list-transactions"]),
};
