import { UNKNOWN_CURRENCY } from "@org/feed-mapping/columns";
import { useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { dataWords } from "../connections/data-words.js";
import type { Trial } from "./use-trial.js";
import { mappingWords } from "./words.js";

/** What one line of the file becomes, or why it cannot be read. */
export function RowResult({
  line,
  trial,
  onShow,
}: {
  readonly line: number;
  readonly trial: Trial | null;
  readonly onShow: (column: string | null) => void;
}) {
  const words = useWords(mappingWords);
  const terms = useWords(dataWords);
  const kinds: Readonly<Record<string, string>> = terms.kinds;
  const named: Readonly<Record<string, string>> = words.kinds;
  if (trial === null) return <span className="quiet">{words.notTried}</span>;
  const faults = trial.faults.filter((fault) => fault.line === line);
  const [fault] = faults;
  if (fault)
    return (
      <span className="row-fault">
        {fault.column !== null && (
          <Button look="plain" onClick={() => onShow(fault.column)}>
            {fault.column}
          </Button>
        )}{" "}
        {fault.reason}
      </span>
    );
  const results = trial.rows.filter((row) => row.line === line);
  if (results.length === 0) return <span className="quiet">{words.notRead}</span>;
  return (
    <>
      {results.map(({ is, values }) => (
        <span key={JSON.stringify(values)}>
          <strong>{kinds[String(values.kind)] ?? named[is] ?? is}</strong>{" "}
          <span className="figures">{said(values, terms)}</span>
        </span>
      ))}
    </>
  );
}

/** The facts of a holding or movement in one line, as read: units, security, price, money, cost, day. */
function said(values: Readonly<Record<string, unknown>>, terms: { readonly price: string; readonly cost: string }) {
  const text = (name: string) => (typeof values[name] === "string" ? (values[name] as string) : null);
  const security = text("name") ?? text("isin");
  const units = text("amount");
  const what = units !== null && security !== null ? `${units} × ${security}` : (units ?? security);
  const balance = text("balance");
  const currency = text("currency");
  const known = currency === UNKNOWN_CURRENCY ? "?" : (currency ?? "");
  const money = balance === null ? null : `${balance} ${known}`.trim();
  const named = (label: string, value: string | null) => (value === null ? null : `${label} ${value}`);
  const day = text("operation_date") ?? text("valuation_date");
  return [what, named(terms.price, text("price")), text("description"), money, named(terms.cost, text("cost")), day]
    .filter((part) => part !== null)
    .join(" · ");
}
