/** An exact decimal. The gaps between thousands are drawn and not written: what is copied, or read out, is the number as it came. */
export function Amount({ value, currency }: { value: string; currency?: string | null }) {
  const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)(.*)$/.exec(value) ?? [];
  const groups = whole.match(/\d{1,3}(?=(\d{3})*$)/g) ?? [];
  let place = 0;
  return (
    <span className="amount">
      {sign}
      {groups.map((group) => {
        place += group.length;
        return (
          <span key={place} className={place > group.length ? "apart" : undefined}>
            {group}
          </span>
        );
      })}
      {fraction}
      {currency ? ` ${currency}` : ""}
    </span>
  );
}
