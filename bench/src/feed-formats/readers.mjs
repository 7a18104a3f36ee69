// Readers of custodians' files to compare: ours, which check a file and return portfolios, holdings and transactions; and npm packages, which return
// objects with the contents of the file, alone and with the work that remains for the caller.
import { camtTransactions, csvTransactions, flexTransactions } from "./same-work.mjs";

const camtTemplate = {
  entries: [
    "//Ntry",
    {
      amount: "Amt",
      currency: "Amt/@Ccy",
      sign: "CdtDbtInd",
      day: "BookgDt/Dt",
      value: "ValDt/Dt",
      reference: "AcctSvcrRef",
      end: "NtryDtls/TxDtls/Refs/EndToEndId",
      party: "NtryDtls/TxDtls/RltdPties/Dbtr/Nm",
      text: "NtryDtls/TxDtls/RmtInf/Ustrd",
    },
  ],
};

const flexTemplate = {
  trades: [
    "//Trade",
    {
      account: "@accountId",
      conid: "@conid",
      symbol: "@symbol",
      name: "@description",
      category: "@assetCategory",
      currency: "@currency",
      isin: "@isin",
      cusip: "@cusip",
      day: "@tradeDate",
      settles: "@settleDateTarget",
      quantity: "@quantity",
      price: "@tradePrice",
      taxes: "@taxes",
      proceeds: "@proceeds",
      commission: "@ibCommission",
      cash: "@netCash",
      id: "@transactionID",
      trade: "@tradeID",
      level: "@levelOfDetail",
    },
  ],
};

/**
 * By format: the readers, and how to find the amounts in their results (a string if digits are kept). Packages are loaded only by the process that
 * measures them.
 */
export const readers = {
  "camt.053": {
    ours: { read: ours, amountsOf: ({ snapshot }) => snapshot.transactions.map(({ balance }) => unsigned(balance)) },
    "fast-xml-parser": { read: fastXml({}), amountsOf: camtAmounts },
    "fast-xml-parser, values as text": {
      read: fastXml({ parseTagValue: false, parseAttributeValue: false }),
      amountsOf: camtAmounts,
    },
    camaro: {
      read: camaro(camtTemplate),
      amountsOf: ({ entries }) => entries.map(({ amount }) => amount),
    },
    "fast-xml-parser, values as text, and the same work": {
      read: andThen(fastXml({ parseTagValue: false, parseAttributeValue: false }), (document) =>
        camtTransactions(document.Document.BkToCstmrStmt.Stmt.Ntry.map(camtEntryOf)),
      ),
      amountsOf: balances,
    },
    "camaro, and the same work": {
      read: andThen(camaro(camtTemplate), ({ entries }) => camtTransactions(entries)),
      amountsOf: balances,
    },
  },
  flex: {
    ours: {
      read: ours,
      amountsOf: ({ snapshot }) => snapshot.transactions.map(({ balance }) => unsigned(balance ?? "")),
    },
    "fast-xml-parser": { read: fastXml({ parseAttributeValue: true }), amountsOf: flexAmounts },
    "fast-xml-parser, values as text": {
      read: fastXml({ parseTagValue: false, parseAttributeValue: false }),
      amountsOf: flexAmounts,
    },
    camaro: {
      read: camaro(flexTemplate),
      amountsOf: ({ trades }) => trades.map(({ cash }) => unsigned(cash)),
    },
    "fast-xml-parser, values as text, and the same work": {
      read: andThen(fastXml({ parseTagValue: false, parseAttributeValue: false }), (document) =>
        flexTransactions(document.FlexQueryResponse.FlexStatements.FlexStatement.Trades.Trade.map(flexTradeOf)),
      ),
      amountsOf: balances,
    },
    "camaro, and the same work": {
      read: andThen(camaro(flexTemplate), ({ trades }) => flexTransactions(trades)),
      amountsOf: balances,
    },
  },
  ofx: {
    ours: { read: ours, amountsOf: ({ snapshot }) => snapshot.holdings.map(({ balance }) => balance) },
    "ofx-js": {
      async read(bytes) {
        const { parse } = await import("ofx-js");
        return parse(bytes.toString("latin1"));
      },
      amountsOf: ({ OFX }) =>
        OFX.INVSTMTMSGSRSV1.INVSTMTTRNRS.INVSTMTRS.INVPOSLIST.POSSTOCK.map(({ INVPOS }) => INVPOS.MKTVAL),
    },
  },
  mt940: {
    ours: { read: ours, amountsOf: ({ snapshot }) => snapshot.transactions.map(({ balance }) => unsigned(balance)) },
    mt940js: {
      async read(bytes) {
        const { Parser } = (await import("mt940js")).default;
        return new Parser().parse(bytes.toString("latin1"));
      },
      amountsOf: (statements) => statements.flatMap(({ transactions }) => transactions.map(({ amount }) => amount)),
    },
    "mt940-js": {
      async read(bytes) {
        const { read } = await import("mt940-js");
        return read(bytes);
      },
      amountsOf: (statements) => statements.flatMap(({ transactions }) => transactions.map(({ amount }) => amount)),
    },
    "@centrapay/swift-parser": {
      async read(bytes) {
        const { default: parser } = await import("@centrapay/swift-parser");
        return parser.parse({ type: "mt940", data: bytes.toString("latin1") });
      },
      amountsOf: (statements) => statements.flatMap(({ transactions }) => transactions.map(({ amount }) => amount)),
    },
  },
  mt535: {
    ours: { read: ours, amountsOf: ({ snapshot }) => snapshot.holdings.map(({ balance }) => balance) },
  },
  csv: {
    ours: {
      read: oursByMapping,
      amountsOf: ({ snapshot }) => snapshot.transactions.map(({ balance }) => unsigned(balance)),
    },
    "csv-parse": { read: csvParse, amountsOf: csvAmounts },
    papaparse: { read: papaparse, amountsOf: csvAmounts },
    "csv-parse, and the same work": { read: andThen(csvParse, csvTransactions), amountsOf: balances },
    "papaparse, and the same work": { read: andThen(papaparse, csvTransactions), amountsOf: balances },
  },
};

/** Adds the work that makes a reader's result equivalent to ours. */
function andThen(read, work) {
  return async (bytes) => work(await read(bytes));
}

function balances(transactions) {
  return transactions.map(({ balance }) => unsigned(balance));
}

async function csvParse(bytes) {
  const { parse } = await import("csv-parse/sync");
  return parse(bytes, { columns: true });
}

async function papaparse(bytes) {
  const { default: papa } = await import("papaparse");
  return papa.parse(bytes.toString("utf8"), { header: true, skipEmptyLines: true }).data;
}

function csvAmounts(rows) {
  return rows.map(({ Amount }) => Amount.replace(",", "."));
}

function camtEntryOf({ Amt, CdtDbtInd, BookgDt, ValDt, AcctSvcrRef, NtryDtls: { TxDtls } }) {
  return {
    amount: Amt["#text"],
    currency: Amt["@_Ccy"],
    sign: CdtDbtInd,
    day: BookgDt.Dt,
    value: ValDt.Dt,
    reference: AcctSvcrRef,
    party: TxDtls.RltdPties.Dbtr.Nm,
    text: TxDtls.RmtInf.Ustrd,
  };
}

function flexTradeOf(row) {
  const [, columns] = flexTemplate.trades;
  return Object.fromEntries(Object.entries(columns).map(([name, at]) => [name, row[at.replace("@", "@_")]]));
}

async function ours(bytes) {
  const { readFeed } = await import("@org/bank-providers");
  return readFeed(bytes);
}

async function oursByMapping(bytes) {
  const { readByMapping, shippedMappings } = await import("@org/feed-mapping");
  return readByMapping(bytes, shippedMappings(), "transactions.csv");
}

function fastXml(options) {
  return async (bytes) => {
    const { XMLParser } = await import("fast-xml-parser");
    return new XMLParser({ ignoreAttributes: false, ...options }).parse(bytes);
  };
}

function camaro(template) {
  return async (bytes) => {
    const { transform } = await import("camaro");
    return transform(bytes.toString("utf8"), template);
  };
}

function camtAmounts({ Document }) {
  return Document.BkToCstmrStmt.Stmt.Ntry.map(({ Amt }) => Amt["#text"]);
}

function flexAmounts({ FlexQueryResponse }) {
  const { Trade } = FlexQueryResponse.FlexStatements.FlexStatement.Trades;
  return Trade.map((row) => (typeof row["@_netCash"] === "string" ? unsigned(row["@_netCash"]) : row["@_netCash"]));
}

function unsigned(text) {
  return text.replace(/^-/, "");
}
