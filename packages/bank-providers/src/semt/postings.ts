import { negateDecimal } from "@org/core";
import type { FeedContent, FeedFormat, TransactionData } from "@org/provider-kit";
import { FeedWarnings, quotedText } from "../feed-warnings.js";
import { type MarkupElement, placeOfRow, refuse } from "../markup/element.js";
import { booleanIn, childOf, childrenOf, requiredChild } from "../markup/values.js";
import { readXmlDocuments } from "../markup/xml-document.js";
import {
  actionKind,
  described,
  movementContent,
  numbersOf,
  StatedAccounts,
  type StatedMovement,
} from "../stated-movements.js";
import { type ReportStatement, reportsOf } from "./pages.js";
import { accountIn, dayIn, everyOf, moneyIn, quantityIn, securityIn, valueIn, within } from "./values.js";

/** Reads ISO 20022 statements of postings (semt.017): what was received in and delivered from safekeeping accounts in a period. */
export const semt017Format = {
  name: "semt.017",
  title: "ISO 20022 securities transaction posting report (semt.017)",
  recognises: (head) => /iso:20022:tech:xsd:semt\.017\.|<(?:[\w.-]+:)?SctiesTxPstngRpt[\s>]/.test(head),
  read: (file) => readPostings(file),
} satisfies FeedFormat;

function readPostings(file: Uint8Array): FeedContent {
  const documents = readXmlDocuments(file);
  const messages = documents.flatMap((root) => everyOf(root, "SctiesTxPstngRpt"));
  const [first] = documents;
  if (messages.length === 0 && first) throw refuse(first, "holds no SctiesTxPstngRpt");
  const warnings = new FeedWarnings();
  const { whole, waiting } = reportsOf(messages, warnings);
  const told: StatedMovement[] = [];
  const accounts = new StatedAccounts();
  for (const statement of whole) {
    warnings.account(statement.account, () => {
      const movements = movementsOf(statement, warnings);
      const day = endOf(statement, movements, warnings);
      for (const movement of movements) told.push({ movement, day });
      // An account is left out if only its sub-accounts have movements.
      if (movements.length === 0) accounts.note(statement.account, day);
    });
  }
  const kept = waiting.filter((page) => warnings.account(page.account, () => checkPage(page)));
  const servicers = messages.map((message) => valueIn(within(childOf(message, "AcctSvcr"), "AnyBIC", "BICOrBEI")));
  return movementContent(told, accounts, servicers.find((bic) => bic !== null) ?? null, warnings, kept);
}

/** Reports faults of a page now and not when the last page has come. */
function checkPage(page: ReportStatement): void {
  movementsOf(page, new FeedWarnings());
}

/** The last day of the period, or else the day of the statement, or else that of the latest posting, `YYYY-MM-DD`. */
function endOf({ pages }: ReportStatement, movements: readonly TransactionData[], warnings: FeedWarnings): string {
  const [first] = pages;
  const details = requiredChild(first, "StmtGnlDtls");
  const end = warnings.optional(() => dayIn(within(childOf(details, "StmtPrd"), "ToDt", "ToDtTm")));
  const latest = movements
    .map(({ operation_date }) => operation_date)
    .toSorted()
    .at(-1);
  const day = end ?? warnings.optional(() => dayIn(childOf(details, "StmtDtTm"))) ?? latest ?? null;
  if (day === null) throw refuse(details, "StmtPrd is missing");
  return day;
}

function movementsOf({ account, pages }: ReportStatement, warnings: FeedWarnings): TransactionData[] {
  return pages.flatMap((page) => [
    ...movementsIn(page, account, warnings),
    ...childrenOf(page, "SubAcctDtls").flatMap((part) => movementsIn(part, accountIn(part).number, warnings)),
  ]);
}

function movementsIn(element: MarkupElement, account: string, warnings: FeedWarnings): TransactionData[] {
  return childrenOf(element, "FinInstrmDtls").flatMap((instrument) =>
    childrenOf(instrument, "Tx").flatMap(
      (posting) => warnings.movement(() => readMovement(posting, instrument, account, warnings)) ?? [],
    ),
  );
}

/** Elements that identify the event, the most specific first. The account servicer's id is also the reference of its messages. */
const references: readonly (readonly [name: string, scheme: string])[] = [
  ["AcctOwnrTxId", "SEME"],
  ["AcctSvcrTxId", "SEME"],
  ["AcctSvcrTxId", "ASRF"],
  ["TradId", "TRRF"],
  ["CmonId", "COMM"],
  ["MktInfrstrctrTxId", "MITI"],
  ["PrcrTxId", "PCTI"],
  ["CorpActnEvtId", "CORP"],
];

/** Reads one posting. A reversal (`RvslInd`) repeats the posting that it reverses, so its signs are turned. */
function readMovement(
  posting: MarkupElement,
  instrument: MarkupElement,
  portfolio_key: string,
  warnings: FeedWarnings,
): TransactionData {
  const details = requiredChild(posting, "TxDtls");
  const security = securityIn(instrument, warnings);
  const direction = valueIn(requiredChild(details, "SctiesMvmntTp"));
  if (direction !== "RECE" && direction !== "DELI")
    throw refuse(requiredChild(details, "SctiesMvmntTp"), `${quotedText(direction ?? "")} is neither RECE nor DELI`);
  const isReceipt = direction === "RECE";
  const isReversal = booleanIn(childOf(details, "RvslInd")) === true;
  const turned = (value: string) => (isReversal ? negateDecimal(value) : value);
  const units = quantityIn(requiredChild(details, "PstngQty")).value;
  const posted = childOf(details, "PstngAmt");
  const money = moneyIn(posted);
  const isDebit = money && { CRDT: false, DBIT: true }[valueIn(within(posted, "CdtDbtInd")) ?? ""];
  const optionalDay = (name: string) => warnings.optional(() => dayIn(childOf(details, name)));
  const settled = optionalDay("FctvSttlmDt") ?? optionalDay("SttlmDt");
  const operation_date = optionalDay("TradDt") ?? settled;
  if (operation_date === null) throw refuse(details, "FctvSttlmDt, SttlmDt or TradDt is missing");
  const action = valueIn(within(details, "CorpActnEvtTp"));
  const named = [...new Set(references.flatMap(([name, scheme]) => namesIn(posting, name, scheme)))];
  const [bought, moved] = isReceipt ? (["Buy", "Receipt"] as const) : (["Sell", "Delivery"] as const);
  const title = action ?? (money ? bought : moved);
  const free = isReceipt ? ("transfer_in" as const) : ("transfer_out" as const);
  const paid = isReceipt ? ("buy" as const) : ("sell" as const);
  return {
    key: null,
    portfolio_key,
    holding_key: security.key,
    operation_date,
    description: described(isReversal ? `Reversal: ${title}` : title, security.name),
    amount: turned(isReceipt ? units : negateDecimal(units)),
    balance:
      money &&
      turned((isDebit ?? isReceipt) && !money.value.startsWith("-") ? negateDecimal(money.value) : money.value),
    currency: money?.currency ?? "XXX",
    unit_price: null,
    kind: action !== null ? actionKind(action) : money ? paid : free,
    place: placeOfRow(posting),
    ...(settled !== null && { settlement_date: settled }),
    ...numbersOf(security),
    ...(named.length > 0 && { references: named, stage: "posted" }),
  };
}

function namesIn(posting: MarkupElement, name: string, scheme: string): string[] {
  return childrenOf(posting, name).flatMap((element) => {
    const value = valueIn(element);
    return value === null || /^(?:NON?REF|NONE|UNKNOWN)$/i.test(value) ? [] : [`${scheme}:${value}`];
  });
}
