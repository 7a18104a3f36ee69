import { expect, it } from "vitest";
import { withEdits } from "./columns.js";
import { draftMapping, parseFeedMapping, readMapped, testMapping } from "./index.js";

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
  expect(draft.to_decide).toMatchObject([
    { path: "tables[0].rows", question: expect.stringContaining('"Sonderfall"'), about: ["Buchungsart", "Sonderfall"] },
  ]);
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
  [
    "Umsätze Depot\nBuchungstag;Geschäftstag;Stück / Nom.;Bezeichnung;WKN;Währung;Ausführungskurs;Umsatz in EUR\n06.12.24;05.12.24;10;Velmora;ABC123;EUR;100,00;-1.000,00\n",
    "transaction",
  ],
  ["ISIN;Wertpapiername;Stück/Nominale;Kurs;Währung;Kurswert in Euro\nUS0378331005;Velmora;5;1,5;USD;7,5\n", "holding"],
  ["Stichtag;ISIN;Bestand;Kurs;Kurswert;Währung\n31.01.2026;US0378331005;5;1,5;7,5;EUR\n", "holding"],
])("what rows are is told by the words of the header: %#", (text, is) => {
  const { mapping } = draftMapping(bytes(text), "x.csv");
  expect(mapping).toMatchObject({ tables: [{ rows: [{ is }] }] });
});

/** A draft of these lines: its values, and the paths and options of what it asks. */
function draftOf(...lines: readonly string[]) {
  const { mapping, to_decide } = draftMapping(bytes(`${lines.join("\n")}\n`), "x.csv");
  const { values, tables } = mapping as { values: Record<string, unknown>; tables: readonly { rows: object[] }[] };
  const asked = Object.fromEntries(to_decide.map(({ path, options }) => [path, options]));
  return { mapping, values, tables, asked };
}

it("[C-9.450] an amount has the currency of its own name, of the column named after it, or of the one beside it", () => {
  const { values, asked } = draftOf(
    "Datum;Transaktionen;ISIN;Anzahl;Kosten;Nettobetrag;Währung Nettobetrag;Nettobetrag in der Währung des Kontos;Saldo;Währung",
    "06-12-2019;Kauf;US0378331005;7.0;20.64;-690.86;EUR;-763.60;1138.34;CHF",
  );
  expect(values).toMatchObject({ cash: { column: "Nettobetrag" }, currency: { column: "Währung Nettobetrag" } });
  expect(values).not.toHaveProperty("fees");
  expect(asked).toMatchObject({
    "values.fees": ["Währung Nettobetrag", "Währung"],
    "values.cash": ["Nettobetrag", "Nettobetrag in der Währung des Kontos"],
  });
  expect(
    draftOf(
      "Time,Action,Price / share,Currency (Price / share),Total,Currency (Total)",
      "2026-01-05,Buy,10.5,USD,9.25,EUR",
    ).values,
  ).toMatchObject({ currency: { column: "Currency (Total)" }, price_currency: { column: "Currency (Price / share)" } });
  expect(draftOf("Datum;Art;Betrag;Währung;Gebühr;Währung", "2026-01-05;Kauf;-5,5;EUR;1,5;CHF").values).toMatchObject({
    currency: { column: 4 },
    fees_currency: { column: 6 },
  });
  expect(draftOf("Datum;Art;Währung;Betrag;Währung;Gebühr", "2026-01-05;Kauf;EUR;-5,5;CHF;1,5").values).toMatchObject({
    currency: { column: 3 },
    fees_currency: { column: 5 },
  });
  expect(draftOf("date;type;shares;price;amount;fee;tax;currency", "2026-01-05;Buy;1;5;-5;0;0;EUR")).toMatchObject({
    values: { currency: { column: "currency" } },
    asked: { "account.number": undefined },
  });
  expect(draftOf("Date,Type,Price,Currency,Total EUR", "2026-01-05,Buy,10.5,USD,-9.25").values).toMatchObject({
    cash: { column: "Total EUR" },
    currency: { constant: "EUR" },
    price_currency: { column: "Currency" },
  });
});

it.each([
  ["beside a price", "Date,Type,Price,Currency,Amount", "2026-01-05,Buy,10.5,USD,-9.25"],
  ["named after something else", "Date;Type;Asset Currency;Cash Flow", "2026-01-05;Buy;USD;-9.25"],
  ["of another amount of that name", "Date,Type,Amount,Amount local,Currency", "2026-01-05,Buy,-9.25,-10.5,USD"],
  ["twice", "Date,Type,Currency,Note,Currency,Note,Amount", "2026-01-05,Buy,EUR,,USD,,-9.25"],
])("[C-9.450] a currency %s is not the amount's, and is asked", (_, header, row) => {
  const { values, asked } = draftOf(header, row);
  expect(values).toMatchObject({ currency: { constant: "XXX" } });
  expect(asked).toHaveProperty(["values.currency"]);
});

it("[C-9.451] a status column decides which rows count, and is asked", () => {
  const header = "date;status;type;shares;amount;currency";
  const draft = draftOf(
    header,
    "2025-03-04;Executed;Buy;1,234567;-121,93;EUR",
    "2025-03-05;Cancelled;Buy;1;-98,00;EUR",
    "2025-03-05;Odd;Buy;1;-98,00;EUR",
  );
  expect(draft.asked).toMatchObject({ "tables[0].rows": ["Executed", "Cancelled", "Odd"] });
  const test = testMapping(
    bytes(
      `${header}\n2025-03-05;Cancelled;Buy;1;-98,00;EUR\n2025-03-04;Odd;Buy;1;-98,00;EUR\n2025-03-04;executed;Buy;1,234567;-121,93;EUR\n`,
    ),
    parseFeedMapping(draft.mapping),
  );
  expect(test).toMatchObject({
    counts: { transaction: 1, ignored: 1 },
    faults: [{ place: "line 3" }],
    rows: [{ is: "ignored" }, { values: { amount: "1.234567", balance: "-121.93" } }],
  });
});

it("[C-9.452] of a file with two tables, one below the other, both are drafted", () => {
  const file = bytes(
    [
      "Account Number,Investment Name,Symbol,Shares,Share Price,Total Value,",
      "77,VELMORA FUND,VLM,10.5,200.00,2100.00,",
      ...["", "", ""],
      "Account Number,Trade Date,Transaction Type,Investment Name,Symbol,Shares,Share Price,Net Amount,",
      "77,2024-03-01,Buy,VELMORA FUND,VLM,1.0,200.00,-200.0,",
      "",
    ].join("\n"),
  );
  const { mapping, guesses } = draftMapping(file, "x.csv");
  expect(guesses).toContainEqual(expect.objectContaining({ path: "tables", value: 2 }));
  expect(readMapped(file, parseFeedMapping(mapping))).toMatchObject({
    portfolios: [{ key: "77", balance: "2100.00", as_of: new Date("2024-03-01T00:00:00Z") }],
    holdings: [{ name: "VELMORA FUND", amount: "10.5", price: "200.00" }],
    transactions: [{ kind: "buy", amount: "1.0", balance: "-200.0" }],
    warnings: [],
  });
});

it("[C-9.452] a table is told from one that has all of its columns and more", () => {
  const file = bytes(
    [
      "Account,Name,Units,Value,Currency",
      "7,Velmora,10,20.00,EUR",
      "Account,Name,Units,Value,Currency,Date,Type,Amount",
      "7,Velmora,1,,EUR,2026-01-05,Buy,-2.00",
    ].join("\n"),
  );
  expect(readMapped(file, parseFeedMapping(draftMapping(file, "x.csv").mapping))).toMatchObject({
    holdings: [{ amount: "10", balance: "20.00" }],
    transactions: [{ kind: "buy", amount: "1", balance: "-2.00" }],
  });
});

it("[C-9.450] the worth of securities that are transferred or split is not taken for money: what it is, is asked", () => {
  const { tables, asked } = draftOf(
    "Date,Type,ISIN,Units,Amount,Currency",
    "2026-01-05,Transfer in,US0378331005,5,1000.00,EUR",
    "2026-01-05,Transfer out,,,-7,EUR",
    "2026-01-05,Split,US0378331005,5,,EUR",
  );
  expect(asked).toHaveProperty(["tables[0].rows"]);
  expect(tables[0]?.rows).toMatchObject([{ kind: "transfer_out" }, { kind: "split" }]);
});

it("[C-9.450] units that nothing says are received or delivered are left out, and asked", () => {
  const header = "DATE,TRANSACTION_ID,DESCRIPTION,QUANTITY,SYMBOL,PRICE,AMOUNT,CURRENCY";
  const sold = "04/14/2023,1,Sold 80 VLM @ 18.08,80,VLM,18.08,1446.40,USD";
  const { tables, asked, values } = draftOf(header, sold, "04/13/2023,2,Bought 1 VLM @ 18.08,1,VLM,18.08,-18.08,USD");
  expect(values).toMatchObject({ key: { column: "TRANSACTION_ID" } });
  expect(tables[0]?.rows).toEqual([{ is: "transaction", kind: "other" }]);
  expect(asked).toHaveProperty(["tables[0].rows[0].values.units"]);
  expect(draftOf(header, sold.replace(",80,", ",-80,")).tables[0]?.rows).toMatchObject([
    { values: { units: { column: "QUANTITY" } } },
  ]);
});

it("[C-9.450] [C-5.140] prices in pence are converted to pounds, and totals below a table are no holding", () => {
  const file = bytes(
    'Code,Stock,Units held,Price (pence),Value (£)\nVLM,Velmora plc,"1,000","253.761","2,537.61"\n,Totals,,,"2,537.61"\n',
  );
  const { mapping } = draftMapping(file, "x.csv");
  const tested = testMapping(file, parseFeedMapping({ ...mapping, as_of: { constant: "2026-01-31" } }));
  expect(tested).toMatchObject({
    counts: { holding: 1, ignored: 1 },
    portfolios: [{ balance: "2537.61", currency: "GBP" }],
  });
  expect(tested.rows[0]?.values).toMatchObject({
    amount: "1000",
    price: "2.53761",
    balance: "2537.61",
    currency: "GBP",
  });
  expect(tested.rows[0]?.values).not.toHaveProperty("price_currency");
});

it("[C-14.1082] prices in percent are known by the value of each row, and asked where rows differ or leave it open", () => {
  const header = "Account;Date;Kind;Name;Units;Price;Value;Currency";
  const bond = "77;2026-01-31;Bond;Fernberg 2031;10000;98.5;9850.00;CHF";
  const share = "77;2026-01-31;Share;Velmora;10;98.5;985.00;CHF";
  expect(draftOf(header, bond).values).toMatchObject({ price_unit: { constant: "percent" } });
  expect(draftOf(header, share).asked).not.toHaveProperty(["values.price_unit"]);

  const file = bytes([header, bond, share, ""].join("\n"));
  const { mapping, to_decide } = draftMapping(file, "x.csv");
  const question = to_decide.find(({ code }) => code === "price_unit");
  expect(question).toMatchObject({ about: ["Price"], answers: [{ value: "Kind" }, { value: "currency" }, {}] });
  const decided = parseFeedMapping(withEdits(mapping, question?.answers[0]?.edits ?? []));
  const { holdings } = readMapped(file, decided);
  expect(holdings?.map(({ name, price_unit = "currency" }) => [name, price_unit])).toEqual([
    ["Fernberg 2031", "percent"],
    ["Velmora", "currency"],
  ]);

  // Without values of rows a price between 20 and 200 may be a percentage; one of 1,850 is none.
  const open = (price: string) => draftOf("Account;Date;Name;Units;Price;Currency", `7;2026-01-31;X;1;${price};CHF`);
  expect(open("98.50").asked).toHaveProperty(["values.price_unit"]);
  expect(open("1850.00").asked).not.toHaveProperty(["values.price_unit"]);
});

it("where no amount has a sign, what is paid gets one", () => {
  const { tables } = draftOf("Date,Type,Amount,Currency", "2026-01-05,Withdrawal,5.00,EUR", "2026-01-05,Deposit,7,EUR");
  expect(tables[0]?.rows).toMatchObject([{ values: { cash: { sign: "minus" } } }, { kind: "deposit" }]);
  expect(draftOf("Date,Type,Amount,Currency", "2026-01-05,Withdrawal,-5.00,EUR").tables[0]?.rows[0]).not.toHaveProperty(
    "values",
  );
});

it("what is no table is refused", () => {
  expect(() => draftMapping(bytes("hello\nworld\n"))).toThrow(/no sign stands between columns/);
});

it("a name of a column that goes on and on costs no time", () => {
  const began = process.cpuUsage();
  draftMapping(bytes(`Date;Amount;${"(".repeat(60_000)}x\n2026-01-31;1;2\n`));
  const { user, system } = process.cpuUsage(began);
  expect((user + system) / 1_000).toBeLessThan(1_000);
});

it("[C-9.196] a draft of a Swiss bank's holdings knows number, name and day of each; the format of a day that is only chosen later is there", () => {
  const rows = (day: string) =>
    [
      "Vermögensübersicht per 31.12.2025",
      `Valor;ISIN;Bezeichnung;Anzahl;Währung;Kurswert;${day}`,
      "1213853;CH0012138530;Credit Holding N;1'250;CHF;60'156,25;31.12.2025",
      ";IE00B4L5Y983;World UCITS ETF;1'033,457;USD;102'074,55;31.12.2025",
    ].join("\n");
  const { mapping } = draftMapping(bytes(rows("Bewertungsdatum")), "depot.csv");
  expect(mapping).toMatchObject({
    dates: ["dd.MM.yyyy"],
    values: { valor: { column: "Valor" }, name: { column: "Bezeichnung" }, date: { column: "Bewertungsdatum" } },
  });
  expect(readMapped(bytes(rows("Bewertungsdatum")), parseFeedMapping(mapping)).holdings).toMatchObject([
    { name: "Credit Holding N", amount: "1250", balance: "60156.25", valuation_date: "2025-12-31" },
    { name: "World UCITS ETF", amount: "1033.457", balance: "102074.55", valuation_date: "2025-12-31" },
  ]);
  const open = draftMapping(bytes(rows("Kursstand")), "depot.csv");
  expect(open.mapping).toMatchObject({ dates: ["dd.MM.yyyy"] });
  const missing = open.to_decide.find(({ code }) => code === "date_missing");
  expect(missing?.answers.map(({ value }) => value)).toEqual(["Kursstand"]);
});

it("a column called Valor with words has the names of securities, as in Spanish", () => {
  const { mapping } = draftMapping(
    bytes("Fecha;Valor;Títulos;Divisa;Valor de mercado\n31/12/2025;Banco Uno;3;EUR;30,5\n"),
  );
  expect(mapping).toMatchObject({ values: { name: { column: "Valor" } } });
});

it("[C-9.196] a draft knows words of headers and rows without umlauts and accents", () => {
  const german = draftOf(
    "Depotnummer;Stichtag;ISIN;Bezeichnung;Stueck;Kurs;Kurswaehrung;Kurswert;Waehrung",
    "4711;27.02.2026;US0378331005;Velmora;10;190,10;USD;1.901,00;EUR",
  );
  expect(german.values).toMatchObject({
    units: { column: "Stueck" },
    price_currency: { column: "Kurswaehrung" },
    currency: { column: "Waehrung" },
  });
  expect(german.asked).toEqual({});
  const french = draftOf("Date;Operation;Quantite;Montant;Devise", "2026-01-31;Depot;;5,5;EUR");
  expect(french.values).toMatchObject({ cash: { column: "Montant" } });
  expect(french.tables).toMatchObject([{ rows: [{ kind: "deposit" }] }]);
});
