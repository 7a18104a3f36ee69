import "../../listing/listing.css";
import type { ConnectorFilter, ConnectorFilterRule } from "@org/connector-filter";
import { alpha3Of, countryName } from "@org/connector-filter/countries";
import { connectorFilterWarnings } from "@org/connector-filter/warnings";
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import { labelled, useLanguage, useWords } from "../../language/language.js";
import { useAddress } from "../../parts/address.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import { DataTable } from "../../parts/data-table.js";
import { Empty } from "../../parts/empty.js";
import { SelectField, TextField } from "../../parts/fields.js";
import { Problem } from "../../parts/problem.js";
import { Screen } from "../../parts/screen.js";
import { catalogueWords } from "../catalogue/words.js";
import { evaluate, type PastedFilter, readFilter, type Verdict } from "./evaluate.js";
import { type CatalogueConnector, useCatalogue } from "./use-catalogue.js";
import { workbenchWords } from "./words.js";

const EXAMPLE = {
  rules: [
    { action: "exclude", field: "connector_id", value: "*" },
    { action: "include", field: "countries", value: ["Spain", "FR"] },
    { action: "exclude", field: "type", value: "psd2" },
  ],
};

/** Which connectors of the result are shown. */
const shown = ["left", "out", "every"] as const;

/** Applies a pasted connector filter to the real catalogue. The library that the server uses runs in the browser. */
export default function FilterWorkbenchScreen() {
  const words = useWords(workbenchWords);
  const { connectors, known, error, refetch } = useCatalogue();
  const [text, setText] = useState("");
  const read = useMemo(() => readFilter(text), [text]);
  const filter = useLastFilter(read);
  const verdicts = useVerdicts(connectors, filter);
  const warnings = useMemo(
    () => (connectors && filter ? connectorFilterWarnings(connectors, filter) : []),
    [connectors, filter],
  );

  return (
    <Screen title={words.title} lead={words.lead}>
      <TextField
        label={words.filter}
        hint={words.filterHint}
        fault={"notJson" in read ? labelled(words.notJson, read.notJson) : "issues" in read ? words.faults : null}
        rows={10}
        className="code"
        spellCheck={false}
        value={text}
        onChange={setText}
      />
      {text === "" && (
        <p>
          <Button onClick={() => setText(JSON.stringify(EXAMPLE, null, 2))}>{words.example}</Button>
        </p>
      )}
      {"issues" in read && (
        <ul className="notice">
          {read.issues.slice(0, 50).map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {warnings.length > 0 && (
        <section className="notice" aria-label={words.warnings}>
          <p>{words.warnings}</p>
          <ul>
            {warnings.slice(0, 50).map(({ path, message }) => (
              <li key={path}>
                <code>{path}</code> {message}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Problem problem={error} onRetry={() => void refetch()} />
      {connectors === null && !error && <p role="status">{words.loadingCatalogue(known)}</p>}
      {connectors?.length === 0 && <Empty title={words.emptyCatalogue}>{words.emptyCatalogueText}</Empty>}
      {connectors && connectors.length > 0 && verdicts === null && <p role="status">{words.working}</p>}
      {verdicts && verdicts.length > 0 && <Results verdicts={verdicts} filter={filter} />}
    </Screen>
  );
}

/** Keeps the last valid filter while the user types. */
function useLastFilter(read: PastedFilter): ConnectorFilter {
  const [last, setLast] = useState<ConnectorFilter>({ rules: [] });
  const current = "filter" in read ? read.filter : null;
  useEffect(() => {
    if (current !== null) setLast(current);
  }, [current]);
  return current ?? last;
}

function useVerdicts(connectors: readonly CatalogueConnector[] | null, filter: ConnectorFilter) {
  const [verdicts, setVerdicts] = useState<readonly Verdict<CatalogueConnector>[] | null>(null);
  useEffect(() => {
    if (connectors === null) return;
    const over = new AbortController();
    const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 0));
    const clock = () => performance.now();
    void evaluate(connectors, filter, { signal: over.signal, pause, clock }).then((found) => {
      if (found !== null) setVerdicts(found);
    });
    return () => over.abort();
  }, [connectors, filter]);
  return verdicts;
}

function Results({
  verdicts,
  filter: { rules },
}: {
  readonly verdicts: readonly Verdict<CatalogueConnector>[];
  readonly filter: ConnectorFilter;
}) {
  const words = useWords(workbenchWords);
  const names = useNames();
  const { search, setSearch } = useAddress();
  const show = shown.find((one) => one === search.show) ?? "left";
  const wanted = useDeferredValue((search.text ?? "").trim().toLowerCase());
  const only = search.rule ?? "";
  const left = useMemo(() => verdicts.filter(({ included }) => included).length, [verdicts]);
  const decided = useMemo(() => countsOf(verdicts), [verdicts]);
  const rows = useMemo(
    () =>
      verdicts.filter(
        ({ connector, included, rule }) =>
          (show === "every" || included === (show === "left")) &&
          (only === "" || String(rule) === only) &&
          (wanted === "" || wordsOfConnector(connector, names).includes(wanted)),
      ),
    [verdicts, show, only, wanted, names],
  );
  const ruleSaid = ({ rule, included }: Verdict<CatalogueConnector>) => {
    const deciding = rule === null ? undefined : rules[rule];
    if (rule === null || !deciding) return included ? words.noRule : words.unavailable;
    return labelled(words.rule(rule + 1), `${words[deciding.action]} · ${names.field(deciding.field)}`);
  };

  return (
    <>
      {rules.length > 0 && (
        <ol className="rules" aria-label={words.rules}>
          {rules.map(({ action, field, value }, index) => (
            <li key={index}>
              <Button
                look="plain"
                aria-pressed={only === String(index)}
                title={words.onlyRule}
                onClick={() => setSearch({ rule: only === String(index) ? "" : String(index), show: "every" })}
              >
                {labelled(
                  `${words[action]} · ${names.field(field)}`,
                  `${names.values(field, [value].flat().slice(0, 5))}${[value].flat().length > 5 ? " …" : ""}`,
                )}
              </Button>{" "}
              <Badge>{decided.get(index) ?? 0}</Badge>
            </li>
          ))}
        </ol>
      )}
      <search className="filters">
        <SelectField
          label={words.show}
          value={show}
          options={[
            { value: "left", label: words.left(left) },
            { value: "out", label: words.out(verdicts.length - left) },
            { value: "every", label: words.every(verdicts.length) },
          ]}
          onChange={(value) => setSearch({ show: value === "left" ? "" : value, rule: "" })}
        />
        <TextField
          label={words.search}
          type="search"
          value={search.text ?? ""}
          onChange={(value) => setSearch({ text: value })}
        />
      </search>
      {rows.length === 0 ? (
        <Empty title={words.emptyTitle} />
      ) : (
        <DataTable
          caption={words.caption}
          rows={rows}
          keyOf={({ connector }) => connector.id}
          columns={[
            { id: "name", header: words.connector, cell: ({ connector }) => connector.name },
            {
              id: "result",
              header: words.result,
              cell: ({ included }) => (
                <Badge tone={included ? "good" : "neutral"}>{included ? words.offered : words.hidden}</Badge>
              ),
            },
            { id: "decided", header: words.decided, cell: ruleSaid },
            { id: "id", header: words.id, cell: ({ connector }) => <code>{connector.id}</code>, isWideOnly: true },
            { id: "type", header: words.type, cell: ({ connector }) => names.type(connector.type), isWideOnly: true },
            {
              id: "countries",
              header: words.countries,
              cell: ({ connector }) => names.values("countries", connector.countries),
              isWideOnly: true,
            },
          ]}
        />
      )}
    </>
  );
}

type Names = ReturnType<typeof useNames>;

/** What filters have codes for, in words; what has none stays as it is. */
function useNames() {
  const words = useWords(workbenchWords);
  const kinds: Readonly<Record<string, string>> = useWords(catalogueWords).kinds;
  const language = useLanguage();
  return useMemo(() => {
    const fields = { connector_id: words.id, countries: words.countries, type: words.type };
    const type = (value: string) => kinds[value] ?? value;
    const country = (value: string) => {
      const code = alpha3Of(value);
      return code === null ? value : countryName(code, language);
    };
    const value = { connector_id: (id: string) => id, countries: country, type };
    return {
      type,
      field: (field: ConnectorFilterRule["field"]) => fields[field],
      values: (field: ConnectorFilterRule["field"], values: readonly string[]) => values.map(value[field]).join(", "),
    };
  }, [words, kinds, language]);
}

/** Both the codes and the words are found. */
function wordsOfConnector({ id, name, type, countries }: CatalogueConnector, names: Names): string {
  return [id, name, type, names.type(type), ...countries, names.values("countries", countries)].join(" ").toLowerCase();
}

/** How many connectors each rule decided on. */
function countsOf(verdicts: readonly Verdict<CatalogueConnector>[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { rule } of verdicts) if (rule !== null) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return counts;
}
