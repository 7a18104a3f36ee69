import type { MarkupElement } from "../markup/element.js";
import { readTree } from "../markup/tree.js";
import { decodeOfx } from "./encoding.js";

/**
 * Reads a file and returns its `OFX` element, with all names in upper case. Values may be unclosed whatever the header says, because banks put
 * the header of OFX 2 (XML) before bodies of OFX 1 (SGML).
 */
export function readElements(file: Uint8Array): MarkupElement {
  const { text, offset } = decodeOfx(file);
  return readTree(text, offset, { nameOf: (written) => written.toUpperCase(), aggregates }, file);
}

/** Aggregates of statements and security lists (OFX 2.2 §11, §13). If one were taken for an empty value, its rows would be lost. */
const aggregates: ReadonlySet<string> = new Set(
  `OFX STATUS FI SONRS STMTTRNRS CCSTMTTRNRS INVSTMTTRNRS STMTRS CCSTMTRS INVSTMTRS
  SIGNONMSGSRSV1 BANKMSGSRSV1 CREDITCARDMSGSRSV1 INVSTMTMSGSRSV1 SECLISTMSGSRSV1
  BANKACCTFROM CCACCTFROM INVACCTFROM BANKTRANLIST INVTRANLIST INVPOSLIST INVOOLIST BALLIST SECLIST
  LEDGERBAL AVAILBAL INVBAL BAL INV401K INV401KBAL CURRENCY ORIGCURRENCY PAYEE
  STMTTRN INVBANKTRAN INVTRAN INVBUY INVSELL SECID SECINFO INVPOS POSDEBT POSMF POSOPT POSOTHER POSSTOCK
  BUYDEBT BUYMF BUYOPT BUYOTHER BUYSTOCK SELLDEBT SELLMF SELLOPT SELLOTHER SELLSTOCK CLOSUREOPT INCOME INVEXPENSE JRNLFUND
  JRNLSEC MARGININTEREST REINVEST RETOFCAP SPLIT TRANSFER DEBTINFO MFINFO OPTINFO OTHERINFO STOCKINFO`.split(/\s+/),
);
