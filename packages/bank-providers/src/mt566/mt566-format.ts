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
import {
  accountOf,
  blocksIn,
  costsOf,
  indicatorOf,
  linkedReferences,
  messagesOfTypes,
  optionalDay,
  ownReference,
  purposeOf,
  referencesIn,
  requiredBlock,
  senderOf,
} from "../swift/movements.js";
import { hasGeneralAnd, hasMessage } from "../swift/recognise.js";
import { type SwiftSecurity, securityOf } from "../swift/security.js";
import {
  fieldOf,
  isGiven,
  moneyOf,
  placeOfField,
  placeOfLine,
  quantityOf,
  refuseField,
  requiredField,
  swiftFields,
  valueOfField,
} from "../swift/values.js";

/**
 * Reads SWIFT confirmations of corporate actions (MT566), such as dividends, coupons, redemptions and splits. Each movement of cash or securities
 * becomes a transaction.
 */
export const mt566Format = {
  name: "mt566",
  title: "SWIFT confirmation of a corporate action (MT566)",
  recognises: (head) => hasMessage(head, "566") || hasGeneralAnd(head, /^:16R:CACONF\b/m),
  read: (file) => readConfirmations(swiftText(file)),
} satisfies FeedFormat;

const actionType: ReadonlySet<string> = new Set(["566"]);

function readConfirmations(text: string): FeedContent {
  const warnings = new FeedWarnings();
  const messages = readMessages(text, actionType);
  const read = messagesOfTypes(messages, actionType, "MT566", warnings);
  const accounts = new StatedAccounts();
  const told = read.flatMap((message) => readMovements(message, accounts, warnings));
  if (told.length === 0 && !warnings.leftOut().left_out)
    throw new FeedRefusal("file", "holds no movement: neither CASHMOVE nor SECMOVE");
  return movementContent(told, accounts, senderOf(messages), warnings);
}

/** What the movements of a confirmation have in common. */
interface Action {
  readonly code: string;
  readonly security: SwiftSecurity;
  readonly isReversal: boolean;
  readonly accounts: StatedAccounts;
  readonly warnings: FeedWarnings;
  readonly common: Pick<TransactionData, "portfolio_key" | "references" | "cancels"> & { readonly stage: "settled" };
  readonly own: string;
}

/** Reads the movements of a confirmation. What they have in common is read with the first. */
function readMovements(message: SwiftMessage, accounts: StatedAccounts, warnings: FeedWarnings): StatedMovement[] {
  let action: Action | null = null;
  const confirmation = warnings.movement(() => requiredBlock(message, "CACONF"));
  return (confirmation?.blocks ?? []).flatMap((block, index) => {
    if (block.name !== "CASHMOVE" && block.name !== "SECMOVE") return [];
    const read = block.name === "CASHMOVE" ? readCash : readSecurities;
    const movement = warnings.movement(() => {
      action ??= readAction(message, accounts, warnings);
      return read(block, action, index);
    });
    return movement ? { movement, day: movement.operation_date } : [];
  });
}

/** Reads what the movements have in common. A reversal repeats the movements that it reverses, so their signs are turned. */
function readAction(message: SwiftMessage, accounts: StatedAccounts, warnings: FeedWarnings): Action {
  const general = requiredBlock(message, "GENL");
  const underlying = requiredBlock(message, "USECU");
  const { isCancellation, cancels } = purposeOf(general, ["REVR"]);
  const own = ownReference(general);
  const event = referencesIn([...general.fields()], "CORP", "CORP");
  const linked = linkedReferences(general);
  return {
    code: indicatorOf(general, "22", "CAEV") ?? "",
    security: readSecurity(underlying, warnings),
    isReversal: isCancellation,
    accounts,
    warnings,
    own,
    common: {
      portfolio_key: accountOf(requiredField(underlying, "97", "SAFE")),
      references: [...new Set([own, ...event, ...linked])],
      stage: "settled",
      ...(cancels.length > 0 && { cancels }),
    },
  };
}

function readSecurity(block: SwiftBlock, warnings: FeedWarnings): SwiftSecurity {
  const identification = requiredField(block, "35B");
  return securityOf(identification, (text) => warnings.add(() => placeOfField(identification), text));
}

/** Whether the movement is a credit to the account. */
function isCredit(block: SwiftBlock): boolean {
  const field = requiredField(block, "22H", "CRDB");
  const code = valueOfField(field);
  if (code !== "CRED" && code !== "DEBT") throw refuseField(field, "is neither CRED nor DEBT");
  return code === "CRED";
}

function readCash(block: SwiftBlock, action: Action, index: number): TransactionData {
  const movement = movementOf(block, action, index, action.security);
  const amounts = blocksIn(block);
  const money = moneyOf(fieldOf(block, "19", "PSTA") ?? requiredField(block, "19", "NETT"));
  const stated = swiftFields(block, "19", "GRSS").find(isGiven);
  const gross = stated && action.warnings.optional(() => moneyOf(stated));
  const costs = costsOf(amounts, money.currency, action.warnings);
  const turned = (value: string) => (action.isReversal ? negateDecimal(value) : value);
  const signed = (value: string) => turned(isCredit(block) || value.startsWith("-") ? value : negateDecimal(value));
  return {
    ...movement,
    amount: null,
    balance: signed(money.value),
    currency: money.currency,
    ...(costs.fees !== undefined && { fees: turned(costs.fees) }),
    ...(costs.taxes !== undefined && { taxes: turned(costs.taxes) }),
    ...(gross && gross.currency === money.currency && { gross: signed(gross.value) }),
  };
}

function readSecurities(block: SwiftBlock, action: Action, index: number): TransactionData {
  const movement = movementOf(block, action, index, readSecurity(block, action.warnings));
  const units = quantityOf(requiredField(block, "36", "PSTA")).value;
  const signed = isCredit(block) ? units : negateDecimal(units);
  return {
    ...movement,
    amount: action.isReversal ? negateDecimal(signed) : signed,
    balance: null,
    currency: "XXX",
  };
}

function movementOf(block: SwiftBlock, action: Action, index: number, security: SwiftSecurity) {
  const { code, isReversal, accounts, warnings, common, own } = action;
  const posted = optionalDay(block, warnings, "POST", "PAYD", "VALU", "AVAL");
  if (posted === null) throw new FeedRefusal(`line ${block.line}, ${block.name}`, ":98a::POST is missing");
  accounts.note(common.portfolio_key, posted);
  const settled = optionalDay(block, warnings, "VALU", "PAYD");
  const kind = actionKind(code);
  const title = titles[kind] ?? (code || "Corporate action");
  return {
    ...common,
    key: `${own}/${index + 1}`,
    holding_key: security.key,
    operation_date: posted,
    description: described(isReversal ? `Reversal: ${title}` : title, security.name),
    unit_price: null,
    kind,
    place: placeOfLine(block),
    ...(settled !== null && { settlement_date: settled }),
    ...numbersOf(security),
  };
}

const titles: Readonly<Record<string, string>> = {
  dividend: "Dividend",
  coupon: "Coupon",
  redemption: "Redemption",
  split: "Split",
  spin_off: "Spin-off",
  merger: "Merger",
  tax: "Tax",
};
