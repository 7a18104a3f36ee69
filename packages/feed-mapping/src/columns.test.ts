import { expect, it } from "vitest";
import { columnRolesOf, formatOf, lacksOf, withEdits, withFormat, withRowKind } from "./columns.js";
import { draftMapping, parseFeedMapping, testMapping } from "./index.js";

const bytes = (text: string) => new TextEncoder().encode(text);
const draft = (...lines: readonly string[]) => draftMapping(bytes(`${lines.join("\n")}\n`), "fern.csv");
const columnsOf = ({ tables: [table] }: ReturnType<typeof draftMapping>) =>
  (table?.columns ?? []).map((column, index) => ({ ...column, index }));

const holdings = [
  "Depot;ISIN;Titel;Bestand;Kurs;Kurswert;Stichtag",
  "77;US0378331005;Velmora;1.234;10,5;12.957,00;31.01.2026",
  "77;DE0007164600;Fern;2;0,123;0,25;31.01.2026",
];

it("[C-14.830] the sign before decimals is found by every value of the file: one that can be read in one way only decides", () => {
  const rows = Array.from({ length: 300 }, () => "77;US0378331005;Velmora;1.234;5.000;6.170;31.01.2026");
  const header = holdings[0] ?? "";
  expect(draft(header, ...rows).to_decide).toContainEqual(
    expect.objectContaining({
      ...{ code: "decimal", about: ["1.234"] },
      answers: [
        { says: "thousands", value: "1234", edits: expect.anything() },
        { says: "fraction", value: "1234", edits: expect.anything() },
      ],
    }),
  );
  // The only value that decides is far below the first two hundred lines.
  const decided = draft(header, ...rows, "77;DE0007164600;Fern;2;10,5;21,00;31.01.2026");
  expect(decided.mapping).toMatchObject({ decimal: ",", thousands: "." });
  // Nobody groups the thousands of a number that begins with 0.
  expect(draft(header, ...rows.slice(0, 2), "77;DE0007164600;Fern;2;0,123;2;31.01.2026").mapping).toMatchObject({
    decimal: ",",
  });
  const both = draft(header, "77;US0378331005;Velmora;1.5;2,25;3;31.01.2026");
  expect(both.to_decide).toContainEqual(expect.objectContaining({ code: "numbers", about: ["1.5", "2,25"] }));
});

it("[C-14.831] a mapping has a role for each column, and back: what is not a role stays as it is", () => {
  const given = draft(...holdings);
  const columns = columnsOf(given);
  expect(columnRolesOf(given.mapping, 0, columns)).toEqual([
    ...["account", "isin", "name", "units", "price", "value", "date"],
  ]);
  expect(lacksOf(given.mapping)).toEqual(["currency"]);
  const without = withEdits(given.mapping, [
    { column: "Bestand", role: null },
    { column: "Kurswert", role: null },
    { column: "Depot", role: "key" },
  ]);
  expect(without).not.toHaveProperty("account");
  expect(lacksOf(without)).toEqual(["holding_amount", "currency"]);
  expect(columnRolesOf(without, 0, columns).slice(0, 4)).toEqual(["key", "isin", "name", null]);
  expect(withEdits(without, [{ column: "Bestand", role: "units" }])).toMatchObject({
    values: { units: { column: "Bestand" }, price: { column: "Kurs" } },
  });
  expect(lacksOf(withRowKind(given.mapping, 0, "transaction"))).toEqual(["currency"]);
});

it("[C-14.831] units of movements keep their signs, whichever column has them; one column may be written differently", () => {
  const given = draft(
    "Datum;Art;ISIN;Stück;Nominale alt;Betrag;Währung",
    "31.01.2026;Kauf;US0378331005;10;11;-5,5;EUR",
    "31.01.2026;Verkauf;US0378331005;10;11;5,5;EUR",
  );
  const columns = columnsOf(given);
  const moved = withEdits(given.mapping, [{ column: "Nominale alt", role: "units" }]);
  expect(moved).toMatchObject({
    tables: [
      {
        rows: [
          { values: { units: { column: "Nominale alt", sign: "plus" } } },
          { values: { units: { column: "Nominale alt", sign: "minus" } } },
        ],
      },
    ],
  });
  expect(columnRolesOf(moved, 0, columns)).toEqual(["date", "kind_word", "isin", null, "units", "cash", "currency"]);
  const [date] = columns;
  const other = date && withFormat(moved, 0, date, { dates: ["yyyy-MM-dd"] });
  expect(date && other && formatOf(other, 0, date).dates).toEqual(["yyyy-MM-dd"]);
  expect(date && other && withFormat(other, 0, date, { dates: ["dd.MM.yyyy"] })).toEqual(moved);
});

it("[C-14.832] each answer to a question of a draft changes the mapping so that the file is read as answered", () => {
  const lines = [
    ...["Datum;Art;ISIN;Stück;Betrag;Währung;Status", "31.01.2026;Kauf;US0378331005;10;-5,5;EUR;Ausgeführt"],
    ...[
      "30.01.2026;Sonderfall;US0378331005;3;-1,5;EUR;Ausgeführt",
      "29.01.2026;Kauf;US0378331005;3;-1,5;EUR;Storniert",
    ],
  ];
  const given = draft(...lines);
  const question = given.to_decide.find(({ code }) => code === "kind_word");
  const answered = (kind: string) => {
    const edits = question?.answers.find(({ value }) => value === kind)?.edits ?? [];
    return testMapping(bytes(lines.join("\n")), parseFeedMapping(withEdits(given.mapping, edits)));
  };
  expect(question?.about).toEqual(["Art", "Sonderfall"]);
  const [sold, bought] = ["sell", "buy"].map(
    (kind) => question?.answers.find(({ value }) => value === kind)?.edits ?? [],
  );
  const changed = withEdits(withEdits(given.mapping, sold ?? []), bought ?? []);
  expect(changed).toEqual(withEdits(given.mapping, bought ?? []));
  expect(answered("sell").rows[1]).toMatchObject({ is: "transaction", values: { kind: "sell", amount: "-3" } });
  expect(answered("ignored")).toMatchObject({ faults: [], counts: { transaction: 1, ignored: 2 } });

  const plain = draft(...holdings);
  const currency = plain.to_decide.find(({ code }) => code === "currency");
  const chosen = withEdits(plain.mapping, currency?.answers.find(({ value }) => value === "EUR")?.edits ?? []);
  expect(testMapping(bytes(holdings.join("\n")), parseFeedMapping(chosen))).toMatchObject({
    portfolios: [{ number: "77", currency: "EUR", balance: "12957.25" }],
  });
});

it("[C-14.831] a person says which line names the columns, and which column says what a row is", () => {
  const lines = ["Alpha;Beta;Gamma", "x;US0378331005;Kauf", "y;US0378331005;Verkauf"];
  expect(draft(...lines).to_decide).toContainEqual(expect.objectContaining({ code: "header", answers: [] }));
  const given = draftMapping(bytes(["a;1;2", ...lines].join("\n")), "x.csv", {
    header_line: 2,
    roles: { 2: "isin", 3: "kind_word" },
  });
  expect(given.tables).toMatchObject([
    { line: 2, columns: [{ role: null }, { role: "isin" }, { role: "kind_word" }], rows: [{ line: 3 }, { line: 4 }] },
  ]);
  expect(given.mapping).toMatchObject({ tables: [{ rows: [{ kind: "buy" }, { kind: "sell" }] }] });
});
