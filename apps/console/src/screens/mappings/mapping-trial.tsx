import type { AnswerOf } from "../../api/paths.js";
import { useWords } from "../../language/language.js";
import { Badge } from "../../parts/badge.js";
import { DataTable } from "../../parts/data-table.js";
import { mappingWords } from "./words.js";

type Trial = AnswerOf<"/operator/v1/datafeed-mappings/test">;

/** The result of reading a file, with the place of every fault. */
export function MappingTrial({ result }: { readonly result: Trial }) {
  const words = useWords(mappingWords);
  const { rows, counts, faults, faults_total, left_out, warnings, portfolios } = result;
  const verdict =
    faults_total > left_out ? words.refused(faults_total) : left_out > 0 ? words.leavesOut(left_out) : words.fits;
  const counted = Object.entries(counts).flatMap(([is, count]) => (count > 0 ? `${count} ${kindIn(words, is)}` : []));
  return (
    <section aria-label={words.result}>
      <h2>{words.result}</h2>
      <p role="status">
        <Badge tone={faults_total > left_out ? "bad" : left_out > 0 ? "warn" : "good"}>{verdict}</Badge>{" "}
        {counted.join(", ")}
      </p>
      {faults.length > 0 && <Places label={words.faults} places={faults.map((fault) => [fault.place, fault.reason])} />}
      {warnings.length > 0 && (
        <Places label={words.warnings} places={warnings.map((warning) => [warning.place, warning.message])} />
      )}
      {portfolios.length > 0 && (
        <ul aria-label={words.accounts}>
          {portfolios.map(({ number, name, currency, balance }) => (
            <li key={`${number} ${name} ${currency}`}>
              {number ?? words.ownAccount}: {name}, {balance ?? "–"} {currency}
            </li>
          ))}
        </ul>
      )}
      {rows.length > 0 && (
        <DataTable
          caption={words.rows}
          rows={rows}
          keyOf={(row) => String(rows.indexOf(row))}
          columns={[
            { id: "line", header: words.line, cell: ({ line }) => line },
            { id: "is", header: words.is, cell: ({ is }) => kindIn(words, is) },
            {
              id: "values",
              header: words.values,
              cell: ({ values }) => (
                <dl className="pairs">
                  {Object.entries(values).flatMap(([name, value]) =>
                    value === null ? (
                      []
                    ) : (
                      <div key={name}>
                        <dt>{name}</dt> <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
                      </div>
                    ),
                  )}
                </dl>
              ),
            },
          ]}
        />
      )}
    </section>
  );
}

/** What a draft is certain of, and what the user must decide. */
export function MappingDraft({ draft }: { readonly draft: AnswerOf<"/operator/v1/datafeed-mappings/draft"> }) {
  const words = useWords(mappingWords);
  const { to_decide, guesses } = draft;
  return (
    <section aria-label={words.drafted}>
      <h2>{words.drafted}</h2>
      {to_decide.length === 0 ? (
        <p>{words.nothingToDecide}</p>
      ) : (
        <Places
          label={words.toDecide}
          places={to_decide.map(({ path, question, options }) => [
            path,
            options ? `${question} ${options.map((option) => JSON.stringify(option)).join(", ")}` : question,
          ])}
        />
      )}
      <details>
        <summary>{words.guesses(guesses.length)}</summary>
        <ul>
          {guesses.map(({ path, value, sure, why }) => (
            <li key={path}>
              <code>{path}</code> = <code>{JSON.stringify(value)}</code>: {words.sure[sure]}, {why}
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

function Places({
  label,
  places,
}: {
  readonly label: string;
  readonly places: readonly (readonly [place: string, said: string])[];
}) {
  return (
    <div className="notice">
      <p>{label}</p>
      <ul>
        {places.map(([place, said]) => (
          <li key={`${place} ${said}`}>
            <code>{place}</code> {said}
          </li>
        ))}
      </ul>
    </div>
  );
}

function kindIn({ kinds }: { readonly kinds: Readonly<Record<string, string>> }, is: string): string {
  return kinds[is] ?? is;
}
