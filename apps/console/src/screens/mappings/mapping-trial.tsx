import { labelled, useWords } from "../../language/language.js";
import { Badge } from "../../parts/badge.js";
import { Button } from "../../parts/button.js";
import type { Trial } from "./use-trial.js";
import { mappingWords } from "./words.js";

/** What the whole file would be read as: the verdict, each fault with a way to its cell, warnings and accounts. */
export function MappingTrial({
  result,
  onShow,
}: {
  readonly result: Trial;
  readonly onShow: (fault: Trial["faults"][number]) => void;
}) {
  const words = useWords(mappingWords);
  const { counts, faults, faults_total, left_out, warnings, portfolios } = result;
  const named: Readonly<Record<string, string>> = words.kinds;
  const verdict =
    faults_total > left_out ? words.refused(faults_total) : left_out > 0 ? words.leavesOut(left_out) : words.fits;
  const counted = Object.entries(counts).flatMap(([is, count]) => (count > 0 ? labelled(named[is] ?? is, count) : []));
  return (
    <section aria-label={words.result}>
      <h2>{words.result}</h2>
      <p role="status">
        <Badge tone={faults_total > left_out ? "bad" : left_out > 0 ? "warn" : "good"}>{verdict}</Badge>{" "}
        {counted.join(", ")}
      </p>
      {faults.length > 0 && (
        <div className="notice">
          <p>{words.faults}</p>
          <ul>
            {faults.slice(0, MAX_FAULTS).map((fault) => (
              <li key={`${fault.place} ${fault.reason}`}>
                {fault.line === null ? (
                  fault.place
                ) : (
                  <Button look="plain" onClick={() => onShow(fault)}>
                    {`${words.line} ${fault.line}${fault.column === null ? "" : `, ${fault.column}`}`}
                  </Button>
                )}{" "}
                {fault.reason}
              </li>
            ))}
          </ul>
          {faults_total > MAX_FAULTS && <p className="quiet">{words.moreFaults(faults_total - MAX_FAULTS)}</p>}
        </div>
      )}
      {warnings.length > 0 && (
        <details className="notice">
          <summary>
            {words.warnings} ({warnings.length})
          </summary>
          <ul>
            {warnings.map(({ place, message }) => (
              <li key={`${place} ${message}`}>{labelled(place, message)}</li>
            ))}
          </ul>
        </details>
      )}
      {portfolios.length > 0 && (
        <ul aria-label={words.accounts}>
          {portfolios.map(({ number, name, currency, balance }) => (
            <li key={`${number} ${name} ${currency}`}>
              {labelled(number ?? words.ownAccount, name === number ? "" : `${name}, `)}
              <span className="figures">
                {balance ?? "–"} {currency}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The most faults that are listed above the table, which marks them all. */
const MAX_FAULTS = 8;
