import type { SessionErrorCode } from "@org/core";
import type { Challenge } from "@org/provider-kit";

/** A page that only tells something: what it is, and how to go on. */
export interface Notice {
  readonly title: string;
  readonly text: string;
}

/** Every sentence of the pages, in one language. A table with a missing key does not compile. */
export interface Messages {
  readonly continue: string;
  readonly cancel: string;
  /** Asked before a session is ended. */
  readonly cancelQuestion: string;
  /** What ending it means, for a new connection and for one that is renewed. */
  readonly cancelText: Readonly<Record<"connect" | "renew", string>>;
  readonly cancelYes: string;
  readonly cancelNo: string;
  /** Names the switch of languages. */
  readonly language: string;
  readonly chooseAnotherBank: string;
  /** Before the title of a page that shows an error. */
  readonly errorPrefix: string;
  readonly errorHeading: string;
  readonly backToPage: string;
  readonly reference: (traceId: string) => string;

  readonly landingTitle: string;
  /** Where the bank is settled. */
  readonly landingTitleOf: (bank: string) => string;
  /** Where a connection that there is gets a new login. */
  readonly renewTitleOf: (bank: string) => string;
  /** Who asks for the data. */
  readonly landingText: (requester: string) => string;
  readonly renewText: (requester: string) => string;
  /** What is ahead, once there is a bank. */
  readonly landingSteps: readonly string[];
  readonly privacyHeading: string;
  readonly defaultPrivacyNotice: (requester: string) => string;
  readonly privacyPolicy: string;
  readonly opensNewTab: string;
  readonly requestedBy: (requester: string) => string;
  /** Before the requester's address for help. */
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
  /** How a bank is connected that has no login. */
  readonly byLetter: string;
  /** What to do for such a bank. */
  readonly byLetterText: (requester: string) => string;
  readonly moreBanks: string;
  /** For screen readers. */
  readonly listKeys: string;

  readonly credentialsTitle: (bank: string) => string;
  readonly credentialsText: string;
  /** Where the bank asks for other things than user name and password. */
  readonly detailsText: string;
  /** Where there is nothing to type here. */
  readonly loginElsewhere: string;
  readonly username: string;
  readonly password: string;
  readonly enterUsername: string;
  readonly enterPassword: string;
  /** For fields that the bank names; `label` is its word, or two. */
  readonly enterField: (label: string) => string;
  readonly chooseField: (label: string) => string;
  readonly unlikelyValue: (label: string) => string;
  readonly unusableValue: string;
  /** The label of a field that may stay empty. */
  readonly optional: (label: string) => string;
  /** Stands in a list where nothing is chosen yet. */
  readonly chooseOne: string;
  readonly showPassword: string;
  readonly showSecret: (label: string) => string;
  readonly rejectedCredentials: string;
  readonly rejectedDetails: string;
  readonly rejectedAnswer: string;
  /** The login was right, but belongs to another person or account than the connection that is renewed. */
  readonly otherLogin: string;
  readonly attemptsLeft: (count: number) => string;
  /** The login ended on our side. */
  readonly cutOff: string;

  readonly processingTitle: string;
  readonly processingText: string;
  readonly checkNow: string;
  /** After a while of waiting. */
  readonly processingLonger: string;

  readonly challengeTitle: string;
  readonly challengeText: Readonly<Record<Challenge["kind"], string>>;
  readonly bankSays: string;
  readonly answer: string;
  readonly enterAnswer: string;
  readonly qrLabel: string;
  readonly qrAsText: string;
  /** A link, where the picture cannot change by itself. */
  readonly newestCode: string;

  readonly askTitle: string;
  readonly askText: string;
  readonly redirectTitle: string;
  readonly redirectText: (host: string) => string;
  /** What is ahead there, and the way back. */
  readonly redirectSteps: readonly string[];
  readonly sameBrowser: string;
  readonly goToBank: string;
  readonly goToBankAgain: string;
  /** The customer did not agree at the bank, or turned back there. */
  readonly declined: string;
  /** Begins the login again, where a step of it leads nowhere any more. */
  readonly restart: string;

  readonly done: Notice;
  readonly renewed: Notice;
  /** The bank let the customer in and shows no account. */
  readonly noAccounts: Notice;
  /** The customer is in; the bank is still at work on the data. Of a new connection, and of one that is renewed. */
  readonly dataPending: Readonly<Record<"connect" | "renew", Notice>>;
  /** In place of the text of {@link done} and {@link renewed}: the customer is in, and some of the data could not be read. */
  readonly dataIncomplete: string;
  readonly expired: Notice;
  readonly aborted: Notice;
  readonly failed: Readonly<Record<SessionErrorCode, Notice>>;
  readonly otherLoginEnd: Notice;
  /** Said in place of the text where the session was to renew a connection. */
  readonly notRenewed: Readonly<Record<"expired" | "aborted" | "failed", string>>;
  readonly closePage: string;
  readonly leadingBack: string;
  readonly goBackNow: string;
  /** The page cannot ask us anything. */
  readonly unreachable: string;
  readonly tryAgain: string;

  readonly taken: Notice;
  readonly unknownLink: Notice;
  /** Back from the bank, in another browser than the one that went there. */
  readonly callbackElsewhere: Notice;
  readonly callbackUnknown: Notice;
  /** Back from the bank, when everything was over. */
  readonly forbidden: Notice;
  readonly badRequest: Notice;
  readonly tooLarge: Notice;
  readonly tooMany: Notice;
  readonly away: Notice;
  readonly defect: Notice;
}
