import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FeedRefusal } from "@org/provider-kit";
import { describe, expect, it } from "vitest";
import {
  draftMapping,
  FeedMappingError,
  findMapping,
  parseFeedMapping,
  readByMapping,
  shippedMappings,
  testMapping,
} from "../src/index.js";

const bytes = (lines: readonly string[]) => new TextEncoder().encode(`${lines.join("\n")}\n`);
const read = (lines: readonly string[]) => readByMapping(bytes(lines), shippedMappings());

/** Small invented files with the columns of each export, and what the first rows are: kind, units, cash, ISIN or ticker. */
const own: Readonly<Record<string, { lines: readonly string[]; rows: readonly unknown[][] }>> = {
  swissquote: {
    lines: [
      "Date;Order #;Transaction;Symbol;Name;ISIN;Quantity;Unit price;Costs;Accrued Interest;Net Amount;Balance;Currency",
      "09-08-2025 12:22:24;77;Buy;VLM;Velmora;US0378331005;3.0;31.255;4.35;0.00;-98.115;1'614.40;CHF",
      "10-08-2025 12:22:24;78;Sell;VLM;Velmora;US0378331005;1.0;31.00;1.00;0.00;30.00;1644.40;CHF",
      "29-06-2025 11:17:26;00;Dividend;VLM;Velmora;US0378331005;1.0;7.24;0.00;0.00;7.24;9.56;USD",
    ],
    rows: [
      ["buy", "3.0", "-98.115", "US0378331005"],
      ["sell", "-1.0", "30.00", "US0378331005"],
      ["dividend", null, "7.24", "US0378331005"],
    ],
  },
  saxo: {
    lines: [
      "Client ID,Trade Date,Value Date,Type,Instrument,Instrument ISIN,Instrument currency,Exchange Description,Instrument Symbol,Event,Amount,Order ID,Conversion Rate",
      ',02-Jan-2025,06-jan-2025,Trade,Velmora,US0378331005,USD,NASDAQ,VLM:xnas,Buy 1.5 @ 139.74 USD,"-209,61",,1',
      ',02-Jan-2025,02-Jan-2025,Cash amount,,,USD,,,Custody Fee,"-3,9",,1',
    ],
    rows: [
      ["buy", "1.5", "-209.61", "US0378331005"],
      ["fee", null, "-3.9", null],
    ],
  },
  schwab: {
    lines: [
      '"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"',
      '"11/01/2025","Reinvest Shares","VLM","VELMORA 2" FUND","1,259.59","$1.00","","-$1,259.59"',
      '"08/22/2025 as of 08/19/2025","Sell","VLM","VELMORA","2","$8.46","$1.00","$15.92"',
      '"08/24/2025","MoneyLink Transfer","","Tfr","","","","-$30.00"',
    ],
    rows: [
      ["buy", "1259.59", "-1259.59", "VLM"],
      ["sell", "-2", "15.92", "VLM"],
      ["withdrawal", null, "-30.00", null],
    ],
  },
  avanza: {
    lines: [
      "Datum;Konto;Typ av transaktion;Värdepapper/beskrivning;Antal;Kurs;Belopp;Transaktionsvaluta;Courtage (SEK);Valutakurs;Instrumentvaluta;ISIN;Resultat",
      "2025-01-13;11;Sälj;Velmora;-2;1 154,5;2309;SEK;1;;SEK;US0378331005;7,5",
      "2025-01-14;12;Uttag;Till X;;;-544,10;SEK;;;;;",
    ],
    rows: [
      ["sell", "-2", "2309", "US0378331005"],
      ["withdrawal", null, "-544.10", null],
    ],
  },
  "finpension-3a": {
    lines: [
      '\ufeffDate;Category;"Asset Name";ISIN;"Number of Shares";"Asset Currency";"Currency Rate";"Asset Price in CHF";"Cash Flow";Balance',
      "2025-07-11;Sell;Velmora;US0378331005;-0.006000;CHF;1.0;1336.95;8.021700;14.58",
      '2025-07-07;"Flat-rate administrative fee";;;;CHF;1.0;;-0.676100;16.26',
    ],
    rows: [
      ["sell", "-0.006000", "8.021700", "US0378331005"],
      ["fee", null, "-0.676100", null],
    ],
  },
  trading212: {
    lines: [
      "Action,Time,ISIN,Ticker,Name,Notes,ID,No. of shares,Price / share,Currency (Price / share),Exchange rate,Result,Total,Currency (Total)",
      "Market buy,2023-12-18 14:30:03.613,US0378331005,VLM,Velmora,,EOF1,0.0290530000,49.96,USD,1.09303,,1.33,EUR",
      "Limit sell,2023-12-19 14:30:03,US0378331005,VLM,Velmora,,EOF2,0.02,50,USD,1.09303,0.1,1.05,EUR",
      "Dividend (Ordinary),2024-01-12 14:14:14,US0378331005,VLM,Velmora,,,0.009,1.11,USD,Not available,,0.01,EUR",
      "Withdrawal,2024-01-13 14:14:14,,,,,W1,,,,,,5.00,EUR",
    ],
    rows: [
      ["buy", "0.0290530000", "-1.33", "US0378331005"],
      ["sell", "-0.02", "1.05", "US0378331005"],
      ["dividend", null, "0.01", "US0378331005"],
      ["withdrawal", null, "-5.00", null],
    ],
  },
  directa: {
    lines: [
      "Conto : 4711,,,,,,,,,,,",
      "Il file include i primi 3000 movimenti,,,,,,,,,,,",
      "Data operazione,Data valuta,Tipo operazione,Ticker,Isin,Protocollo,Descrizione,Quantità,Importo euro,Importo Divisa,Divisa,Riferimento ordine",
      "02-12-2025,04-12-2025,Acquisto,VLM,US0378331005,,VELMORA,3,-431.04,0,EUR,X",
      "27-12-2025,27-12-2025,Rit.provento etf,VLM,US0378331005,Y,VELMORA,0,-3.57,0,EUR,",
    ],
    rows: [
      ["buy", "3", "-431.04", "US0378331005"],
      ["tax", null, "-3.57", "US0378331005"],
    ],
  },
  rabobank: {
    lines: [
      "Portefeuille;Naam;Datum;Type mutatie;Valuta mutatie;Volume;Koers;Valuta koers;Valuta kosten €;Waarde;Bedrag;Isin code;Tijd;Beurs",
      "77;Velmora;08-02-2025;Verkoop Fondsen;EUR;-1,2343;134,776 ;EUR;0;1.166,36;1.166,36;US0378331005;11:46:02.924;X",
      "77;;24-01-2025;Storting / opname;EUR;0;0,00 ;EUR;0;0,00;-250,00;;;",
    ],
    rows: [
      ["sell", "-1.2343", "1166.36", "US0378331005"],
      ["withdrawal", null, "-250.00", null],
    ],
  },
  "ibkr-trades": {
    lines: [
      '"Buy/Sell","TradeDate","ISIN","Quantity","TradePrice","TradeMoney","CurrencyPrimary","IBCommission","IBCommissionCurrency"',
      '"BUY","20250522","US0378331005","7","282.7","1978.9","CHF","-5","CHF"',
      '"SELL","20250522","","-8000","1.1173","-8938.4","USD","-1.79924","CHF"',
    ],
    rows: [
      ["buy", "7", "-1983.9", "US0378331005"],
      ["fee", null, "-1.79924", null],
      ["fx", null, "8938.4", null],
    ],
  },
  investengine: {
    lines: [
      "Security / ISIN,Transaction Type,Quantity,Share Price,Total Trade Value,Trade Date/Time,Settlement Date,Broker",
      'Velmora / ISIN US0378331005,Buy,2.699055,£110.79,"£1,299.04",23/12/25 15:18:12,27/12/25,None',
    ],
    rows: [["buy", "2.699055", "-1299.04", "US0378331005"]],
  },
  coinbase: {
    lines: [
      "ID,Timestamp,Transaction Type,Asset,Quantity Transacted,Price Currency,Price at Transaction,Subtotal,Total (inclusive of fees and/or spread),Fees and/or Spread,Notes",
      "a1,2025-01-17 16:57:02 UTC,Staking Income,ETH,0.000037835729,EUR,€3343.11,€0.12,€0.12,€0.00,",
      "a2,2025-01-07 19:26:56 UTC,Convert,BTC,0.5,EUR,€9,€4.50,€4.40,,Converted 0.5 BTC to 156.145683 XRP",
    ],
    rows: [
      ["interest", "0.000037835729", null, "ETH"],
      ["other", "-0.5", null, "BTC"],
      ["other", "156.145683", null, "XRP"],
    ],
  },
  "swissquote, in German": {
    lines: [
      "Datum;Auftrag #;Transaktionen;Symbol;Name;ISIN;Anzahl;Stückpreis;Kosten;Aufgelaufene Zinsen;Nettobetrag;Währung Nettobetrag;Nettobetrag in der Währung des Kontos;Saldo;Währung",
      "06-12-2019 16:54:13;66;Kauf;VLM;Velmora;US0378331005;7.0;95.75;20.64;0.00;-690.86;EUR;-763.60;1'138.34;CHF",
      "05-12-2019 08:08:02;00;Vergütung;;;;1.0;1'100.00;0.00;0.00;1'100.00;CHF;1'100.00;1'901.94;CHF",
      "04-12-2019 08:08:02;00;Zinsen auf Belastungen;;;;1.0;1.83;0.00;0.00;-1.83;CHF;-1.83;926.45;CHF",
    ],
    rows: [
      ["buy", "7.0", "-690.86", "US0378331005"],
      ["deposit", null, "1100.00", null],
      ["interest", null, "-1.83", null],
    ],
  },
  fidelity: {
    lines: [
      "",
      "",
      "Run Date,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),Fees ($),Accrued Interest ($),Amount ($),Cash Balance ($),Settlement Date",
      " 09/05/2025,YOU SOLD VELMORA INC (VLM) (Cash), VLM,VELMORA INC,Cash,-2,105.5,,0.01,,210.99,1210.99,09/08/2025",
      ' 09/04/2025,"DIVIDEND RECEIVED VELMORA, INC (VLM) (Cash)", VLM,VELMORA INC,Cash,0,,,,,1.25,1000,',
      " 09/03/2025,Electronic Funds Transfer Paid (Cash),, No Description,Cash,0,,,,,-50,,",
      " 09/02/2025,REINVESTMENT FERN MONEY MARKET (FMM) (Cash), FMM,FERN MONEY MARKET,Cash,4.29,1,,,,-4.29,,",
      "",
      '"The data and information in this spreadsheet is provided to you solely for your use, and is not for distribution."',
      "",
      "Date downloaded 09/06/2025 1:02 am",
    ],
    rows: [
      ["sell", "-2", "210.99", "VLM"],
      ["dividend", null, "1.25", "VLM"],
      ["withdrawal", null, "-50", null],
      ["buy", "4.29", "-4.29", "FMM"],
    ],
  },
  robinhood: {
    lines: [
      '"Activity Date","Process Date","Settle Date","Instrument","Description","Trans Code","Quantity","Price","Amount"',
      '"3/3/2026","3/3/2026","3/4/2026","VLM","VLM 3/20/2026 Call $580.00","STO","2","$4.25","$849.92"',
      '"3/2/2026","3/2/2026","3/4/2026","VLM","Velmora\nCUSIP: 037833100","Buy","0.06725","$2,973.95","($200.00)"',
      '"3/2/2026","3/2/2026","3/2/2026","VLM","Cash Div: R/D 2026-02-15","CDIV","","","$7.50"',
      '"3/1/2026","3/1/2026","3/1/2026","","ACH Deposit","ACH","","","$5,000.00"',
      '""',
      '"","","","","","","","","","The data provided is for informational purposes only."',
    ],
    rows: [
      ["sell", "-2", "849.92", null],
      ["buy", "0.06725", "-200.00", "VLM"],
      ["dividend", null, "7.50", "VLM"],
      ["deposit", null, "5000.00", null],
    ],
  },
  scalable: {
    lines: [
      "date;time;status;reference;description;assetType;type;isin;shares;price;amount;fee;tax;currency",
      '2025-03-04;02:00:00;Executed;"W1";"Velmora";Security;Savings plan;US0378331005;1,234567;98,7654;-121,93;0,00;0,00;EUR',
      '2025-03-05;02:00:00;Cancelled;"W2";"Velmora";Security;Buy;US0378331005;0;0,00;0,00;0,00;0,00;EUR',
      '2025-03-06;02:00:00;Executed;"W3";"Velmora";Security;Sell;US0378331005;208;7,34;1.526,72;0,99;112,23;EUR',
      '2025-03-07;02:00:00;Executed;"W4";"Velmora";Cash;Distribution;US0378331005;;;12,34;0,00;3,25;EUR',
      '2025-03-08;02:00:00;Executed;"W5";"Fee";Cash;Fee;;;;-4,99;0,00;;EUR',
    ],
    rows: [
      ["buy", "1.234567", "-121.93", "US0378331005"],
      ["sell", "-208", "1413.50", "US0378331005"],
      ["dividend", null, "12.34", "US0378331005"],
      ["fee", null, "-4.99", null],
    ],
  },
  "trade-republic": {
    lines: [
      '"datetime","date","account_type","category","type","asset_class","name","symbol","shares","price","amount","fee","tax","currency","original_amount","original_currency","fx_rate","description","transaction_id"',
      '"2024-10-16T09:15:04Z","2024-10-16","DEFAULT","TRADING","BUY","STOCK","Velmora","US0378331005","3.0","30.10","-90.30","-1.00","","EUR","","","","Buy trade","id-2"',
      '"2024-11-14T00:00:00Z","2024-11-14","DEFAULT","CASH","DIVIDEND","STOCK","Velmora","US0378331005","64.75","","38.33","","-5.75","EUR","43.87","USD","0.873668","Cash Dividend","id-3"',
      '"2024-10-28T00:00:00Z","2024-10-28","DEFAULT","CASH","CARD_TRANSACTION","","Shop","","","","-18.07","","","EUR","","","","Card","id-4"',
    ],
    rows: [
      ["buy", "3.0", "-91.30", "US0378331005"],
      ["dividend", null, "32.58", "US0378331005"],
      ["withdrawal", null, "-18.07", null],
    ],
  },
  "degiro-transactions": {
    lines: [
      "Date,Time,Product,ISIN,Reference exchange,Venue,Quantity,Price,,Local value,,Value EUR,Exchange rate,AutoFX Fee,Transaction and/or third party fees EUR,Total EUR,Order ID,",
      '12-03-2021,09:05,VELMORA,US0378331005,NDQ,XNAS,5,"119,3400",USD,"-596,70",USD,"-524,44","1,1378","-1,31","-2,00","-527,75",,993ae5df',
      "11-03-2021,09:05,VELMORA,US0378331005,NDQ,XNAS,-2,450.25,USD,900.50,USD,800.00,1.125,0.00,-1.50,798.50,,c2e98460",
    ],
    rows: [
      ["buy", "5", "-527.75", "US0378331005"],
      ["sell", "-2", "798.50", "US0378331005"],
    ],
  },
  "degiro-transactions, in German": {
    lines: [
      "Datum,Uhrzeit,Produkt,ISIN,Referenzbörse,Ausführungsort,Anzahl,Kurs,,Wert in Lokalwährung,,Wert EUR,Wechselkurs,AutoFX-Gebühr,Transaktionsgebühren und/oder Fremdkosten,Gesamt EUR,Order-ID,",
      '29-04-2026,17:33,VELMORA,US0378331005,NSY,CDED,280,"41,3996",USD,"-11591,88",USD,"-9910,62","1,1696","-24,78","-2,00","-9937,40",,3b8027f1',
      '10-10-2025,10:40,VELMORA,US0378331005,XET,XETA,-450,"10,3700",EUR,"4666,50",EUR,"4666,50",,"0,00","-3,00","4663,50",aaf546c6',
    ],
    rows: [
      ["buy", "280", "-9937.40", "US0378331005"],
      ["sell", "-450", "4663.50", "US0378331005"],
    ],
  },
  revolut: {
    lines: [
      "Date,Ticker,Type,Quantity,Price per share,Total Amount,Currency,FX Rate",
      "2020-07-02T13:46:17.850572Z,VLM,BUY - MARKET,0.00413701,USD 1208.60,USD 5,USD,1.1270",
      '2025-09-08T07:29:03.333Z,VLM,SELL - LIMIT,"0,76672417",€26.09,"€1,020.10",EUR,1',
      "2021-09-01T07:40:54.539038Z,,CUSTODY FEE,,,-$0.01,USD,1.18",
      "2022-08-25T08:27:46.419568Z,VLM,STOCK SPLIT,0.16431924,,$0,USD,0.0947",
    ],
    rows: [
      ["buy", "0.00413701", "-5", "VLM"],
      ["sell", "-0.76672417", "1020.10", "VLM"],
      ["fee", null, "-0.01", null],
      ["split", "0.16431924", null, "VLM"],
    ],
  },
  questrade: {
    lines: [
      "Transaction Date,Settlement Date,Action,Symbol,Description,Quantity,Price,Gross Amount,Commission,Net Amount,Currency,Account #,Activity Type,Account Type",
      "2025-01-15 09:30:00 AM,2025-01-16 12:00:00 AM,Buy,VLM,VELMORA INC,100.00000,150.00000000,-15000.00,-9.95,-15009.95,USD,12345,Trades,Individual",
      "2025-01-14 12:00:00 AM,2025-01-14 12:00:00 AM,,VLM,VELMORA DIST ON 56 SHS,0.00000,0.00000000,0.00,0.00,5.25,USD,12345,Dividends,Individual",
      "2025-01-13 12:00:00 AM,2025-01-13 12:00:00 AM,CON,,CONTRIBUTION,0.00000,0.00000000,0.00,0.00,2000.00,CAD,12345,Deposits,Individual",
    ],
    rows: [
      ["buy", "100.00000", "-15009.95", "VLM"],
      ["dividend", null, "5.25", "VLM"],
      ["deposit", null, "2000.00", null],
    ],
  },
  etrade: {
    lines: [
      "For Account:,####2641",
      "",
      "TransactionDate,TransactionType,SecurityType,Symbol,Quantity,Amount,Price,Commission,Description",
      "",
      "12/31/19,Dividend,MF,VLMX,5.834,-81.33,0,0,VELMORA FUND                  REINVEST PRICE $ 13.94",
      "12/31/19,Dividend,MF,VLMX,0,81.33,0,0,VELMORA FUND                  L/T CAPITAL GAIN",
      "12/30/19,Sold,EQ,VLM,-10,1900.00,190.00,0.00,VELMORA INC",
      "12/29/19,Transfer,UNKNOWN, ,0,-50,0,0,TRANSFER TO XXXXXX0000",
    ],
    rows: [
      ["buy", "5.834", "-81.33", "VLMX"],
      ["dividend", null, "81.33", "VLMX"],
      ["sell", "-10", "1900.00", "VLM"],
      ["withdrawal", null, "-50", null],
    ],
  },
  vanguard: {
    lines: [
      "Account Number,Investment Name,Symbol,Shares,Share Price,Total Value,",
      '77,VELMORA FUND,VLM,10.5,"$1,200.00","$12,600.00",',
      ...["", "", ""],
      "Account Number,Trade Date,Settlement Date,Transaction Type,Transaction Description,Investment Name,Symbol,Shares,Share Price,Principal Amount,Commission Fees,Net Amount,Accrued Interest,Account Type,",
      "77,2024-03-01,2024-03-04,Buy,Buy,VELMORA FUND,VLM,1.0,200.00,-200.0,0.0,-200.0,0.0,CASH,",
      "77,03/02/2024,03/04/2024,Sell,Sell,VELMORA FUND,VLM,-2.0,200.00,400.0,1.0,(399.0),0.0,CASH,",
      "77,03/03/2024,03/03/2024,Sweep out,Sweep Out Of Settlement Fund,FERN MONEY MARKET,FMM,0.00000,1.0,12.03,0.0,12.03,0.0,CASH,",
      "77,03/03/2024,03/03/2024,Withdrawal,Withdrawal via Electronic Bank Transfer,CASH,,0.00000,0.0,-12.03,0.0,-12.03,0.0,CASH,",
      ...["", ""],
      "Account Number,Trade Date,Run Date,Transaction Activity,Transaction Description,Investment Name,Share Price,Transaction Shares,Dollar Amount,",
    ],
    rows: [
      ["buy", "1.0", "-200.0", "VLM"],
      ["sell", "-2.0", "399.0", "VLM"],
      ["other", "0.00000", "12.03", "FMM"],
      ["withdrawal", null, "-12.03", null],
    ],
  },
};

describe.each(Object.entries(own))("%s", (name, { lines, rows }) => {
  it("reads the columns of its export", () => {
    const feed = read(lines);
    expect(feed?.format).toBe(`mapping:${name.replace(/,.*/, "")}`);
    expect([feed?.left_out, feed?.refused_accounts]).toEqual([undefined, undefined]);
    expect(
      feed?.snapshot.transactions?.map(({ kind, amount, balance, identifiers }) => [
        kind,
        amount,
        balance,
        identifiers?.isin ?? identifiers?.ticker ?? null,
      ]),
    ).toEqual(rows);
  });
});

it.each(Object.entries(own))(
  "[C-9.192] %s, cut at every byte: is refused, or has no row that the whole file does not have",
  (_, { lines }) => {
    const file = bytes(lines);
    const rowsOf = (part: Uint8Array) => {
      try {
        const { transactions } = readByMapping(part, shippedMappings(), "x.csv")?.snapshot ?? {};
        return (transactions ?? []).map(({ key: _key, ...row }) => JSON.stringify(row));
      } catch (error) {
        if (error instanceof FeedRefusal) return [];
        throw error;
      }
    };
    const whole = rowsOf(file);
    expect(whole.length).toBeGreaterThan(0);
    const odd: string[] = [];
    for (let end = 1; end < file.length; end += 1) {
      const isOdd = rowsOf(file.subarray(0, end)).some((row) => !whole.includes(row));
      // Within the last column, nothing shows that a table was cut off.
      if (isOdd && !isInLastColumn(file.subarray(0, end)))
        odd.push(new TextDecoder().decode(file.subarray(Math.max(0, end - 25), end)));
    }
    expect(odd).toEqual([]);
  },
);

function isInLastColumn(cut: Uint8Array): boolean {
  // One text of Robinhood's has a line break.
  const lines = new TextDecoder().decode(cut).replaceAll("\nCUSIP", " CUSIP").split("\n");
  const signs = (line = "") => line.split(line.startsWith('"') ? '",' : /[;,]/).length;
  return signs(lines.at(-1)) >= signs(lines[0]);
}

it("an activity statement of Interactive Brokers: several tables, instruments named at the end", () => {
  const feed = read([
    "Statement,Header,Field Name,Field Value",
    'Statement,Data,Period,"January 1, 2026 - January 31, 2026"',
    "Account Information,Header,Field Name,Field Value",
    "Account Information,Data,Account,U77 (Custom Consolidated)",
    "Account Information,Data,Base Currency,CHF",
    "Open Positions,Header,DataDiscriminator,Asset Category,Currency,Symbol,Quantity,Mult,Cost Price,Cost Basis,Close Price,Value,Unrealized P/L,Code",
    'Open Positions,Data,Summary,Stocks,USD,VLM,"1,010.5",1,5,"5,052.5",6,6063,1010.5,',
    "Open Positions,Total,,Stocks,USD,,,,,5052.5,,6063,1010.5,",
    "Trades,Header,DataDiscriminator,Asset Category,Currency,Symbol,Date/Time,Quantity,T. Price,C. Price,Proceeds,Comm/Fee,Basis,Realized P/L,MTM P/L,Code",
    'Trades,Data,Order,Stocks,USD,VLM,"2026-01-12, 09:30:01",10.5,5,5.1,-52.5,-1,53.5,0,1.05,O',
    "Trades,SubTotal,,Stocks,USD,VLM,,10.5,,,-52.5,-1,53.5,0,1.05,",
    "Cash Report,Header,Currency Summary,Currency,Total,Securities,Futures,",
    "Cash Report,Data,Ending Cash,Base Currency Summary,1,1,0,",
    "Cash Report,Data,Ending Cash,CHF,12.34,12.34,0,",
    "Financial Instrument Information,Header,Asset Category,Symbol,Description,Conid,Security ID,Underlying,Listing Exch,Multiplier,Type,Code",
    "Financial Instrument Information,Data,Stocks,VLM,VELMORA INC,1,US0378331005,,,1,COMMON,",
    "Codes,Header,Code,Meaning",
  ]);
  expect(feed?.snapshot.portfolios).toMatchObject([
    { key: "U77", currency: "CHF", as_of: new Date("2026-01-31T00:00:00Z") },
  ]);
  expect(feed?.snapshot.holdings).toMatchObject([
    { key: "ISIN:US0378331005", name: "VELMORA INC", amount: "1010.5", balance: "6063", cost: "5052.5", type: "VI" },
    { key: "CASH:CHF", balance: "12.34", type: "L" },
  ]);
  expect(feed?.snapshot.transactions).toMatchObject([
    {
      kind: "buy",
      amount: "10.5",
      balance: "-53.5",
      operation_date: "2026-01-12",
      fees: "1",
      holding_key: "ISIN:US0378331005",
    },
  ]);
  expect(feed?.warnings).toMatchObject([
    { message: expect.stringContaining('"Codes"') },
    { message: expect.stringContaining("1 rows") },
  ]);
});

const samples = process.env.SAMPLES_DIR ?? new URL("../../../../shared/samples", import.meta.url).pathname;

/** Rows and exact sums of cash, computed from the files with Python's csv and decimal modules. */
const figures: readonly (readonly [
  path: string,
  mapping: string,
  rows: number,
  cash: Readonly<Record<string, string>>,
])[] = [
  ["csv/swissquote-export.csv", "swissquote", 21, { CHF: "62020.99", EUR: "2481.97", USD: "39220.25" }],
  ["csv/saxo-export.csv", "saxo", 30, { EUR: "-107.71", USD: "513.73" }],
  ["csv/schwab-export.csv", "schwab", 119, { USD: "400074.19" }],
  ["more/csv/avanza-export.csv", "avanza", 20, { SEK: "-94340.33" }],
  ["more/csv/finpension-3a-export.csv", "finpension-3a", 26, { CHF: "1366.561506" }],
  ["more/csv/rabobank-export.csv", "rabobank", 12, { EUR: "121.30" }],
  ["more/csv/ibkr-trades-export.csv", "ibkr-trades", 14, { CHF: "-1989.23142", USD: "0.732" }],
  ["more/csv/investengine-export.csv", "investengine", 5, { GBP: "-106.57" }],
  ["more/csv/coinbase-export.csv", "coinbase", 10, { EUR: "-70.00", USD: "-70.00" }],
  ["reports/s01-schwab-actions.csv", "schwab", 7, { USD: "534.45" }],
  ["reports/s02-schwab-corporate.csv", "schwab", 9, { USD: "55.90" }],
  ["reports/s03-swissquote-de.csv", "swissquote", 3, { CHF: "1098.17", EUR: "-690.86" }],
  ["reports/s06-t212-few-columns.csv", "trading212", 4, { EUR: "-13.32", GBP: "2000" }],
  ["reports/s11-vanguard.csv", "vanguard", 1, { USD: "-200" }],
  ["reports/s12-scalable.csv", "scalable", 2, { EUR: "-109.59" }],
];

it.each([
  ["fidelity", 3, " 09/05/2025", "Run Date"],
  ["robinhood", 2, '"3/2/2026"', "Activity Date"],
] as const)(
  "[C-9.433] a movement of %s without a day is no note below the table: it is left out and listed",
  (name, at, day, field) => {
    const lines = own[name]?.lines.map((line, index) => (index === at ? line.replace(day, "soon") : line)) ?? [];
    expect(read(lines)?.left_out).toMatchObject([{ field }]);
  },
);

it("Vanguard's holdings are stated as of its latest transaction, since the file says no day", () => {
  const { portfolios, holdings } = read(own.vanguard?.lines ?? [])?.snapshot ?? {};
  expect(portfolios).toMatchObject([{ key: "77", balance: "12600.00", as_of: new Date("2024-03-03T00:00:00Z") }]);
  expect(holdings).toMatchObject([{ key: "SYMBOL:VLM", amount: "10.5", price: "1200.00", balance: "12600.00" }]);
});

it("positions of Fidelity: the day is in the file's name, notes are below the table", () => {
  const lines = [
    "Account Number,Account Name,Symbol,Description,Quantity,Last Price,Last Price Change,Current Value,Today's Gain/Loss Dollar,Today's Gain/Loss Percent,Total Gain/Loss Dollar,Total Gain/Loss Percent,Percent Of Account,Cost Basis Total,Average Cost Basis,Type",
    "X1,Individual - TOD,FMM**,HELD IN MONEY MARKET,,,,$286.51,,,,,50.00%,,,Cash,",
    'X1,Individual - TOD,VLM,VELMORA INC COM,136,$43.46,+$0.10,"$5,910.56",,,,,50.00%,$1053.49,$7.75,Cash,',
    "X2,ROTH IRA,VLM,VELMORA INC COM,1,--,--,n/a,,,,,50.00%,--,--,Cash,",
    "X1,Individual - TOD,Pending Activity,,,,,$12.00,,,,,,,,,",
    ...["", '"Brokerage services are provided by Fern Brokerage, 900 Fern Street."', ""],
    '"Date downloaded Jan-15-2026 2:35 a.m ET"',
  ];
  const feed = readByMapping(bytes(lines), shippedMappings(), "in/Portfolio_Positions_Jan-15-2026.csv");
  expect(feed?.format).toBe("mapping:fidelity-positions");
  expect(feed?.snapshot.portfolios).toMatchObject([
    { key: "X1", name: "Individual - TOD", balance: "6197.07", as_of: new Date("2026-01-15T00:00:00Z") },
    { key: "X2", balance: null },
  ]);
  expect(feed?.snapshot.holdings).toMatchObject([
    { key: "SYMBOL:FMM", amount: null, balance: "286.51", type: "L" },
    { key: "SYMBOL:VLM", amount: "136", balance: "5910.56", cost: "1053.49", price: "43.46" },
    { amount: "1", balance: null },
  ]);
});

it.each([
  ["MM/dd/yyyy", '"Positions for account Individual ...342 as of 10:11 PM ET, 02/06/2026"'],
  ["yyyy/MM/dd", '"Positions for account Individual ...342 as of 10:11 PM ET, 2026/02/06","","","","","","",""'],
])("positions of Schwab, whose title has the day as %s", (_, title) => {
  const feed = read([
    title,
    "",
    '"Symbol","Description","Qty (Quantity)","Price","Mkt Val (Market Value)","Cost Basis","Reinvest?","Security Type",',
    '"VLM","VELMORA TRUST","2,475.4712","9.85","$24,383.39","$25,538.19","Yes","ETFs & Closed End Funds",',
    '"ODD","ODD INC","1","N/A","$1.00","--","No","Equity",',
    '"037833AK6","FERN 2.4% 30","1,000","99.50","$995.00","N/A","No","Fixed Income",',
    '"Cash & Cash Investments","--","--","--","$6,440.00","--","--","--",',
    '"Positions Total","--","--","--","$31,819.39","$0.00","--","--",',
  ]);
  expect(feed?.format).toBe("mapping:schwab-positions");
  expect(feed?.snapshot.portfolios).toMatchObject([
    { key: "Individual ...342", balance: "31819.39", as_of: new Date("2026-02-06T00:00:00Z") },
  ]);
  expect(feed?.snapshot.holdings).toMatchObject([
    { amount: "2475.4712", balance: "24383.39", cost: "25538.19", type: "ETF" },
    { balance: "1.00", type: "VI" },
    { price: "99.50", price_unit: "percent", type: "FI" },
    { key: "CASH:USD", balance: "6440.00" },
  ]);
  expect(feed?.warnings).toEqual([
    { place: "file", message: "1 rows are left out, as the mapping schwab-positions says" },
  ]);
});

it("[C-9.192] a kind of row that a shipped mapping does not know is left out, counted and listed", () => {
  const feed = read([...(own.schwab?.lines ?? []), '"08/24/2025","Odd Thing","VLM","","","","","$1.00"']);
  expect(feed?.snapshot.transactions).toHaveLength(3);
  expect(feed?.left_out).toEqual([{ place: 'line 5, column "Action"', field: "Action" }]);
  expect(feed?.warnings).toEqual([
    {
      place: 'line 5, column "Action"',
      message: '"Odd Thing" is a kind of row that the mapping does not know; the row is left out',
    },
  ]);
});

describe.skipIf(!existsSync(samples))("exports of the samples", () => {
  it("more/csv/trading212-export.csv, whose rows of four kinds are from exports with other columns", () => {
    const path = join(samples, "more/csv/trading212-export.csv");
    const { snapshot, left_out } = readByMapping(readFileSync(path), shippedMappings()) ?? {};
    const lines = readFileSync(path, "utf8").trim().split("\n");
    const odd = lines.flatMap((line, index) => (/^(?:Stock|Transfer)/.test(line) ? index + 1 : []));
    expect(left_out).toEqual(odd.map((line) => ({ place: `line ${line}, column "Action"`, field: "Action" })));
    expect(
      snapshot?.transactions?.map(({ kind, amount, balance, currency }) => [kind, amount, balance, currency].join(" ")),
    ).toEqual(TRADING212);
  });

  it("more/csv/directa-export.csv, which ends with a row that cannot be; without it every row is read", () => {
    const file = readFileSync(join(samples, "more/csv/directa-export.csv"));
    expect(readByMapping(file, shippedMappings())?.warnings).toContainEqual({
      place: 'line 34, column "Tipo operazione"',
      message: '"Pippo" is a kind of row that the mapping does not know; the row is left out',
    });
    const sound = file.toString("latin1").split("\n").slice(0, 33).join("\n");
    const { transactions = [] } = readByMapping(Buffer.from(sound, "latin1"), shippedMappings())?.snapshot ?? {};
    const cash = transactions?.reduce((sum, { balance }) => sum + scaled(balance ?? "0"), 0n);
    expect([transactions?.length, cash]).toEqual([23, scaled("1323.19")]);
  });

  it("more/csv/ibkr-activity-statement.csv", () => {
    const file = readFileSync(join(samples, "more/csv/ibkr-activity-statement.csv"));
    const { holdings } = readByMapping(file, shippedMappings())?.snapshot ?? {};
    expect(
      holdings?.map(({ amount, currency, identifiers }) => `${identifiers?.ticker} ${amount} ${currency}`),
    ).toEqual(["AMZN 10.5041 USD", "CSPX 13.4888 USD"]);
  });

  it.each(["csv/degiro-export.csv", "more/csv/xtb-export.csv", "more/csv/etoro-export.csv"])(
    "%s, which leaves something open, is read by none",
    (path) => {
      expect(findMapping(readFileSync(join(samples, path)), shippedMappings())).toBeNull();
    },
  );

  it.each(figures)("%s", (path, name, count, cash) => {
    const file = readFileSync(join(samples, path));
    expect(findMapping(file, shippedMappings())?.name).toBe(name);
    const { transactions } = readByMapping(file, shippedMappings(), path)?.snapshot ?? {};
    expect(transactions).toHaveLength(count);
    const sums: Record<string, bigint> = {};
    for (const { balance, currency } of transactions ?? [])
      sums[currency] = (sums[currency] ?? 0n) + scaled(balance ?? "0");
    expect(sums).toEqual(Object.fromEntries(Object.entries(cash).map(([currency, sum]) => [currency, scaled(sum)])));
  });
});

/**
 * What a draft asks about each export, and how many movements it reads without answers. For a file with a shipped mapping they equal the
 * mapping's, except for the kind, if the draft asks for neither money nor currency.
 */
const drafts: Readonly<Record<string, readonly [asks: string, rows: number]>> = {
  "csv/degiro-export.csv": ["values.currency values.cash account.number tables[0].rows", 0],
  "csv/saxo-export.csv": ["decimal tables[0].rows", 0],
  "csv/schwab-export.csv": ["values.currency account.number tables[0].rows", 18],
  "csv/swissquote-export.csv": ["account.number tables[0].rows", 19],
  "more/csv/avanza-export.csv": ["values.price tables[0].rows", 14],
  "more/csv/coinbase-export.csv": ["values.currency account.number tables[0].rows", 2],
  "more/csv/directa-export.csv": ["account.number tables[0].rows", 23],
  "more/csv/etoro-export.csv": ["values.currency account.number decimal tables[0].rows", 13],
  "more/csv/finpension-3a-export.csv": ["values.currency account.number tables[0].rows", 24],
  "more/csv/ibkr-activity-statement.csv": [
    "tables[0].values.currency tables[0].values.units tables[0].values.date tables[1].values.date account.number",
    0,
  ],
  "more/csv/ibkr-trades-export.csv": ["values.cash account.number", 11],
  "more/csv/investengine-export.csv": ["values.currency values.cash values.date account.number", 0],
  "more/csv/rabobank-export.csv": ["tables[0].rows", 11],
  "more/csv/trading212-export.csv": ["values.price account.number tables[0].rows", 9],
  "more/csv/xtb-export.csv": ["values.currency account.number tables[0].rows", 18],
};

describe.skipIf(!existsSync(samples))("[C-9.196] drafts of the samples' exports", () => {
  it("are made of all of them", () => {
    const names = ["csv", "more/csv"].flatMap((folder) =>
      readdirSync(join(samples, folder)).map((name) => `${folder}/${name}`),
    );
    expect(Object.keys(drafts).sort()).toEqual(names.sort());
  });

  it.each(Object.entries(drafts))("%s", (path, [asks, rows]) => {
    const file = readFileSync(join(samples, path));
    const { mapping, to_decide } = draftMapping(file, path);
    expect([...new Set(to_decide.map((one) => one.path))].join(" ")).toBe(asks);
    const said = movementsBy(mapping, file);
    expect(said).toHaveLength(rows);
    const shipped = findMapping(file, shippedMappings());
    if (shipped === null || /currency|cash/.test(asks)) return;
    const known = movementsBy(shipped, file);
    expect(said.filter((row) => !known.includes(row))).toEqual([]);
  });
});

/** Day, units, money and currency of the movements that a mapping reads; none if the mapping is incomplete. */
function movementsBy(mapping: object, file: Uint8Array): readonly string[] {
  try {
    const { rows } = testMapping(file, parseFeedMapping(mapping), { limit: 1_000 });
    return rows.flatMap(({ is, values }) =>
      is === "transaction" ? [`${values.operation_date} ${values.amount} ${values.balance} ${values.currency}`] : [],
    );
  } catch (error) {
    if (error instanceof FeedMappingError) return [];
    throw error;
  }
}

/** The contents of the rows, copied by eye. */
const TRADING212 = [
  "deposit  31.00 EUR",
  "buy 0.0290530000 -1.33 EUR",
  "buy 0.0410140000 -1.20 EUR",
  "buy 0.2976400000 -1.47 EUR",
  "sell -0.6125400000 0.70 EUR",
  "dividend  0.03 EUR",
  "dividend  0.03 EUR",
  "dividend  17.67 EUR",
  "interest  0.01 EUR",
];

function scaled(decimal: string): bigint {
  const [whole = "", fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.padEnd(20, "0"));
}
