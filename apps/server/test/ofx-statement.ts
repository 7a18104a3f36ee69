/** An OFX 1.x investment statement with this many positions, each in a security of its own, one purchase, and other movements. */
export function ofxStatement(positions: number, movements = ""): Uint8Array {
  const numbers = Array.from({ length: positions }, (_, index) => String(index).padStart(9, "0"));
  const security = (number: string) => `<SECID><UNIQUEID>${number}<UNIQUEIDTYPE>PRIVATE</SECID>`;
  const held = numbers.map(
    (number) =>
      `<POSSTOCK><INVPOS>${security(number)}<HELDINACCT>CASH<POSTYPE>LONG<UNITS>2<UNITPRICE>1.25<MKTVAL>2.50<DTPRICEASOF>20240131</INVPOS></POSSTOCK>`,
  );
  const known = numbers.map(
    (number) => `<STOCKINFO><SECINFO>${security(number)}<SECNAME>Share ${number}</SECINFO></STOCKINFO>`,
  );
  const bought = `<BUYSTOCK><INVBUY><INVTRAN><FITID>1<DTTRADE>20240115</INVTRAN>${security(numbers[0] ?? "")}<UNITS>2<UNITPRICE>1.25<TOTAL>-2.50<SUBACCTSEC>CASH<SUBACCTFUND>CASH</INVBUY><BUYTYPE>BUY</BUYSTOCK>`;
  const statement = `<INVSTMTRS><DTASOF>20240131<CURDEF>USD<INVACCTFROM><BROKERID>broker.example<ACCTID>42</INVACCTFROM>
<INVTRANLIST><DTSTART>20240101<DTEND>20240131${bought}${movements}</INVTRANLIST>
<INVPOSLIST>${held.join("\n")}</INVPOSLIST></INVSTMTRS>`;
  const status = "<STATUS><CODE>0<SEVERITY>INFO</STATUS>";
  return Buffer.from(`OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

<OFX><SIGNONMSGSRSV1><SONRS>${status}<DTSERVER>20240131<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1>
<INVSTMTMSGSRSV1><INVSTMTTRNRS><TRNUID>1${status}${statement}</INVSTMTTRNRS></INVSTMTMSGSRSV1>
<SECLISTMSGSRSV1><SECLIST>${known.join("\n")}</SECLIST></SECLISTMSGSRSV1></OFX>
`);
}
