import type { BankWay, SessionErrorCode } from "@org/core";
import type { AccessTerms, Challenge } from "@org/provider-kit";

/** A page that only informs: title, and how to proceed. */
export interface Notice {
  readonly title: string;
  readonly text: string;
}

/** Every text of the pages, in one language. A table with a missing key does not compile. */
export interface Messages {
  readonly continue: string;
  readonly cancel: string;
  /** Asked before a session is ended. */
  readonly cancelQuestion: string;
  /** What cancelling means, for a new and for a renewed connection. */
  readonly cancelText: Readonly<Record<"connect" | "renew", string>>;
  readonly cancelYes: string;
  readonly cancelNo: string;
  /** Label of the language switch. */
  readonly language: string;
  readonly chooseAnotherBank: string;
  /** Prefix of a page's title when it shows an error. */
  readonly errorPrefix: string;
  readonly errorHeading: string;
  readonly backToPage: string;
  readonly reference: (traceId: string) => string;

  readonly landingTitle: string;
  /** Used when the bank is fixed. */
  readonly landingTitleOf: (bank: string) => string;
  /** Used when an existing connection gets a new login. */
  readonly renewTitleOf: (bank: string) => string;
  /** Says who asks for the data. */
  readonly landingText: (requester: string) => string;
  readonly renewText: (requester: string) => string;
  /** The steps ahead, after the choice of bank. */
  readonly landingSteps: readonly string[];
  readonly privacyHeading: string;
  readonly defaultPrivacyNotice: (requester: string) => string;
  /** What the access could do, and what we do with it; `unstated` if the bank's provider does not say what it allows. */
  readonly rights: Readonly<Record<NonNullable<AccessTerms["rights"]> | "unstated", string>>;
  /** How current the holdings are. */
  readonly holdingsRead: Readonly<Record<NonNullable<AccessTerms["holdings"]>, string>>;
  /** How far back transactions are read; a count of days is at least 2. */
  readonly transactionsRead: (count: number, unit: "years" | "days") => string;
  readonly allTransactionsRead: string;
  readonly updatesByLogin: string;
  readonly privacyPolicy: string;
  readonly opensNewTab: string;
  readonly requestedBy: (requester: string) => string;
  /** Precedes the requester's support contact. */
  readonly questions: string;

  readonly bankTitle: string;
  readonly bankSearch: string;
  readonly bankCountry: string;
  readonly allCountries: string;
  readonly search: string;
  readonly banksFound: (count: number) => string;
  readonly noBanks: string;
  readonly bankList: string;
  readonly pagesLabel: string;
  readonly pageOf: (page: number, pages: number) => string;
  readonly previousPage: string;
  readonly nextPage: string;
  readonly bankRefused: string;
  /** How a bank without a login is connected. */
  readonly byLetter: string;
  /** What to do for such a bank. */
  readonly byLetterText: (requester: string) => string;
  /** One of several ways to a bank. */
  readonly wayTitle: Readonly<Record<BankWay["kind"], string>>;
  readonly wayThrough: (company: string) => string;
  readonly readThrough: (company: string) => string;
  /** Two or more. */
  readonly waysToConnect: (count: number) => string;
  readonly moreBanks: string;
  /** For screen readers. */
  readonly listKeys: string;

  readonly credentialsTitle: (bank: string) => string;
  readonly credentialsText: string;
  /** Used when the bank asks for something other than user name and password. */
  readonly detailsText: string;
  /** Used when there is nothing to type here. */
  readonly loginElsewhere: string;
  readonly username: string;
  readonly password: string;
  readonly enterUsername: string;
  readonly enterPassword: string;
  /** For fields that the bank names; `label` is a word or two of the bank. */
  readonly enterField: (label: string) => string;
  readonly chooseField: (label: string) => string;
  readonly unlikelyValue: (label: string) => string;
  readonly unusableValue: string;
  /** Label of an optional field. */
  readonly optional: (label: string) => string;
  /** Entry of a list in which nothing has been chosen. */
  readonly chooseOne: string;
  readonly showPassword: string;
  readonly showSecret: (label: string) => string;
  readonly rejectedCredentials: string;
  readonly rejectedDetails: string;
  readonly rejectedAnswer: string;
  /** The login was correct, but belongs to another person or account than the connection being renewed. */
  readonly otherLogin: string;
  readonly attemptsLeft: (count: number) => string;
  /** The login was interrupted on our side. */
  readonly cutOff: string;

  readonly processingTitle: string;
  readonly processingText: string;
  readonly checkNow: string;
  /** Shown after some waiting. */
  readonly processingLonger: string;

  readonly challengeTitle: string;
  readonly challengeText: Readonly<Record<Challenge["kind"], string>>;
  readonly bankSays: string;
  readonly answer: string;
  readonly enterAnswer: string;
  readonly qrLabel: string;
  readonly qrAsText: string;
  /** Link for when the picture cannot update without scripts. */
  readonly newestCode: string;

  readonly askTitle: string;
  readonly askText: string;
  readonly redirectTitle: string;
  readonly redirectText: (host: string) => string;
  /** The steps ahead on the bank's page, and the way back. */
  readonly redirectSteps: readonly string[];
  readonly sameBrowser: string;
  readonly goToBank: string;
  readonly goToBankAgain: string;
  /** The customer did not agree at the bank, or turned back there. */
  readonly declined: string;
  /** Restarts the login when its current step leads nowhere. */
  readonly restart: string;

  /** Title of the text that says where a key is made. */
  readonly howToTitle: string;
  /** Replaces these words where the customer connects with a key that they make at the bank. */
  readonly withKey: KeyMessages;

  readonly done: Notice;
  readonly renewed: Notice;
  /** The login succeeded, but the bank shows no account. */
  readonly noAccounts: Notice;
  /** The login succeeded, but the bank is still preparing the data; for a new and for a renewed connection. */
  readonly dataPending: Readonly<Record<"connect" | "renew", Notice>>;
  /** Replaces the text of {@link done} and {@link renewed} when some of the data could not be read. */
  readonly dataIncomplete: string;
  readonly expired: Notice;
  readonly aborted: Notice;
  readonly failed: Readonly<Record<SessionErrorCode, Notice>>;
  readonly otherLoginEnd: Notice;
  /** Replaces the text when the session was to renew a connection. */
  readonly notRenewed: Readonly<Record<"expired" | "aborted" | "failed", string>>;
  readonly closePage: string;
  readonly leadingBack: string;
  readonly goBackNow: string;
  /** The page cannot reach the server. */
  readonly unreachable: string;
  readonly tryAgain: string;

  readonly taken: Notice;
  readonly unknownLink: Notice;
  /** The customer returned from the bank in another browser than the one that went there. */
  readonly callbackElsewhere: Notice;
  readonly callbackUnknown: Notice;
  /** The form was not sent from a page opened in this browser. */
  readonly forbidden: Notice;
  readonly badRequest: Notice;
  readonly tooLarge: Notice;
  readonly tooMany: Notice;
  readonly away: Notice;
  readonly defect: Notice;
}

type KeyMessages = Pick<
  Messages,
  | "landingText"
  | "renewText"
  | "landingSteps"
  | "rights"
  | "credentialsTitle"
  | "detailsText"
  | "rejectedDetails"
  | "otherLogin"
  | "cutOff"
  | "noAccounts"
  | "otherLoginEnd"
> & { readonly failed: Pick<Messages["failed"], "InvalidCredentials" | "AlreadyExists"> };
