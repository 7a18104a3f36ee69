import { expect, it } from "vitest";
import { draftMapping, parseFeedMapping, readMapped } from "./index.js";

const bytes = (text: string) => new TextEncoder().encode(text);

it("[C-9.196] a draft of a German file reads it, says how sure it is, and what is left to decide", () => {
  const file = bytes(
    [
      "Depotauszug vom 02.02.2026;;;;;;",
      "Konto;Buchungstag;Buchungsart;ISIN;Stück;Betrag;Währung",
      "77;31.01.2026;Kauf;US0378331005;10;-1.234,50;EUR",
      "77;30.01.2026;Dividende;US0378331005;10;12,00;EUR",
      "77;29.01.2026;Sonderfall;;;1,00;EUR",
      "",
    ].join("\n"),
  );
  const draft = draftMapping(file, "in/Fern Bank.csv");
  expect(draft.mapping).toMatchObject({
    name: "fern-bank",
    encoding: "utf-8",
    delimiter: ";",
    decimal: ",",
    thousands: ".",
    dates: ["dd.MM.yyyy"],
    skip: { first: "header" },
    account: { number: { column: "Konto" } },
  });
  expect(draft.guesses).toContainEqual(expect.objectContaining({ path: "decimal", sure: "certain" }));
  expect(draft.to_decide).toEqual([{ path: "tables[0].rows", question: expect.stringContaining('"Sonderfall"') }]);
  const tables = (draft.mapping as { tables: [{ rows: object[] }] }).tables;
  const decided = parseFeedMapping({ ...draft.mapping, tables: [{ rows: [...tables[0].rows, { is: "ignored" }] }] });
  expect(readMapped(file, decided).transactions).toMatchObject([
    { kind: "buy", amount: "10", balance: "-1234.50" },
    { kind: "dividend", amount: null, balance: "12.00" },
  ]);
});

it("[C-9.196] a draft decides no order of day and month, and no sign before decimals, that the file leaves open", () => {
  const draft = draftMapping(bytes('Date,Amount,Type\n01/02/2026,"1,234",Buy\n03/04/2026,"5,678",Buy\n'), "x.csv");
  expect(draft.mapping).not.toHaveProperty("dates");
  expect(draft.mapping).not.toHaveProperty("decimal");
  expect(draft.to_decide.map(({ path }) => path).sort()).toEqual([
    "account.number",
    "dates",
    "decimal",
    "values.currency",
  ]);
  expect(draft.to_decide).toContainEqual(expect.objectContaining({ options: ["dd/MM/yyyy", "MM/dd/yyyy"] }));
});

it("a draft reads days though one does not exist, and takes the currency of the amount, not of the price", () => {
  const day = (text: string) => `${text},Buy,US0378331005,2,10.5,USD,9.25,EUR\n`;
  const header = "Time,Action,ISIN,Quantity,Price / share,Currency (Price / share),Total,Currency (Total)\n";
  const days = Array.from({ length: 12 }, (_, index) => day(`${String(index + 13)}-01-2026`)).join("");
  const file = bytes(`${header}${days}${day("33-01-2026")}`);
  const { mapping, guesses } = draftMapping(file, "x.csv");
  expect(mapping).toMatchObject({ dates: ["dd-MM-yyyy"], values: { currency: { column: "Currency (Total)" } } });
  const why = expect.stringContaining('"33-01-2026"');
  expect(guesses).toContainEqual({ path: "dates", value: "dd-MM-yyyy", sure: "likely", why });
  // One such day among many is enough to determine the order.
  const early = Array.from({ length: 30 }, () => day("01/02/2026")).join("");
  expect(draftMapping(bytes(`${header}${early}${day("13/02/2026")}`), "x.csv").mapping).toMatchObject({
    dates: ["dd/MM/yyyy"],
  });
});

it.each([
  ["Date,Type,Units,Price,Currency,ISIN\n", "holding"],
  ["Fecha;Tipo;Importe;Divisa\n2026-01-31;Compra;-5,5;EUR\n", "transaction"],
  ["Date;Opération;Montant;Devise\n2026-01-31;Achat;-5,5;EUR\n", "transaction"],
  ["Datum;Typ av transaktion;Belopp;Transaktionsvaluta\n2026-01-31;Köp;-5,5;SEK\n", "transaction"],
  ["Stichtag;ISIN;Bestand;Kurs;Kurswert;Währung\n31.01.2026;US0378331005;5;1,5;7,5;EUR\n", "holding"],
])("what rows are is told by the words of the header: %#", (text, is) => {
  const { mapping } = draftMapping(bytes(text), "x.csv");
  expect(mapping).toMatchObject({ tables: [{ rows: [{ is }] }] });
});

it("what is no table is refused", () => {
  expect(() => draftMapping(bytes("hello\nworld\n"))).toThrow(/no sign stands between columns/);
  expect(() => draftMapping(bytes("a;b\n1;2\n"))).toThrow(/no line of it names columns/);
});

it("a name of a column that goes on and on costs no time", () => {
  const began = process.cpuUsage();
  draftMapping(bytes(`Date;Amount;${"(".repeat(60_000)}x\n2026-01-31;1;2\n`));
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1_000).toBeLessThan(1_000);
});
