/** An exact decimal. Gaps between thousands are drawn by style only: copied or read out, the number is as the server sent it. */
export function Amount({
  value,
  currency = null,
}: {
  readonly value: string | null | undefined;
  readonly currency?: string | null;
}) {
  if (value === null || value === undefined) return null;
  const parts = /^(-?)(\d+)(\.\d+)?$/.exec(value);
  if (!parts) return <span className="amount">{value}</span>;
  const [, sign, whole = "", fraction] = parts;
  const first = whole.length % 3 || 3;
  const starts = [0];
  for (let at = first; at < whole.length; at += 3) starts.push(at);
  return (
    <span className={`amount ${sign ? "below" : ""}`}>
      {sign}
      {starts.map((start, index) => (
        <span key={start} className={index > 0 ? "apart" : undefined}>
          {whole.slice(start, starts[index + 1])}
        </span>
      ))}
      {fraction}
      {currency && ` ${currency}`}
    </span>
  );
}
