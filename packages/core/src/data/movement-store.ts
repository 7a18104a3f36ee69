import type { TransactionStage } from "@org/provider-kit";
import type { Uuid } from "../schemas/identifier.js";
import type { TransactionRow } from "./snapshot-store.js";

/**
 * What one message of a custodian says about a movement that other messages may describe too. It is stored as it came. What is shown is
 * merged from all stored messages, so that the order in which they come does not matter.
 */
export interface MovementStatement {
  /** Computed from the content: the same message has the same id in every file. */
  readonly statement_id: string;
  /** References that the messages of one event share within an account, and in `cancels` those of the messages that this one takes back. */
  readonly references: readonly string[];
  readonly cancels: readonly string[];
  /** The message's own reference, by which others take it back; null if it has none. */
  readonly key: string | null;
  readonly stage: TransactionStage;
  /** Equal for messages of the same stage about the same movement. */
  readonly slot: string;
  /** The transaction to show while no other message is known. */
  readonly row: TransactionRow;
}

/** What a message is found by. */
type NamedMessage = Pick<MovementStatement, "statement_id" | "references" | "cancels">;

/** The bounds of a search for related messages. */
interface RelatedAsked {
  readonly maxSharing: number;
  readonly maxMessages: number;
  readonly maxFound: number;
  readonly ignored: ReadonlySet<string>;
}

/** The stored messages of some events. */
interface Related {
  readonly statements: readonly MovementStatement[];
  readonly shared: ReadonlySet<string>;
}

/** Messages about movements, found by the references that they share. */
export interface MovementStore {
  /**
   * The stored messages of the events that these messages belong to, in the order in which they were stored: the messages themselves, those
   * that share a reference with them, those that share one with these, and so on. A reference that more than `maxSharing` messages have
   * identifies no event: it is not followed, and is returned in `shared`. References in `ignored` are not followed either. More than
   * `maxMessages` connected messages are not one event: of them, only these messages and some others are returned. Null if more than
   * `maxFound` would be found: these may be very many and are not read; ask for fewer messages. No other transaction can store messages of
   * this tenant until this one ends.
   */
  related(connectionId: Uuid, messages: readonly NamedMessage[], asked: RelatedAsked): Promise<Related | null>;
  /** The messages that are not stored yet, each once, in the given order. */
  unknown(connectionId: Uuid, messages: readonly MovementStatement[]): Promise<readonly MovementStatement[]>;
  /** Stores the messages that are not stored yet. */
  keep(connectionId: Uuid, statements: readonly MovementStatement[]): Promise<void>;
  /** The ids of the transactions that these corrections are known for; unknown corrections are left out. */
  corrected(connectionId: Uuid, correctionIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Stores the ids of the transactions of corrections, by the correction's id; what is stored of a correction stays. */
  keepCorrected(connectionId: Uuid, transactionIds: ReadonlyMap<string, string>): Promise<void>;
}
