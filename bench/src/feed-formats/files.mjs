// Generates custodians' files of any size, the same in every run.

/** More digits than a float holds, in one of a thousand amounts. A SWIFT field has no room for that many. */
const LONG = "10821.52010028960000123";
const LONG_OF_SWIFT = "90071992547,40";

/** The parts of a file of each format: a beginning, rows, an end. */
const makers = {
  "camt.053": {
    rows: camtEntry,
    begin: `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-01-31T23:10:00+01:00</CreDtTm></GrpHdr>
<Stmt><Id>S1</Id><CreDtTm>2026-01-31T23:00:00+01:00</CreDtTm>
<Acct><Id><IBAN>CH9300762011623852957</IBAN></Id><Ccy>CHF</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="CHF">49.955</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-01-31</Dt></Dt></Bal>
`,
    end: "</Stmt></BkToCstmrStmt></Document>\n",
  },
  flex: {
    rows: flexTrade,
    begin: `<?xml version="1.0" encoding="UTF-8"?>
<FlexQueryResponse queryName="q" type="AF"><FlexStatements count="1">
<FlexStatement accountId="U1" fromDate="20260131" toDate="20260131" period="LastBusinessDay" whenGenerated="20260201;031500">
<AccountInformation accountId="U1" currency="EUR" />
<OpenPositions><OpenPosition conid="1" symbol="VELM" description="VELMORA" assetCategory="STK" currency="USD" position="3" positionValue="30.30" markPrice="10.10" reportDate="20260131" /></OpenPositions>
<Trades>
`,
    end: "</Trades></FlexStatement></FlexStatements></FlexQueryResponse>\n",
  },
  ofx: {
    rows: ofxPosition,
    begin: `OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

<OFX>
<SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20260202090000<LANGUAGE>ENG<FI><ORG>Larkspur Trust<FID>1</FI></SONRS></SIGNONMSGSRSV1>
<INVSTMTMSGSRSV1><INVSTMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><INVSTMTRS>
<DTASOF>20260131180000<CURDEF>USD<INVACCTFROM><BROKERID>larkspur.example<ACCTID>77-1</INVACCTFROM>
<INVPOSLIST>
`,
    end: "</INVPOSLIST></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1></OFX>\n",
  },
  mt940: {
    rows: mt940Entry,
    begin: ":20:LARKSPUR\n:25:517852257\n:28C:19321/1\n:60F:C260131EUR3236,28\n",
    end: ":62F:C260131EUR3236,28\n-\n",
  },
  mt535: {
    rows: mt535Position,
    begin: `{1:F01LARKCHZZAXXX0000000001}{2:O5351200260131VELMGB2LAXXX00000000012601311200N}{4:
:16R:GENL
:28E:00001/ONLY
:20C::SEME//P1
:23G:NEWM
:98C::STAT//20260131180000
:22F::STTY//CUST
:97A::SAFE//SAFE42
:17B::ACTI//Y
:16S:GENL
:16R:SUBSAFE
`,
    end: ":16S:SUBSAFE\n-}\n",
  },
  csv: {
    rows: csvRow,
    begin:
      "Client ID,Trade Date,Value Date,Type,Instrument,Instrument ISIN,Instrument currency,Exchange Description,Instrument Symbol,Event,Amount,Order ID,Conversion Rate\n",
    end: "",
  },
};

export const formats = Object.keys(makers);

/** A file of a format with about `bytes` bytes, and its number of rows. */
export function makeFile(format, bytes) {
  const { begin, rows, end } = makers[format];
  const parts = [begin];
  let size = begin.length + end.length;
  let count = 0;
  for (; size < bytes; count += 1) {
    const row = rows(count);
    parts.push(row);
    size += row.length;
  }
  parts.push(end);
  return { bytes: Buffer.from(parts.join(""), "latin1"), rows: count };
}

/** Amounts in every file of a format that lose digits or trailing zeros in a float. Decimal strings. */
export function tellingAmounts(format) {
  return [format.startsWith("mt") ? LONG_OF_SWIFT.replace(",", ".") : LONG, amount(ROUND)];
}

const ROUND = 40;

const isOdd = (index) => index % 1_000 === 7;

/** An amount of money. */
function amount(index) {
  return isOdd(index) ? LONG : `${(index * 7_919) % 100_000}.${String((index % 90) + 10)}`;
}

function swiftAmount(index) {
  return isOdd(index) ? LONG_OF_SWIFT : amount(index).replace(".", ",");
}

function camtEntry(index) {
  return `<Ntry><Amt Ccy="CHF">${amount(index)}</Amt><CdtDbtInd>${index % 2 ? "DBIT" : "CRDT"}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-01-30</Dt></BookgDt><ValDt><Dt>2026-01-31</Dt></ValDt><AcctSvcrRef>R${index}</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd><NtryDtls><TxDtls><Refs><EndToEndId>E${index}</EndToEndId></Refs><RltdPties><Dbtr><Nm>Larkspur &amp; Sons</Nm></Dbtr></RltdPties><RmtInf><Ustrd>Rent of January, flat ${index}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
`;
}

function flexTrade(index) {
  return `<Trade accountId="U1" conid="${index % 900}" symbol="VELM" description="VELMORA FOODS INC" assetCategory="STK" subCategory="COMMON" currency="USD" fxRateToBase="0.92" isin="US0378331005" cusip="037833100" listingExchange="NYSE" multiplier="1" tradeDate="20260131" dateTime="20260131;101500" settleDateTarget="20260202" buySell="BUY" quantity="4" tradePrice="10.25" proceeds="-41" taxes="0" ibCommission="-1.05" ibCommissionCurrency="USD" netCash="-${amount(index)}" transactionType="ExchTrade" tradeID="${index}" transactionID="${9_000_000 + index}" levelOfDetail="EXECUTION" />
`;
}

function ofxPosition(index) {
  return `<POSSTOCK><INVPOS><SECID><UNIQUEID>${100_000_000 + index}<UNIQUEIDTYPE>PRIVATE</SECID><HELDINACCT>CASH<POSTYPE>LONG<UNITS>10.500<UNITPRICE>21.00<MKTVAL>${amount(index)}<DTPRICEASOF>20260131<MEMO>Position ${index} of the depot</INVPOS></POSSTOCK>
`;
}

function mt940Entry(index) {
  // Each amount is credited and debited, so that the balances are right.
  const entry = (sign) => `:61:2601310131${sign}${swiftAmount(index)}N426NONREF//${sign}${index}
:86:BEA   NR:XXX1234   31.01.26/12.54 LARKSPUR ${index} KATWIJK,PAS999
`;
  return entry("C") + entry("D");
}

function mt535Position(index) {
  return `:16R:FIN
:35B:/XX/L${index}
LARKSPUR SHARE ${index}
:90B::MRKT//ACTU/USD190,5
:98A::PRIC//20260130
:93B::AGGR//UNIT/${(index % 900) + 1},
:19A::HOLD//USD${swiftAmount(index)}
:16S:FIN
`;
}

function csvRow(index) {
  const stated = !isOdd(index) && index % 3 === 0 ? `"${swiftAmount(index)}"` : amount(index);
  return `,02-Jan-2026,04-Jan-2026,Corporate action,Vanguard FTSE All-World UCITS ETF,IE00B3RBWM25,EUR,Euronext Amsterdam,VWRL:xams,Dividend,${stated},,0.92139706
`;
}
