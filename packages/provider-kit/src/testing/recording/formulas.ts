import { addDecimals, compareDecimals, multiplyDecimals, negateDecimal } from "../../decimal.js";
import { isDecimalString } from "../../values.js";
import { amountNames } from "./expected-rows.js";
import { type ExpectedRow, NUMBER, type RecordedAnswer } from "./recording.js";
import { mapXml } from "./xml-values.js";

/** Constants that providers multiply with: units of a contract, and parts of a currency. */
const constants = ["0.01", "100"];
const signs = [
  ["1", "1"],
  ["1", "-1"],
  ["-1", "1"],
  ["-1", "-1"],
] as const;
/** More figures than a row has. */
const MAX_FIGURES = 60;

/** A row with a formula for each amount that no answer has and that is a product, or the sum of two figures, of one row there. */
export function withFormulas(
  row: ExpectedRow,
  answers: readonly RecordedAnswer[],
  unexplained: ReadonlySet<string>,
): ExpectedRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const isOpen = amountNames.has(name) && typeof value === "string" && unexplained.has(value.replace(/^-/, ""));
      return [name, isOpen ? (formulaOf(value, answers) ?? value) : value];
    }),
  );
}

function formulaOf(amount: string, answers: readonly RecordedAnswer[]): string | null {
  for (const figures of answers.flatMap(rowsOfFigures))
    for (const [at, one] of figures.entries())
      for (const factors of [
        ...constants.map((constant) => [one, constant]),
        ...figures.slice(at).flatMap((other) => [[one, other], ...constants.map((constant) => [one, other, constant])]),
      ]) {
        const product = factors.reduce(multiplyDecimals);
        if (compareDecimals(product, amount) === 0) return `= ${factors.join(" * ")}`;
        if (compareDecimals(product, negateDecimal(amount)) === 0) return `= -1 * ${factors.join(" * ")}`;
      }
  for (const figures of answers.flatMap(rowsOfFigures))
    for (const [at, one] of figures.entries())
      for (const other of figures.slice(at + 1))
        for (const [first, second] of signs)
          if (compareDecimals(addDecimals(multiplyDecimals(first, one), multiplyDecimals(second, other)), amount) === 0)
            return `= ${first} * ${one} + ${second} * ${other}`;
  return null;
}

/** The figures of each object of JSON, and of each element of XML. */
function rowsOfFigures({ json, text }: RecordedAnswer): readonly (readonly string[])[] {
  const rows: string[][] = [];
  const visit = (value: unknown) => {
    if (typeof value !== "object" || value === null) return;
    const own: string[] = [];
    for (const each of Object.values(value))
      if (typeof each === "string") own.push(each.replace(NUMBER, ""));
      else visit(each);
    rows.push(own);
  };
  visit(json);
  if (text?.startsWith("<"))
    for (const [element] of text.matchAll(/<[^<>]+>/g)) {
      const own: string[] = [];
      mapXml(element, (value) => {
        own.push(value);
        return value;
      });
      rows.push(own);
    }
  return rows.map((row) => row.filter((figure) => isDecimalString(figure)).slice(0, MAX_FIGURES));
}
