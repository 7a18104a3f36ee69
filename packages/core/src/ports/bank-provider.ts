import type { HoldingSubtype, HoldingType, PortfolioType } from "../schemas/data.js";
import type { AccessRefusal } from "../schemas/provider-answers.js";
import type { SessionLanguage } from "../schemas/session.js";

/** What a provider read at the bank at one moment. A product that is `null` could not be read; an empty list is really empty. */
export interface SnapshotData {
  /** Of portfolios stated as of several moments, the latest. */
  readonly as_of: Date;
  readonly portfolios: readonly PortfolioData[] | null;
  readonly holdings: readonly HoldingData[] | null;
  /** Transactions known to the bank now; they are merged into the connection's history by `key`. */
  readonly transactions: readonly TransactionData[] | null;
}

/** A portfolio account. `key` is the bank's own reference: the same account has the same key in every snapshot. */
export interface PortfolioData {
  readonly key: string;
  readonly name: string;
  /** Decimal string in `currency`, exactly as the source gave it. */
  readonly balance: string | null;
  readonly currency: string;
  readonly ref_account: string | null;
  readonly type: PortfolioType;
  /** When this portfolio was stated, in a custodian's file that states several, each as of its own day; left out: the snapshot's. */
  readonly as_of?: Date;
  /** True where a file tells movements only: what is known of the portfolio and its holdings stays. */
  readonly holdings_unknown?: boolean;
}

/** A holding. `key` names the security within its portfolio; holdings that share one are told apart by their order. */
export interface HoldingData {
  readonly key: string;
  readonly portfolio_key: string;
  readonly name: string;
  readonly isin: string | null;
  /** Units, decimal string. */
  readonly amount: string | null;
  /** Value in `currency`, decimal string. */
  readonly balance: string | null;
  readonly currency: string;
  /** `YYYY-MM-DD` */
  readonly valuation_date: string | null;
  readonly type: HoldingType;
  readonly subtype: HoldingSubtype | null;
  /** Numbers of the security beside its ISIN. */
  readonly identifiers?: SecurityIdentifiers;
  /** Interest that has accrued and is not part of `balance`, decimal string in `currency`. */
  readonly accrued_interest?: string;
}

/** What a security is called beside its ISIN, by numbering scheme, as the source gives it. */
export interface SecurityIdentifiers {
  readonly cusip?: string;
  readonly sedol?: string;
  readonly ticker?: string;
  readonly valor?: string;
  readonly wkn?: string;
}

/** A movement. `key` is the bank's transaction id, or null when it gives none (equal twins in one file then stay twins). */
export interface TransactionData {
  readonly key: string | null;
  readonly portfolio_key: string;
  readonly holding_key: string | null;
  /** `YYYY-MM-DD` as the source writes it */
  readonly operation_date: string;
  readonly description: string;
  /** Signed units, decimal string. */
  readonly amount: string | null;
  /** Signed cash value in `currency`, decimal string. */
  readonly balance: string | null;
  readonly currency: string;
  readonly unit_price: string | null;
}

/** What the bank asks the customer for. `approve` kinds are answered by a Continue button, the others by a typed code. */
export interface Challenge {
  readonly kind: "sms" | "code" | "app" | "qr" | "card";
  /** Words for the customer, in English; the widget translates what it knows. */
  readonly message: string;
  /** What a QR challenge shows, as text to be drawn. */
  readonly qr?: string;
}

/** Where a login stands after one exchange with the bank. `state` and `access` are JSON and are stored only encrypted. */
export type LoginStep =
  | { readonly kind: "authenticated"; readonly user_key: string; readonly access: unknown }
  | { readonly kind: "challenge"; readonly challenge: Challenge; readonly state: unknown }
  /** Wrong credentials or a wrong answer: the customer may try again. `state` replaces the stored one. */
  | { readonly kind: "rejected" }
  | {
      readonly kind: "failed";
      readonly error_code: "UnsupportedChallengeMethod" | "UserInteractionNeeded" | "AlreadyExists" | "InternalError";
    };

/**
 * How a challenge stands that the customer has not answered yet: as it was (`waiting`), replaced by what is to be shown from now
 * on (`challenge`), or ended without an answer, by an approval in the bank's app for example.
 */
export type PollStep = LoginStep | { readonly kind: "waiting" };

/** What a fetch brought: the data, and what the bank said about the access itself; or, with `refused`, why there is none. */
export type FetchResult =
  | {
      readonly snapshot: SnapshotData;
      readonly consent_expires_at: Date | null;
      /** Replaces the stored access, where a bank gives a new one with every use. */
      readonly access?: unknown;
      readonly refused?: undefined;
    }
  | { readonly refused: AccessRefusal };

/** A fetch that brought data. */
export type FetchedData = Extract<FetchResult, { snapshot: SnapshotData }>;

/** One thing that a bank asks for at login, in its own words. */
export interface CredentialField {
  readonly name: "username" | "password";
  /** What the bank calls it, by language; where there is none, the widget's own word for it. */
  readonly label?: Readonly<Partial<Record<SessionLanguage, string>>>;
  /** What belongs there, or where to find it. */
  readonly hint?: Readonly<Partial<Record<SessionLanguage, string>>>;
}

/**
 * A way to a bank: start a login, answer a challenge or poll it, fetch a snapshot (contract §5). docs/bank-providers.md tells how to
 * write one.
 *
 * Every call must obey `signal`. A call that throws is a failure of the provider, not of the customer: a login or an answer is
 * never repeated, a fetch may be. `user_key` identifies the person at the bank, the same for every login; it is stored only as
 * a keyed hash.
 */
export interface BankProvider {
  readonly name: string;
  /** What a connector's login asks for, in order; without it, user name and password. */
  credentialFields?(connectorId: string): readonly CredentialField[];
  login(request: LoginRequest): Promise<LoginStep>;
  answer(request: AnswerRequest): Promise<LoginStep>;
  /**
   * Asks how a challenge stands, for banks that change it or end it by themselves. Asked every few seconds while the customer's
   * page is open, on any replica, never twice at once for one session; an answer may come while it is asked. A poll that throws
   * leaves the challenge as it is.
   */
  poll?(request: PollRequest): Promise<PollStep>;
  fetch(request: FetchRequest): Promise<FetchResult>;
}

/** What every request to a bank has. */
interface BankRequest {
  readonly connector_id: string;
  /** Whose share of the places at banks the call takes. The guard reads it; a provider is not told. */
  readonly for_tenant?: string;
  readonly signal: AbortSignal;
}

/** The customer's answer to a challenge, with the state that came with it. */
export interface AnswerRequest extends BankRequest {
  readonly state: unknown;
  readonly answer: string;
}

/** A challenge that waits for its answer, by the state that came with it last. */
export interface PollRequest extends BankRequest {
  readonly state: unknown;
}

/** A read of the data with an access that a login gave. */
export interface FetchRequest extends BankRequest {
  readonly access: unknown;
  /** False right after a login, while the customer is there; true later on, when nobody can answer the bank. */
  readonly refresh: boolean;
}

/** Credentials as the customer typed them, empty where the bank asks for none; they live only as long as the login needs them. */
export interface LoginRequest extends BankRequest {
  readonly username: string;
  readonly password: string;
}

/** Custodian files above this size are refused unread, wherever they come from. 64 MiB is some hundred thousand holdings. */
export const MAX_FEED_BYTES = 64 * 1024 * 1024;

/** Reads one custodian file. A file that cannot be read whole is refused with a {@link FeedRefusal} and nothing of it is used. */
export interface FeedParser {
  readonly format: string;
  /** Whether the first bytes look like this format. */
  recognises(head: string): boolean;
  parse(file: Uint8Array): ParsedFeed;
}

/** What a parser made of a file. */
export interface ParsedFeed extends SnapshotData {
  /** In file order, few: a parser tells the first ones and how many more there are. */
  readonly warnings: readonly FeedWarning[];
  /** Pages of statements that are not whole in this file; what they hold is not among the rest. */
  readonly pages?: readonly StatementPage[];
}

/** A page of a statement whose other pages come in other files. */
export interface StatementPage {
  /** The same for all pages of one statement, and for those of no other one. */
  readonly statement: string;
  /** From 1. */
  readonly number: number;
  readonly is_last: boolean;
  /** The page as the file has it: the texts of all pages, one below the other, are a file that can be read. */
  readonly text: string;
  /** As in {@link FeedRefusal}. */
  readonly place: string;
}

/** A custodian file that was read, with the name of its format. */
export interface ReadFeed {
  readonly format: string;
  readonly snapshot: SnapshotData;
  readonly warnings: readonly FeedWarning[];
  /** As in {@link ParsedFeed}. */
  readonly pages?: readonly StatementPage[];
}

/** Something odd in a file that leaves it readable, such as a wrong check digit. `place` as in {@link FeedRefusal}. */
export interface FeedWarning {
  readonly place: string;
  readonly message: string;
}

/** Why a custodian file was refused: `place` says where (`line 12, column 3` or an element path), `reason` why. */
export class FeedRefusal extends Error {
  override readonly name = "FeedRefusal";
  readonly place: string;
  readonly reason: string;

  constructor(place: string, reason: string) {
    super(`${place}: ${reason}`);
    this.place = place;
    this.reason = reason;
  }
}
