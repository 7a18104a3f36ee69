/**
 * Reads rows from a text table, since figures are easier to compare in columns: names in the first line, cells between bars, empty cells left out.
 * The caller states the type `Row`.
 */
export function table<Row>(text: string): readonly Row[] {
  const [names = [], ...rows] = text
    .trim()
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()));
  return rows.map((cells) => {
    const named = names.map((name, column): [string, string] => [name, cells[column] ?? ""]);
    return Object.fromEntries(named.filter(([, cell]) => cell !== "")) as Row;
  });
}
