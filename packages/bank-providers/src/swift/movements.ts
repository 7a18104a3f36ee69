import { addDecimals } from "@org/core";
import { FeedRefusal, type TransactionData } from "@org/provider-kit";
import type { FeedWarnings } from "../feed-warnings.js";
import type { SwiftBlock, SwiftField } from "./field-table.js";
import type { SwiftMessage } from "./message.js";
import {
  fieldOf,
  momentOf,
  moneyOf,
  partOf,
  placeOfField,
  refuseField,
  requiredField,
  swiftFields,
  valueOfField,
} from "./values.js";

/** A block and all that stand in it. */
export function blocksIn(block: SwiftBlock): readonly SwiftBlock[] {
  return [block, ...block.blocks.flatMap(blocksIn)];
}

/** The outermost block of this name; its absence is a fault of the message. */
export function requiredBlock(message: SwiftMessage, name: string): SwiftBlock {
  const found = message.blocks.find((block) => block.name === name);
  if (!found) throw new FeedRefusal(`line ${message.line}`, `:16R:${name} is missing`);
  return found;
}

/**
 * Qualifiers of linkages that name the event, the most telling first. A message's own reference, that of the message that it answers and
 * that of one sent before are one kind of name. Pools, baskets, lists and collateral name more than one event.
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

/** What stands where there is no reference: an instruction that came by telephone has none. */
const noReference = /^(?:NON?REF|NONE|UNKNOWN|N\/?A|0+|-*)$/i;

/** References in the linkages of a block, as `TransactionData.references` has them. */
export function linkedReferences(block: SwiftBlock): string[] {
  const fields = block.blocks.filter(({ name }) => name === "LINK").flatMap((link) => [...link.fields()]);
  return schemes.flatMap(([qualifier, scheme]) => referencesIn(fields, qualifier, scheme));
}

/** References of the fields of one qualifier. */
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

/** What a message about one event is for: to tell it, or to take back what another has told. */
export interface MessagePurpose {
  readonly isCancellation: boolean;
  /** References of what is taken back. */
  readonly cancels: readonly string[];
}

/**
 * `23G`: new, or one of the codes that take a message back, which the linkages name.
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

/** `97A::SAFE//1`, and with a type `97B::SAFE//ABRD/1`. */
export function accountOf(field: SwiftField): string {
  const value = valueOfField(field);
  const account = field.tag === "97B" ? value.slice(value.indexOf("/") + 1) : value;
  if (account === "") throw refuseField(field, "names no account");
  return account;
}

/** The first of some dates, by qualifier, that a block states as a day; codes for one (`OPEN`) are none. */
export function dayOf(block: SwiftBlock, ...qualifiers: readonly string[]): string | null {
  for (const qualifier of qualifiers) {
    const field = swiftFields(block, "98", qualifier).find(({ tag }) => tag !== "98B");
    if (field) return momentOf(field).day;
  }
  return null;
}

/** `90A::DEAL//PRCT/99,5` and `90B::DEAL//ACTU/EUR12,5`: of one unit, or of a hundred of nominal value. */
export function dealPrice(block: SwiftBlock): string | null {
  const field = fieldOf(block, "90", "DEAL");
  const match = field && /^(?:ACTU\/([A-Z]{3})|PRCT\/)(N?)([\d,]+)$/.exec(valueOfField(field));
  if (!field || !match) return null;
  return moneyOf(partOf(field, `/${match[2] ?? ""}XXX${match[3] ?? ""}`)).value;
}

/** Charges and taxes among the amounts of a settlement (`19A`). Those of executing and local brokers are charges. */
const charges = ["CHAR", "EXEC", "LOCO", "REGF", "SHIP", "POST", "SPCN"];
const taxes = ["COAX", "COUN", "LEVY", "LOCL", "STAM", "STEX", "TAXR", "TRAN", "TRAX", "VATA", "WITH", "WITL"];

/**
 * Fees and taxes that blocks state in a currency, each the sum of what makes it up. Those in other currencies are left out, with a
 * warning: what they come to in this one is not said.
 */
export function costsOf(
  blocks: readonly SwiftBlock[],
  currency: string,
  warnings: FeedWarnings,
): Pick<TransactionData, "fees" | "taxes"> {
  const sum = (qualifiers: readonly string[]) => {
    let total: string | undefined;
    for (const field of blocks.flatMap((block) => [...block.fields()])) {
      if (!field.tag.startsWith("19") || !qualifiers.includes(field.qualifier)) continue;
      const money = moneyOf(field);
      if (money.currency === currency) total = total === undefined ? money.value : addDecimals(total, money.value);
      else warnings.add(() => placeOfField(field), `is in another currency than the amount (${currency}) and left out`);
    }
    return total;
  };
  const [fees, taxed] = [sum(charges), sum(taxes)];
  return { ...(fees !== undefined && { fees }), ...(taxed !== undefined && { taxes: taxed }) };
}

/** What an indicator field says: `TRAD` of `22F::SETR//TRAD`. */
export function indicatorOf(block: SwiftBlock, number: string, qualifier: string): string | null {
  const field = fieldOf(block, number, qualifier);
  return field && (valueOfField(field).split("/").at(-1) ?? null);
}

/**
 * The messages of a file that are of some types; others are left out, with a warning. A file of others only is a refusal.
 * @param name what is read, for the refusal
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

/** Who sent a file, by the first header that says so. */
export function senderOf(messages: readonly SwiftMessage[]): string | null {
  return messages.find((message) => message.sender !== null)?.sender ?? null;
}
