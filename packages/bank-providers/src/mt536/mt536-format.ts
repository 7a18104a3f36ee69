import { negateDecimal } from "@org/core";
import type { FeedContent, FeedFormat, TransactionData } from "@org/provider-kit";
import { FeedRefusal } from "@org/provider-kit";
import { FeedWarnings } from "../feed-warnings.js";
import {
  actionKind,
  described,
  movementContent,
  numbersOf,
  StatedAccounts,
  type StatedMovement,
} from "../stated-movements.js";
import type { SwiftBlock } from "../swift/field-table.js";
import { readMessages, type SwiftMessage, swiftText } from "../swift/message.js";
import { accountOf, indicatorOf, linkedReferences, optionalDay, senderOf } from "../swift/movements.js";
import { type SecuritiesStatement, type StatementKind, statementsOf } from "../swift/pages.js";
import { hasGeneralAnd, hasMessage } from "../swift/recognise.js";
import { securityOf } from "../swift/security.js";
import {
  fieldOf,
  momentOf,
  moneyOf,
  partOf,
  placeOfField,
  placeOfLine,
  quantityOf,
  refuseField,
  requiredField,
  valueOfField,
} from "../swift/values.js";

/**
 * Reads SWIFT statements of transactions (MT536), with the network's blocks around them or as bare text: what was posted to safekeeping accounts
 * in a period. Accounts and sub-accounts become portfolios without stated holdings.
 */
export const mt536Format = {
  name: "mt536",
  title: "SWIFT statement of transactions (MT536)",
  recognises: (head) => hasMessage(head, "536") || hasGeneralAnd(head, /^:69[AB]::STAT\//m),
  read: (file) => readStatements(swiftText(file)),
} satisfies FeedFormat;

function readStatements(text: string): FeedContent {
  const messages = readMessages(text, transactionsType);
  if (messages.length === 0) throw new FeedRefusal("file", "holds no message");
  const warnings = new FeedWarnings();
  const { whole, waiting } = statementsOf(messages, statementOfTransactions, warnings);
  const told: StatedMovement[] = [];
  const accounts = new StatedAccounts();
  for (const statement of whole) {
    warnings.account(statement.account, () => {
      const movements = movementsOf(statement, warnings);
      for (const movement of movements) told.push({ movement, day: statement.day });
      // An account is left out if only its sub-accounts have movements.
      if (movements.length === 0) accounts.note(statement.account, statement.day);
    });
  }
  // Reports faults of a page now and not when the last page has come.
  const kept = waiting.filter((page) => warnings.account(page.account, () => movementsOf(page, new FeedWarnings())));
  return movementContent(told, accounts, senderOf(messages), warnings, kept);
}

const transactionsType: ReadonlySet<string> = new Set(["536"]);

const statementOfTransactions: StatementKind = {
  type: "536",
  isHistory: true,
  momentOf(general) {
    const field = requiredField(general, "69", "STAT");
    const stated = valueOfField(field);
    const end = `/${stated.slice(stated.lastIndexOf("/") + 1)}`;
    return { stated, ...momentOf(partOf(field, end)) };
  },
};

function movementsOf({ account, pages }: SecuritiesStatement, warnings: FeedWarnings): TransactionData[] {
  const movements: TransactionData[] = [];
  const add = (reading: () => TransactionData) => {
    const movement = warnings.movement(reading);
    if (movement) movements.push(movement);
  };
  const read = (blocks: readonly SwiftBlock[], portfolio: string) => {
    for (const security of blocks) {
      if (security.name !== "FIN") continue;
      for (const block of security.blocks)
        if (block.name === "TRAN") add(() => readMovement(block, security, portfolio, warnings));
    }
  };
  for (const block of pages.flatMap((page: SwiftMessage) => page.blocks)) {
    if (!knownBlocks.has(block.name))
      throw new FeedRefusal(`line ${block.line}`, `:16R:${block.name.slice(0, 20)} is no part of an MT536`);
    read([block], account);
    if (block.name !== "SUBSAFE") continue;
    const own = fieldOf(block, "97", "SAFE");
    read(block.blocks, own ? accountOf(own) : account);
  }
  return movements;
}

const knownBlocks = new Set(["GENL", "SUBSAFE", "FIN", "ADDINFO"]);

/** Reads one posting (`TRAN`). A reversal repeats the posting that it reverses, marked with `25D::MOVE//REVE`, so its signs are turned. */
function readMovement(
  block: SwiftBlock,
  position: SwiftBlock,
  portfolio_key: string,
  warnings: FeedWarnings,
): TransactionData {
  const details = block.blocks.find(({ name }) => name === "TRANSDET");
  if (!details) throw new FeedRefusal(`line ${block.line}, TRAN`, ":16R:TRANSDET is missing");
  const identification = requiredField(position, "35B");
  const security = securityOf(identification, (message) => warnings.add(() => placeOfField(identification), message));
  const direction = requiredField(details, "22H", "REDE");
  const isReceipt = isOneOf(valueOfField(direction), "RECE", "DELI");
  if (isReceipt === null) throw refuseField(direction, "is neither RECE nor DELI");
  const isReversal = indicatorOf(details, "25D", "MOVE") === "REVE";
  const signed = (value: string) => (isReversal ? negateDecimal(value) : value);
  const posted = fieldOf(details, "19", "PSTA");
  const money = posted && moneyOf(posted);
  if (posted && isReceipt && money?.value.startsWith("-"))
    warnings.add(
      () => placeOfField(posted),
      "has a sign (N) on a receipt; it is read as a debit, though by the letter of the standard it could be a credit",
    );
  const units = quantityOf(requiredField(details, "36", "PSTA")).value;
  const settled = optionalDay(details, warnings, "ESET", "SETT");
  const operation_date = optionalDay(details, warnings, "TRAD") ?? settled;
  if (operation_date === null)
    throw new FeedRefusal(`line ${details.line}, TRANSDET`, ":98a::ESET, SETT or TRAD is missing");
  const action = indicatorOf(details, "22", "CAEV");
  const isAction = action !== null || indicatorOf(details, "22", "TRAN") === "CORP";
  const words = fieldOf(details, "70", "TRDE");
  const [bought, moved] = isReceipt ? (["Buy", "Receipt"] as const) : (["Sell", "Delivery"] as const);
  const title = words ? valueOfField(words) : isAction ? (action ?? "Corporate action") : money ? bought : moved;
  const references = linkedReferences(block);
  return {
    key: null,
    portfolio_key,
    holding_key: security.key,
    operation_date,
    description: described(isReversal ? `Reversal: ${title}` : title, security.name),
    amount: signed(isReceipt ? units : negateDecimal(units)),
    // A receipt is paid for, unless the amount has a sign.
    balance: money && signed(isReceipt && !money.value.startsWith("-") ? negateDecimal(money.value) : money.value),
    currency: money?.currency ?? "XXX",
    unit_price: null,
    kind: isAction
      ? actionKind(action)
      : money
        ? isReceipt
          ? "buy"
          : "sell"
        : isReceipt
          ? "transfer_in"
          : "transfer_out",
    place: placeOfLine(block),
    ...(settled !== null && { settlement_date: settled }),
    ...numbersOf(security),
    ...(references.length > 0 && { references, stage: "posted" }),
  };
}

/** True for `yes`, false for `no`, null for any other value. */
function isOneOf(value: string, yes: string, no: string): boolean | null {
  return value === yes ? true : value === no ? false : null;
}
