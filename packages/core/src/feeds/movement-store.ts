import type { TransactionStage } from "@org/provider-kit";
import type { TransactionRow } from "../data/snapshot-store.js";
import type { Uuid } from "../schemas/identifier.js";

/**
 * What one message of a custodian says of a movement that other messages tell of, too. It is kept as it came: what is shown is
 * made of all that is kept, so that the order in which messages come makes no difference.
 */
export interface MovementStatement {
  /** Of what the message says: the same message has the same id, whatever file it comes in. */
  readonly statement_id: string;
  /** How the messages of one event know each other, within an account, and what this one takes back. */
  readonly references: readonly string[];
  readonly cancels: readonly string[];
  /** The message's own name, by which others take it back; null where it has none. */
  readonly key: string | null;
  readonly stage: TransactionStage;
  /** The same for messages of one stage that tell the same movement. */
  readonly slot: string;
  /** What is shown while no other message is known. */
  readonly row: TransactionRow;
}

/** What is looked for of events, and how far. */
interface RelatedAsked {
  readonly maxSharing: number;
  readonly maxMessages: number;
  readonly maxFound: number;
  readonly ignored: ReadonlySet<string>;
}

/** What is known of some events. */
interface Related {
  readonly statements: readonly MovementStatement[];
  readonly shared: ReadonlySet<string>;
}

/** Messages about movements, by the references that they share. */
export interface MovementStore {
  /**
   * What is known of the events that these messages are of: the messages themselves, those that have one of their references, those that
   * share one with these, and so on, in the order in which they were kept. A reference that more than `maxSharing` messages have names no
   * event: it is not followed, and told in `shared`; those in `ignored` are not followed either. Of what more than `maxMessages` messages
   * tell, which is no one event, no more than these and some are looked for. Null where more than `maxFound` are known: they may be
   * very many, and are not read; ask for fewer messages. Until the end of the transaction nobody else may keep any for this tenant.
   */
  related(connectionId: Uuid, messages: readonly MovementStatement[], asked: RelatedAsked): Promise<Related | null>;
  /** Those of the messages that are not known yet, each once, in their order. */
  unknown(connectionId: Uuid, messages: readonly MovementStatement[]): Promise<readonly MovementStatement[]>;
  /** Keeps messages that are not known yet. */
  keep(connectionId: Uuid, statements: readonly MovementStatement[]): Promise<void>;
}
