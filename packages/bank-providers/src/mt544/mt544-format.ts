import { negateDecimal } from "@org/core";
import type { FeedContent, FeedFormat } from "@org/provider-kit";
import { FeedRefusal } from "@org/provider-kit";
import { FeedWarnings } from "../feed-warnings.js";
import { described, movementContent, numbersOf, StatedAccounts, type StatedMovement } from "../stated-movements.js";
import type { SwiftBlock } from "../swift/field-table.js";
import { readMessages, type SwiftMessage, swiftText } from "../swift/message.js";
import {
  accountOf,
  blocksIn,
  costsOf,
  dealPrice,
  linkedReferences,
  messagesOfTypes,
  optionalDay,
  ownReference,
  purposeOf,
  requiredBlock,
  senderOf,
} from "../swift/movements.js";
import { hasMessage } from "../swift/recognise.js";
import { securityOf } from "../swift/security.js";
import { fieldOf, moneyOf, placeOfField, placeOfLine, quantityOf, requiredField } from "../swift/values.js";

/**
 * Reads SWIFT confirmations of settlements: receipts (MT544, against payment MT545) and deliveries (MT546, against payment MT547). Only the
 * header states which of them a message is, so bare text is not read.
 */
export const mt544Format = {
  name: "mt544",
  title: "SWIFT confirmation of a settlement (MT544 to MT547)",
  recognises: (head) => hasMessage(head, "54[4-7]"),
  read: (file) => readConfirmations(swiftText(file)),
} satisfies FeedFormat;

const settlementTypes: ReadonlySet<string> = new Set(["544", "545", "546", "547"]);

function readConfirmations(text: string): FeedContent {
  const warnings = new FeedWarnings();
  const messages = readMessages(text, settlementTypes);
  const read = messagesOfTypes(messages, settlementTypes, "MT544 to MT547", warnings);
  const accounts = new StatedAccounts();
  const settlements = read.flatMap(
    (message) => warnings.movement(() => readSettlement(message, accounts, warnings)) ?? [],
  );
  return movementContent(settlements, accounts, senderOf(messages), warnings);
}

/** Reads one settlement, or a part of one. A cancellation repeats the settlement that it cancels, so its signs are turned. */
function readSettlement(message: SwiftMessage, accounts: StatedAccounts, warnings: FeedWarnings): StatedMovement {
  const general = requiredBlock(message, "GENL");
  const details = requiredBlock(message, "TRADDET");
  if (message.type === null)
    throw new FeedRefusal(
      `line ${message.line}`,
      "has no header, which alone says whether it is a receipt or a delivery",
    );
  const settled = optionalDay(details, warnings, "ESET", "SETT");
  const operation_date = optionalDay(details, warnings, "TRAD") ?? settled;
  if (operation_date === null)
    throw new FeedRefusal(`line ${details.line}, TRADDET`, ":98a::ESET, SETT or TRAD is missing");
  // Until 2014, quantity and account were among the trade details.
  const account = message.blocks.find(({ name }) => name === "FIAC") ?? details;
  const portfolio_key = accountOf(requiredField(account, "97", "SAFE"));
  const day = settled ?? operation_date;
  accounts.note(portfolio_key, day);
  const { isCancellation, cancels } = purposeOf(general, ["CANC", "RVSL"]);
  const isReceipt = message.type === "544" || message.type === "545";
  const isPaid = message.type === "545" || message.type === "547";
  const own = ownReference(general);
  const identification = requiredField(details, "35B");
  const security = securityOf(identification, (text) => warnings.add(() => placeOfField(identification), text));
  const units = quantityOf(fieldOf(account, "36", "ESTT") ?? requiredField(account, "36", "SETT")).value;
  const amounts = message.blocks.filter(({ name }) => name === "SETDET").flatMap(blocksIn);
  const money = isPaid ? (amountOf(amounts, "ESTT") ?? amountOf(amounts, "SETT")) : null;
  const gross = warnings.optional(() => amountOf(amounts, "DEAL"));
  const turned = (value: string) => (isCancellation ? negateDecimal(value) : value);
  const paid = (value: string) => turned(isReceipt && !value.startsWith("-") ? negateDecimal(value) : value);
  const costs = money ? costsOf(amounts, money.currency, warnings) : {};
  const [bought, moved] = isReceipt ? (["Buy", "Receipt"] as const) : (["Sell", "Delivery"] as const);
  const title = isPaid ? bought : moved;
  const linked = linkedReferences(general).filter((reference) => reference !== own);
  return {
    day,
    movement: {
      key: own,
      portfolio_key,
      holding_key: security.key,
      operation_date,
      description: described(isCancellation ? `Reversal: ${title}` : title, security.name),
      amount: turned(isReceipt ? units : negateDecimal(units)),
      balance: money && paid(money.value),
      currency: money?.currency ?? "XXX",
      unit_price: dealPrice(details, warnings),
      kind: isPaid ? (isReceipt ? "buy" : "sell") : isReceipt ? "transfer_in" : "transfer_out",
      place: placeOfLine(details),
      ...(settled !== null && { settlement_date: settled }),
      ...(costs.fees !== undefined && { fees: turned(costs.fees) }),
      ...(costs.taxes !== undefined && { taxes: turned(costs.taxes) }),
      ...(gross && gross.currency === money?.currency && { gross: paid(gross.value) }),
      ...numbersOf(security),
      references: [own, ...linked],
      stage: "settled",
      ...(cancels.length > 0 && { cancels }),
    },
  };
}

function amountOf(blocks: readonly SwiftBlock[], qualifier: string): { currency: string; value: string } | null {
  const field = blocks.map((block) => fieldOf(block, "19", qualifier)).find((found) => found !== null);
  return field ? moneyOf(field) : null;
}
