import { allocation, type DrawnPart } from "../src/allocation.js";
import type { Answer, Row } from "../src/answer.js";
import type { Messages } from "../src/messages/messages.js";
import { Amount } from "./amount.js";

/** For each currency, the total over all rows as computed by the server, and its split by type and by bank. */
export function AllocationSection(props: {
  answer: Answer;
  isWhole: boolean;
  messages: Messages;
  bankOf: (row: Row) => string | null;
}) {
  const { answer, isWhole, messages, bankOf } = props;
  const { rows, total, totals } = answer;
  const typeOf = ({ type }: Row) => (type === null ? null : (messages.kinds[type] ?? type));
  if (totals.length === 0) return null;
  return (
    <section aria-labelledby="allocation">
      <h2 id="allocation">{messages.allocation}</h2>
      {totals.length > 1 && <p className="quiet">{messages.notAdded}</p>}
      {!isWhole && rows.length < total && <p className="quiet">{messages.ofLoaded(rows.length, total)}</p>}
      <div className="currencies">
        {totals.map(({ currency, balance }) => (
          <div key={currency} className="currency">
            <h3>
              {currency} <Amount value={balance} />
            </h3>
            <Split title={messages.byType} parts={partsOf(rows, currency, typeOf, messages)} />
            <Split title={messages.byBank} parts={partsOf(rows, currency, bankOf, messages)} />
          </div>
        ))}
      </div>
    </section>
  );
}

function Split({ title, parts }: { title: string; parts: readonly DrawnPart[] }) {
  if (parts.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul className="parts">
        {parts.map(({ label, amount, share }) => (
          <li key={label}>
            <span>{label}</span> <Amount value={amount} />
            <span className="bar" aria-hidden="true">
              <span className={amount.startsWith("-") ? "below" : undefined} style={{ width: `${share * 100}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Empty if no row's label is known, for example because the assistant did not ask for it. */
function partsOf(
  rows: readonly Row[],
  currency: string,
  labelOf: (row: Row) => string | null,
  { unknown }: Messages,
): readonly DrawnPart[] {
  const counted = rows.filter((row) => row.currency === currency && row.balance !== null);
  if (counted.every((row) => labelOf(row) === null)) return [];
  return allocation(counted.map((row) => ({ label: labelOf(row) ?? unknown, amount: row.balance ?? "0" })));
}
