import { FeedRefusal } from "@org/provider-kit";
import { expect, it } from "vitest";
import { statementsIn } from "./feed-reading.js";

const csv = (amount: string) => Buffer.from(`Tag;Betrag\n2024-01-15;${amount}\n`);
const mapping = (name: string, sign?: "minus") => ({
  language: 1,
  name,
  title: name,
  recognise: { header: ["Tag", "Betrag"] },
  delimiter: ";",
  values: { date: { column: "Tag" }, cash: { column: "Betrag", sign }, currency: { constant: "CHF" } },
  tables: [{ rows: [{ is: "transaction", kind: "deposit" }] }],
});
const reader = (mappings: readonly (readonly object[])[]) =>
  statementsIn({ name: "a.csv", mappings, interim: false, formats: [] });
const refusalOf = (read: () => unknown) => {
  try {
    read();
  } catch (error) {
    if (error instanceof FeedRefusal) return error;
    throw error;
  }
  return null;
};

it("[C-9.290] where those that a file may be for read it by the same mapping it is read, by different ones refused", () => {
  const [one, other] = [mapping("one"), mapping("other", "minus")];
  const balances = (lists: readonly (readonly object[])[]) =>
    reader(lists)
      .read(csv("2.50"))
      .snapshot.transactions?.map(({ balance }) => balance);
  expect(balances([[other, one]])).toEqual(["-2.50"]);
  expect(balances([[one], [{ ...one }], []])).toEqual(["2.50"]);
  const refused = refusalOf(() => reader([[one], [other]]).read(csv("1")));
  expect(refused?.reason).toContain(
    "is read in different ways by those whom its source leads to (by mapping one, other)",
  );
  expect(reader([[one], [other]]).recognises(csv("1"))).toBe(true);
  expect(refused?.lack).toBe("mapping");
});

it("[C-9.290] a refusal says whether another mapping or a further format could end it", () => {
  const unread = refusalOf(() => reader([]).read(csv("1")));
  const misread = refusalOf(() => reader([[mapping("one")]]).read(csv("x")));
  expect(misread?.reason).toMatch(/ \(by mapping one\)$/);
  const other = refusalOf(() => reader([]).read(Buffer.from(":20:R\n:25:1\n:28C:1/1\n:60F:C2401")));
  expect([unread, misread, other].map((refusal) => refusal?.lack)).toEqual(["format", "mapping", null]);
});

it("[C-9.453] a refusal on a connector with mappings says what they look for", () => {
  const reasonOf = (lists: readonly (readonly object[])[], text: string) =>
    refusalOf(() => reader(lists).read(Buffer.from(text)))?.reason;
  expect(reasonOf([[mapping("one")]], "Konto 1\nTag;Wert\n2024-01-15;1\n")).toMatch(
    /^is recognised by no mapping \(one: line 2 lacks "Betrag"\), and is CSV \(text in columns\), which/,
  );
  const byLine = { ...mapping("two"), recognise: { line: "Depot:" } };
  expect(reasonOf([[mapping("one")], [byLine]], "a;b\n1;2\n")).toContain(
    '(one: no line has the columns "Tag", "Betrag"; two: no line begins with "Depot:")',
  );
  expect(reasonOf([[{ ...mapping("one"), encoding: "utf-8" }]], "T\xe4g;a\n")).toMatch(/^is recognised by no mapping/);
  expect(reasonOf([], "a;b\n1;2\n")).toMatch(/^is CSV/);
});
