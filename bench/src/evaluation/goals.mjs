import { goal } from "../measuring/figures.mjs";

/** Questions of the design with what they cost before, and at most should: calls, and tokens of a question or of each row of its answer. */
const design = [
  { row: "my ten largest positions", before: "2.6k tokens; 127,501 in 11 calls", calls: 1, tokens: 900 },
  { row: "what do I own, per currency and type", before: "3.2k tokens in 12 calls", calls: 1, tokens: 500 },
  { row: "dividends this year", before: "14.9k tokens, 210 rows added, wrong", calls: 1, tokens: 400 },
  { row: "how many X do I own", before: "everything is read", calls: 1 },
  { row: "which of my banks need attention", before: "5,252 tokens for 24 banks", calls: 1, tokensEach: 60 },
  { row: "as of when is this", before: "cannot be told", calls: 1 },
  { row: "delete my connection at X: told apart", before: "alike", calls: 1 },
  { row: "delete my connection at X: the refusal", before: "says to confirm", calls: 2 },
];

/** A table with what was measured for both tenants. */
export function goalsOfDesign(rows) {
  return {
    head: ["question", "before", "goal", "small tenant", "large tenant"],
    rows: design.map(({ row, before, ...bounds }) => [
      row,
      before,
      goalText(bounds),
      ...["small", "large"].map((tenant) => measuredText(find(rows, row, tenant), bounds)),
    ]),
  };
}

export function goalsOf(rows, list) {
  // A wrong answer reaches no goal.
  const bounded = (what, measured, value, bound) =>
    goal(what, measured.right === "yes" ? value : Number.POSITIVE_INFINITY, bound);
  const right = rows.filter((row) => row.right === "yes").length;
  const largest = (field) => Math.max(...rows.map((row) => row[field]));
  return [
    goal("right answers", right, { atLeast: rows.length }),
    goal("rows that a reader adds up for one answer, at most", largest("rows added"), { atMost: 20 }),
    goal(
      "data answers that do not say as of when they are",
      rows.reduce((sum, row) => sum + row["answers undated"], 0),
      {
        atMost: 0,
      },
    ),
    goal("characters of tools/list", list.characters, { atMost: 36_000 }),
    goal("calls a question, mean", rows.reduce((sum, row) => sum + row.calls, 0) / rows.length, { atMost: 2 }),
    ...design.flatMap(({ row, calls, tokens, tokensEach }) =>
      ["small", "large"].flatMap((tenant) => {
        const measured = find(rows, row, tenant);
        const of = `${row}, ${tenant} tenant`;
        return [
          bounded(`${of}: calls`, measured, measured.calls, { atMost: calls }),
          ...(tokens ? [bounded(`${of}: tokens`, measured, measured.tokens, { atMost: tokens })] : []),
          ...(tokensEach ? [bounded(`${of}: tokens each`, measured, each(measured), { atMost: tokensEach })] : []),
        ];
      }),
    ),
  ];
}

function find(rows, row, tenant) {
  return rows.find((one) => one.row === row && one.tenant === tenant);
}

function each(measured) {
  return measured.tokens / measured["rows in the answer"];
}

function goalText({ calls, tokens, tokensEach }) {
  const most = tokens ? `, ≤ ${tokens} tokens` : tokensEach ? `, ≤ ${tokensEach} tokens each` : "";
  return `${calls} call${calls === 1 ? "" : "s"}${most}, right`;
}

function measuredText(measured, { tokensEach }) {
  const calls = `${measured.calls} call${measured.calls === 1 ? "" : "s"}`;
  const sources = measured["of them sources"];
  const whole = `${measured.tokens} tokens${sources > 0 ? ` (sources ${sources})` : ""}`;
  const tokens = tokensEach ? `${Math.round(each(measured))} tokens each` : whole;
  return `${calls}, ${tokens}, ${measured.right === "yes" ? "right" : "wrong"}`;
}
