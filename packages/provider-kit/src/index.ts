/**
 * What a provider, or a format of custodian files, is written against, and nothing of the server.
 *
 *   definition.ts        a provider before it has settings: `defineProvider`
 *   port.ts              the calls of a provider, what each is asked and may answer
 *   snapshot.ts          what a fetch brings: portfolios, holdings, transactions
 *   feed-format.ts       a format of custodian files: `defineFeedFormat`
 *   credential-field.ts  what a customer is asked for
 *   answers.ts           what is wrong with an answer
 *   decimal.ts, isin.ts  exact decimals, and numbers of securities
 *   remembered.ts        what is worked out once of texts that come again and again
 *   secret.ts            settings that are never shown
 *   http-client.ts, pace.ts  the way out, and how fast
 *   loading/             for programs that load what settings name (`@org/provider-kit/loading`)
 *   outage.ts            which errors say that an institution is out of order
 */
export { faultsOfAnswer, faultsOfContent } from "./answers.js";
export {
  type CredentialField,
  fieldName,
  type Language,
  type LocalizedText,
  languages,
  localizedText,
} from "./credential-field.js";
export {
  addDecimals,
  compareDecimals,
  decimalOf,
  multiplyDecimals,
  normaliseDecimal,
  significantDecimal,
  sumDecimals,
} from "./decimal.js";
export {
  type CheckResult,
  defineProvider,
  type ProviderConnector,
  type ProviderDefinition,
  type ProviderLog,
  type ProviderServices,
  providerName,
} from "./definition.js";
export {
  defineFeedFormat,
  type FeedContent,
  type FeedFormat,
  type FeedLack,
  type FeedReadOptions,
  FeedRefusal,
  type FeedWarning,
  feedLacks,
  type LeftOut,
  MAX_FEED_BYTES,
  type ReadFeed,
  type StatementPage,
  type TransactionCorrection,
  type TransactionKeys,
} from "./feed-format.js";
export { hostsIn, isPrivateTransport, parseUrl } from "./hosts.js";
export {
  type BodyReading,
  type HttpAnswer,
  type HttpClient,
  HttpFailure,
  type HttpFailureCode,
  type HttpRequest,
  type TlsIdentity,
} from "./http-client.js";
export { isIsin, isinOf } from "./isin.js";
export { memoize } from "./memoize.js";
export { AnswerFailure, isOutage } from "./outage.js";
export { createPace, MAX_WAIT_MS, nextTurn, type Pace, type PaceLimit } from "./pace.js";
export {
  type AccessRefusal,
  type AnswerRequest,
  accessRefusals,
  type BankProvider,
  type BankRequest,
  type Challenge,
  type ConnectorOfProvider,
  challengeKinds,
  type FetchedData,
  type FetchRequest,
  type FetchResult,
  type LoginFailure,
  type LoginRequest,
  type LoginStep,
  type LookRequest,
  type LookStep,
  loginFailures,
  type Notified,
  type NotifyRequest,
  type ResumeRequest,
  type RevokeRequest,
} from "./port.js";
export { maskSettings, secret, secretsIn } from "./secret.js";
export {
  type HoldingData,
  type HoldingSubtype,
  type HoldingType,
  holdingSubtypes,
  holdingTypes,
  type PortfolioData,
  type PortfolioType,
  portfolioTypes,
  type SecurityIdentifiers,
  type SnapshotData,
  type TransactionData,
  type TransactionKind,
  type TransactionStage,
  transactionKinds,
  transactionStages,
  type Writable,
} from "./snapshot.js";
export { calendarDate, currencyCode, decimalString, isCalendarDate, isDecimalString } from "./values.js";
