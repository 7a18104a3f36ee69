/**
 * An exact decimal. The gaps between thousands are drawn by style and are not part of the text: copying it, or having it read out, gives the
 * original number.
 */
export function Amount({ value, currency }: { value: string; currency?: string | null }) {
  const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)(.*)$/s.exec(value) ?? [];
  const starts = whole === "" ? [] : [0];
  for (let at = whole.length % 3 || 3; at < whole.length; at += 3) starts.push(at);
  return (
    <span className="amount">
      {sign}
      {starts.map((start, index) => (
        <span key={start} className={index > 0 ? "apart" : undefined}>
          {whole.slice(start, starts[index + 1])}
        </span>
      ))}
      {fraction}
      {currency ? ` ${currency}` : ""}
    </span>
  );
}
