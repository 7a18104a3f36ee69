import type { AnswerOf } from "../../api/paths.js";
import { labelled, useWords } from "../../language/language.js";
import { Amount } from "../../parts/amount.js";
import { dataWords } from "./data-words.js";

type Total = AnswerOf<"/data/v1/list-investments">["totals"][number];

/** A sum, of how many rows unless they are shown elsewhere, and what is not part of it. */
export function TotalOf({ total, rows }: { readonly total: Total; readonly rows?: number }) {
  const words = useWords(dataWords);
  const { balance, currency, rows_without_balance: without, rows_notional: notional } = total;
  const notes = [
    ...(rows === undefined ? [] : [words.rows(rows)]),
    ...(without === undefined ? [] : [`${without} ${words.withoutBalance}`]),
    ...(notional === undefined ? [] : [`${notional} ${words.notional}`]),
  ];
  // Such as movements of securities without cash: there is nothing to add, rather than a sum that nobody knows.
  if (balance === null) return <div className="quiet">{labelled(currency, notes.join(", "))}</div>;
  return (
    <div>
      <Amount value={balance} currency={currency} />{" "}
      {notes.length > 0 && <span className="quiet">· {notes.join(", ")}</span>}
    </div>
  );
}
