import { addDecimals } from "@org/core";
import { FeedRefusal, type TransactionData } from "@org/provider-kit";
import type { FeedWarnings } from "../feed-warnings.js";
import type { SwiftBlock, SwiftField } from "./field-table.js";
import type { SwiftMessage } from "./message.js";
import {
  fieldOf,
  isGiven,
  momentOf,
  moneyOf,
  partOf,
  placeOfField,
  refuseField,
  requiredField,
  swiftFields,
  valueOfField,
} from "./values.js";

/** A block and all blocks nested in it. */
export function blocksIn(block: SwiftBlock): readonly SwiftBlock[] {
  return [block, ...block.blocks.flatMap(blocksIn)];
}

/** The outermost block with this name; refuses the message if it is missing. */
export function requiredBlock(message: SwiftMessage, name: string): SwiftBlock {
  const found = message.blocks.find((block) => block.name === name);
  if (!found) throw new FeedRefusal(`line ${message.line}`, `:16R:${name} is missing`);
  return found;
}

/**
 * Qualifiers of linkages that identify the event, the most specific first. References of this message, of the message that it answers and of an
 * earlier one share a scheme. Pools, baskets, lists and collateral are left out because they cover more than one event.
 */
const schemes: readonly (readonly [qualifier: string, scheme: string])[] = [
  ["RELA", "SEME"],
  ["PREV", "SEME"],
  ["ACOW", "SEME"],
  ["ASRF", "ASRF"],
  ["TRRF", "TRRF"],
  ["COMM", "COMM"],
  ["MITI", "MITI"],
  ["PCTI", "PCTI"],
  ["CORP", "CORP"],
];

/** Values that mean no reference: an instruction by telephone has none. */
const noReference = /^(?:NON?REF|NONE|UNKNOWN|N\/?A|0+|-*)$/i;

/** References in the linkages of a block, for `TransactionData.references`. */
export function linkedReferences(block: SwiftBlock): string[] {
  const fields = block.blocks.filter(({ name }) => name === "LINK").flatMap((link) => [...link.fields()]);
  return schemes.flatMap(([qualifier, scheme]) => referencesIn(fields, qualifier, scheme));
}

/** References from the fields with one qualifier. */
export function referencesIn(fields: readonly SwiftField[], qualifier: string, scheme: string): string[] {
  return fields.flatMap((field) => {
    if (!field.tag.startsWith("20") || field.qualifier !== qualifier) return [];
    const value = valueOfField(field);
    return noReference.test(value) ? [] : [`${scheme}:${value}`];
  });
}

/** A message's own reference. */
export function ownReference(general: SwiftBlock): string {
  const field = requiredField(general, "20", "SEME");
  const value = valueOfField(field);
  if (value === "") throw refuseField(field, "is empty");
  return `SEME:${value}`;
}

/** The purpose of a message about one event: to report it, or to cancel an earlier message. */
export interface MessagePurpose {
  readonly isCancellation: boolean;
  /** References of what is cancelled. */
  readonly cancels: readonly string[];
}

/**
 * Reads `23G`: a new message, or a code that cancels the message named in the linkages.
 * @param codes `CANC`, `RVSL`, …
 */
export function purposeOf(general: SwiftBlock, codes: readonly string[]): MessagePurpose {
  const field = requiredField(general, "23G");
  const code = /^([A-Z]{4})(?:\/[A-Z]{4})?$/.exec(field.value.trim())?.[1] ?? "";
  if (code === "NEWM") return { isCancellation: false, cancels: [] };
  if (!codes.includes(code)) throw refuseField(field, `is none of NEWM, ${codes.join(", ")}`);
  const links = general.blocks.filter(({ name }) => name === "LINK").flatMap((link) => [...link.fields()]);
  const previous = referencesIn(links, "PREV", "SEME");
  const cancels = previous.length > 0 ? previous : referencesIn(links, "RELA", "SEME");
  if (cancels.length === 0) throw refuseField(field, "takes a message back and does not say which one (20C::PREV)");
  return { isCancellation: true, cancels };
}

/** Reads `97A::SAFE//1`, and with a type `97B::SAFE//ABRD/1`. */
export function accountOf(field: SwiftField): string {
  const value = valueOfField(field);
  const account = field.tag === "97B" ? value.slice(value.indexOf("/") + 1) : value;
  if (account === "") throw refuseField(field, "names no account");
  return account;
}

/** A date that a movement may lack: {@link dayOf} of each qualifier in turn. One that cannot be read is dropped with a warning. */
export function optionalDay(
  block: SwiftBlock,
  warnings: FeedWarnings,
  ...qualifiers: readonly string[]
): string | null {
  for (const qualifier of qualifiers) {
    const day = warnings.optional(() => dayOf(block, qualifier));
    if (day !== null) return day;
  }
  return null;
}

/** The first of these dates, by qualifier, that the block states as a day; codes such as `OPEN` are not days. */
export function dayOf(block: SwiftBlock, ...qualifiers: readonly string[]): string | null {
  for (const qualifier of qualifiers) {
    const field = swiftFields(block, "98", qualifier).find((each) => each.tag !== "98B" && isGiven(each));
    if (field) return momentOf(field).day;
  }
  return null;
}

/** Reads `90A::DEAL//PRCT/99,5` and `90B::DEAL//ACTU/EUR12,5`: a price in percent of the nominal value, or per unit. */
export function dealPrice(block: SwiftBlock, warnings: FeedWarnings): string | null {
  const field = fieldOf(block, "90", "DEAL");
  const match = field && /^(?:ACTU\/([A-Z]{3})|PRCT\/)(N?)(.*)$/.exec(valueOfField(field));
  if (!field || !match) return null;
  return warnings.optional(() => moneyOf(partOf(field, `/${match[2] ?? ""}XXX${match[3] ?? ""}`)).value);
}

/** Qualifiers of charges and taxes among the amounts of a settlement (`19A`). Those of executing and local brokers are charges. */
const charges = ["CHAR", "EXEC", "LOCO", "REGF", "SHIP", "POST", "SPCN"];
const taxes = ["COAX", "COUN", "LEVY", "LOCL", "STAM", "STEX", "TAXR", "TRAN", "TRAX", "VATA", "WITH", "WITL"];

/**
 * The sums of the fees and taxes that blocks state in a currency. Amounts in other currencies are left out with a warning, because their value in
 * this one is not stated, and so are those that cannot be read.
 */
export function costsOf(
  blocks: readonly SwiftBlock[],
  currency: string,
  warnings: FeedWarnings,
): Pick<TransactionData, "fees" | "taxes"> {
  const sum = (qualifiers: readonly string[]) => {
    let total: string | undefined;
    for (const field of blocks.flatMap((block) => [...block.fields()])) {
      if (!field.tag.startsWith("19") || !qualifiers.includes(field.qualifier) || !isGiven(field)) continue;
      const money = warnings.optional(() => moneyOf(field));
      if (money === null) continue;
      if (money.currency === currency) total = total === undefined ? money.value : addDecimals(total, money.value);
      else warnings.add(() => placeOfField(field), `is in another currency than the amount (${currency}) and left out`);
    }
    return total;
  };
  const [fees, taxed] = [sum(charges), sum(taxes)];
  return { ...(fees !== undefined && { fees }), ...(taxed !== undefined && { taxes: taxed }) };
}

/** The code in an indicator field: `TRAD` in `22F::SETR//TRAD`. */
export function indicatorOf(block: SwiftBlock, number: string, qualifier: string): string | null {
  const field = fieldOf(block, number, qualifier);
  return field && (valueOfField(field).split("/").at(-1) ?? null);
}

/**
 * The messages of a file with one of these types. Others are left out with a warning; a file without any is refused.
 * @param name the kind of message, for the refusal
 */
export function messagesOfTypes(
  messages: readonly SwiftMessage[],
  types: ReadonlySet<string>,
  name: string,
  warnings: FeedWarnings,
): readonly SwiftMessage[] {
  const read = messages.filter(({ type }) => type === null || types.has(type));
  if (read.length === 0) throw new FeedRefusal("file", `holds no ${name}`);
  for (const { type, line } of messages)
    if (type !== null && !types.has(type)) warnings.add(() => `line ${line}`, `is an MT${type}, which is not read`);
  return read;
}

/** The sender of a file, from the first header that states it. */
export function senderOf(messages: readonly SwiftMessage[]): string | null {
  return messages.find((message) => message.sender !== null)?.sender ?? null;
}
