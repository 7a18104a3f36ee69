/** The answer to a question from rows, where no tool says it. */
export function fromRows({ want, by, direction, take, pick = [], per = [] }, rows) {
  if (want === "count") return [[rows.length]];
  if (want === "sums") return sumsOf(rows, ["currency"]);
  if (want === "groups") return sumsOf(rows, ["currency", ...per]);
  if (want === "rows") return rows.map((row) => picked(row, pick));
  if (want !== "top") return "no plan";
  const sign = direction === "ascending" ? 1 : -1;
  const sorted = rows.toSorted((a, b) => sign * compare(a[by], b[by]));
  return sorted.slice(0, take).map((row) => picked(row, pick));
}

/** The fields of a row; `reasons.code` is the `code` of each reason. */
export function picked(row, fields) {
  return fields.map((field) => {
    const [name, inner] = field.split(".");
    const value = row[name];
    if (!inner) return value;
    return Array.isArray(value) ? value.map((one) => one[inner]) : value?.[inner];
  });
}

function sumsOf(rows, columns) {
  const groups = new Map();
  for (const row of rows) {
    const key = JSON.stringify(picked(row, columns));
    const sum = groups.get(key) ?? null;
    groups.set(key, row.balance === null ? sum : (sum ?? 0n) + centsOf(row.balance));
  }
  return [...groups].map(([key, sum]) => [...JSON.parse(key), sum === null ? null : decimalOf(sum)]);
}

function decimalOf(cents) {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, "0");
  return `${cents < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function centsOf(balance) {
  const [whole, part = ""] = balance.split(".");
  return BigInt(whole + part.slice(0, 2).padEnd(2, "0"));
}

function compare(a, b) {
  const isNumber = /^-?\d+(\.\d+)?$/;
  if (isNumber.test(a) && isNumber.test(b)) return Number(a) - Number(b);
  return a < b ? -1 : a > b ? 1 : 0;
}
