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
  dayOf,
  dealPrice,
  linkedReferences,
  messagesOfTypes,
  optionalDay,
  ownReference,
  purposeOf,
  requiredBlock,
  senderOf,
} from "../swift/movements.js";
import { hasGeneralAnd, hasMessage } from "../swift/recognise.js";
import { securityOf } from "../swift/security.js";
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

/** Reads SWIFT confirmations of purchases and sales (MT515): trades that have not settled yet. */
export const mt515Format = {
  name: "mt515",
  title: "SWIFT confirmation of a purchase or sale (MT515)",
  recognises: (head) => hasMessage(head, "515") || hasGeneralAnd(head, /^:16R:CONFDET\b/m),
  read: (file) => readConfirmations(swiftText(file)),
} satisfies FeedFormat;

const tradeType: ReadonlySet<string> = new Set(["515"]);

function readConfirmations(text: string): FeedContent {
  const warnings = new FeedWarnings();
  const messages = readMessages(text, tradeType);
  const accounts = new StatedAccounts();
  const trades = messagesOfTypes(messages, tradeType, "MT515", warnings).flatMap(
    (message) => warnings.movement(() => readTrade(message, accounts, warnings)) ?? [],
  );
  return movementContent(trades, accounts, senderOf(messages), warnings);
}

/** Direction of the trade by `22H::BUSE`: bought, subscribed, switched to; sold, redeemed, switched from. */
const directions: Readonly<Record<string, "buy" | "sell">> = {
  BUYI: "buy",
  SUBS: "buy",
  SWIT: "buy",
  CROT: "buy",
  DIVR: "buy",
  SELL: "sell",
  REDM: "sell",
  SWIF: "sell",
  CROF: "sell",
};

function readTrade(message: SwiftMessage, accounts: StatedAccounts, warnings: FeedWarnings): StatedMovement {
  const general = requiredBlock(message, "GENL");
  const details = requiredBlock(message, "CONFDET");
  const side = requiredField(details, "22H", "BUSE");
  const kind = Object.hasOwn(directions, valueOfField(side)) ? directions[valueOfField(side)] : undefined;
  if (!kind) throw refuseField(side, "is neither a purchase nor a sale, such as BUYI or SELL");
  const traded = dayOf(details, "TRAD");
  if (traded === null) throw new FeedRefusal(`line ${details.line}, CONFDET`, ":98a::TRAD is missing");
  const portfolio_key = safekeepingAccount(details, kind);
  const day = optionalDay(general, warnings, "PREP") ?? traded;
  accounts.note(portfolio_key, day);
  const { cancels } = purposeOf(general, ["CANC"]);
  const own = ownReference(general);
  const identification = requiredField(details, "35B");
  const security = securityOf(identification, (text) => warnings.add(() => placeOfField(identification), text));
  const settles = optionalDay(details, warnings, "SETT");
  const quantity = fieldOf(details, "36", "CONF");
  if (!quantity) warnings.add(() => `line ${details.line}, CONFDET`, "states no quantity (36B::CONF)");
  const units = quantity && quantityOf(quantity).value;
  const amounts = message.blocks.filter(({ name }) => name === "SETDET").flatMap(blocksIn);
  const settlement = [details, ...amounts].map((block) => fieldOf(block, "19", "SETT")).find((field) => field !== null);
  const money = settlement ? moneyOf(settlement) : null;
  const deal = amounts.flatMap((block) => swiftFields(block, "19", "DEAL")).find(isGiven);
  const gross = deal ? warnings.optional(() => moneyOf(deal)) : null;
  const signed = (value: string) => (kind === "buy" && !value.startsWith("-") ? negateDecimal(value) : value);
  const linked = linkedReferences(general);
  return {
    day,
    movement: {
      key: own,
      portfolio_key,
      holding_key: security.key,
      operation_date: traded,
      description: described(kind === "buy" ? "Buy" : "Sell", security.name),
      amount: units && kind === "sell" ? negateDecimal(units) : units,
      balance: money && signed(money.value),
      currency: money?.currency ?? "XXX",
      unit_price: dealPrice(details, warnings),
      kind,
      place: placeOfLine(details),
      ...(settles !== null && { settlement_date: settles }),
      ...(money && costsOf(amounts, money.currency, warnings)),
      ...(gross && gross.currency === money?.currency && { gross: signed(gross.value) }),
      ...numbersOf(security),
      references: [own, ...linked.filter((reference) => reference !== own && !cancels.includes(reference))],
      stage: "traded",
      ...(cancels.length > 0 && { cancels }),
    },
  };
}

/** The customer's account among those of the parties: the investor's, or else the buyer's or seller's, or else the only one. */
function safekeepingAccount(details: SwiftBlock, kind: "buy" | "sell"): string {
  const parties = blocksIn(details).flatMap((block) => {
    const field = fieldOf(block, "97", "SAFE");
    return field ? [{ block, account: accountOf(field) }] : [];
  });
  for (const role of ["INVE", "ALTE", kind === "buy" ? "BUYR" : "SELL"]) {
    const party = parties.find(({ block }) => fieldOf(block, "95", role) !== null);
    if (party) return party.account;
  }
  const accounts = new Set(parties.map(({ account }) => account));
  const [account] = accounts;
  if (account === undefined) throw new FeedRefusal(`line ${details.line}, CONFDET`, ":97a::SAFE is missing");
  if (accounts.size > 1)
    throw new FeedRefusal(
      `line ${details.line}, CONFDET`,
      "names several safekeeping accounts, and none as the investor's",
    );
  return account;
}
