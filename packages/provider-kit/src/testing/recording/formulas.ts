import { addDecimals, compareDecimals, multiplyDecimals, negateDecimal } from "../../decimal.js";
import { isDecimalString } from "../../values.js";
import { amountNames, computed, isFormula, termsOf } from "./expected-rows.js";
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

/**
 * A row with a formula for each amount that no answer has and that is a product, or the sum of two figures, of one row there, or the product of the
 * row's own amount with a figure of any answer, such as a price.
 */
export function withFormulas(
  row: ExpectedRow,
  answers: readonly RecordedAnswer[],
  unexplained: ReadonlySet<string>,
): ExpectedRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const isOpen = amountNames.has(name) && typeof value === "string" && unexplained.has(value.replace(/^-/, ""));
      return [name, isOpen ? (formulaOf(value, answers, row.amount) ?? value) : value];
    }),
  );
}

/** A portfolio whose balance, which no answer has, is the sum of its holdings, with the formula of that sum. */
export function withSum(
  portfolio: ExpectedRow,
  holdings: readonly ExpectedRow[],
  unexplained: ReadonlySet<string>,
): ExpectedRow {
  const { balance } = portfolio;
  if (typeof balance !== "string" || !unexplained.has(balance.replace(/^-/, ""))) return portfolio;
  const own = holdings.filter(({ portfolio_key }) => portfolio_key === portfolio.key);
  const terms = own.flatMap(({ balance }) =>
    typeof balance !== "string" ? [] : isFormula(balance) ? termsOf(balance) : [[balance]],
  );
  if (terms.length === 0) return portfolio;
  const formula = `= ${terms.map((factors) => factors.join(" * ")).join(" + ")}`;
  return compareDecimals(computed(formula), balance) === 0 ? { ...portfolio, balance: formula } : portfolio;
}

function formulaOf(amount: string, answers: readonly RecordedAnswer[], units: unknown): string | null {
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
  if (typeof units === "string" && isDecimalString(units))
    for (const figure of answers.flatMap(rowsOfFigures).flat())
      if (compareDecimals(multiplyDecimals(units, figure), amount) === 0) return `= ${units} * ${figure}`;
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
