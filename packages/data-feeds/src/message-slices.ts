import { createGroups, createKeyCounter, SLICE, slicesOf, transactionText, yieldToEventLoop } from "@org/core";
import type { TransactionData } from "@org/provider-kit";
import { canonicalDecimal, MAX_EVENT, MAX_REFERENCES, MAX_SHARING } from "./movement-merging.js";

/** A message about a movement, numbered among the messages of the file that are alike. */
export interface Message {
  readonly stated: TransactionData;
  /** References by which it is matched with other messages. */
  readonly references: readonly string[];
  readonly cancels: readonly string[];
  /** How many messages with the same content come before it in the file. */
  readonly copy: number;
  /** For rows ({@link isRow}): how many with the same {@link movementGroupKey} come before it. */
  readonly twin: number;
}

/** Messages of complete events. */
export interface MessageSlice {
  readonly messages: readonly Message[];
  /** Finds the references of some messages that more than {@link MAX_SHARING} messages of the file have. */
  readonly wide: (messages: readonly Message[]) => readonly AccountReference[];
}

type AccountReference = Pick<TransactionData, "portfolio_key"> & { readonly reference: string };

/** Whether other messages may state the same transaction. */
export function isMessage({ references, cancels }: TransactionData): boolean {
  return Boolean(references?.length || cancels?.length);
}

/** What messages of one stage have in common that tell the same movement. A sender may use a key again, so that it is not enough. */
export function movementGroupKey(stated: TransactionData, holding: string | null): readonly (string | null)[] {
  const { key, references = [], amount, balance, currency } = stated;
  const cash = amount === null && balance !== null ? `${currency} ${canonicalDecimal(balance)}` : null;
  const day = stated.settlement_date ?? stated.operation_date;
  return [key ?? references[0] ?? null, holding, canonicalDecimal(amount), cash, day];
}

/** Two rows of a statement that look alike are two movements; a message that comes twice in a file is one. */
export function isRow({ key, stage = "posted" }: TransactionData): boolean {
  return key === null || stage === "posted";
}

/**
 * Slices the messages of a file so that messages that share a reference are in one slice, however far apart they are in the file. Slices are
 * therefore about different events, unless messages stored before join them. A group of more than {@link MAX_EVENT} messages is not a real event:
 * each of its messages keeps one reference, the one that it cancels or else its own name.
 * @param size maximum messages of a slice that has several events; a slice has at most {@link NAMES} times as many references
 */
export async function* messageSlices(
  transactions: readonly TransactionData[],
  size: number = SLICE,
): AsyncGenerator<MessageSlice> {
  const { messages, eventOf, wide: known } = await eventsIn(transactions);
  const wide: MessageSlice["wide"] = (some) => widely(some, known);
  let slice: Message[] = [];
  let names = 0;
  for (const message of messages) {
    const event = eventOf.get(message) ?? { first: message, messages: [message] };
    if (event.first !== message) continue;
    const more = event.messages.reduce((sum, { references, cancels }) => sum + references.length + cancels.length, 0);
    if (slice.length > 0 && (slice.length + event.messages.length > size || names + more > size * NAMES)) {
      await yieldToEventLoop();
      yield { messages: slice, wide };
      [slice, names] = [[], 0];
    }
    slice.push(...event.messages);
    names += more;
  }
  if (slice.length === 0) return;
  await yieldToEventLoop();
  yield { messages: slice, wide };
}

/** References expected per message: real messages have about three, hostile ones fifty. */
const NAMES = 10;

/** The messages in their order, the events of those that are not alone, and per account the references that too many messages have. */
async function eventsIn(transactions: readonly TransactionData[]) {
  const having = createKeyCounter();
  const messages: Message[] = [];
  const numbered = numbering();
  for await (const slice of slicesOf(transactions, isMessage))
    for (const stated of slice) {
      const message = numbered(stated);
      messages.push(message);
      for (const name of namesOf(message)) having.add(inAccount(message, name));
    }
  const wide = new Map<string, Set<string>>();
  const events = await grouped(messages, (message) => {
    const { portfolio_key } = message.stated;
    return [...namesOf(message)].filter((reference) => {
      const count = having.of(inAccount(message, reference));
      if (count > MAX_SHARING) wide.set(portfolio_key, (wide.get(portfolio_key) ?? new Set<string>()).add(reference));
      return count > 1 && count <= MAX_SHARING;
    });
  });
  const eventOf = new Map<Message, Event>();
  for (const event of events) {
    const isOne = event.length <= MAX_EVENT;
    for (const part of isOne ? [event] : await grouped(event, (message) => namesOf(withOneName(message)))) {
      const whole = { first: part[0], messages: isOne ? part : part.map(withOneName) };
      for (const message of part) eventOf.set(message, whole);
    }
  }
  return { messages, eventOf, wide };
}

interface Event {
  readonly first: Message | undefined;
  readonly messages: readonly Message[];
}

function namesOf({ references, cancels }: Pick<Message, "references" | "cancels">): ReadonlySet<string> {
  return new Set([...references, ...cancels]);
}

function inAccount({ stated }: Message, name: string): string {
  return JSON.stringify([stated.portfolio_key, name]);
}

function withOneName(message: Message): Message {
  const { references, cancels, stated } = message;
  if (cancels.length > 0) return { ...message, references: [], cancels: cancels.slice(0, 1) };
  const own = references.filter((reference) => reference === stated.key);
  return { ...message, references: own.length > 0 ? own : references.slice(0, 1) };
}

/** Groups an account's messages that share a name, directly or through others. Messages without a name are left out. */
async function grouped(
  messages: readonly Message[],
  named: (message: Message) => Iterable<string>,
): Promise<Iterable<Message[]>> {
  const groups = createGroups();
  const members: Message[] = [];
  for await (const slice of slicesOf(messages))
    for (const message of slice) {
      const names = [...named(message)].map((name) => inAccount(message, name));
      if (names.length === 0) continue;
      groups.add(names);
      members.push(message);
    }
  const found = new Map<number, Message[]>();
  let number = 0;
  for await (const slice of slicesOf(members))
    for (const message of slice) {
      const group = groups.groupOf(number++);
      const before = found.get(group);
      if (before) before.push(message);
      else found.set(group, [message]);
    }
  return found.values();
}

const nothing: readonly string[] = [];

function kept(references = nothing): readonly string[] {
  return references.length <= MAX_REFERENCES ? references : references.slice(0, MAX_REFERENCES);
}

/** Numbers messages that are alike, in the order of the file. */
function numbering(): (stated: TransactionData) => Message {
  const [copies, twins] = [createKeyCounter(), createKeyCounter()];
  return (stated) => ({
    stated,
    references: kept(stated.references),
    cancels: kept(stated.cancels),
    copy: copies.add(transactionText(stated)),
    twin: isRow(stated)
      ? twins.add(JSON.stringify([stated.portfolio_key, ...movementGroupKey(stated, stated.holding_key)]))
      : 0,
  });
}

function widely(messages: readonly Message[], wide: ReadonlyMap<string, ReadonlySet<string>>): AccountReference[] {
  if (wide.size === 0) return [];
  return messages.flatMap((message) => {
    const { portfolio_key } = message.stated;
    const ofAccount = [...namesOf(message)].filter((reference) => wide.get(portfolio_key)?.has(reference));
    return ofAccount.map((reference) => ({ portfolio_key, reference }));
  });
}
