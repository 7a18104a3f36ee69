/**
 * Figures over valuations, movements and exchange rates, in exact fractions that are rounded once.
 *
 *   facts.ts           what figures are computed from
 *   history.ts         values at the close of each day of a period; also holdings-at.ts, summary.ts, gains.ts for one day
 *   performance.ts     returns: gaps.ts says what is missing, flows.ts which movements are flows, time-weighted.ts and money-weighted.ts reckon
 *   income.ts          dividends, interest, coupons, fees and taxes
 *   accounts.ts        what an account is worth at the close of a day; coverage.ts counts it
 *   fold.ts            facts that come piece by piece
 *   rates.ts           forms the rate of a pair of currencies
 *   fraction.ts        exact arithmetic, and rounding; powers.ts has powers with bounds of their error
 *   arguments.ts, answers.ts  the schemas of questions and answers
 */
export {
  type Coverage,
  type GainsAnswer,
  type Gap,
  gainsAnswer,
  type HistoryAnswer,
  type HoldingsAtAnswer,
  historyAnswer,
  holdingsAtAnswer,
  type IncomeAnswer,
  incomeAnswer,
  type MissingRate,
  type PerformanceAnswer,
  performanceAnswer,
  type RefusalReason,
  refusalSchema,
  type SummaryAnswer,
  summaryAnswer,
} from "./answers.js";
export {
  commonArguments,
  dayArguments,
  historyArguments,
  incomeArguments,
  performanceArguments,
  summaryArguments,
} from "./arguments.js";
export type {
  AccountFacts,
  ConnectionFacts,
  Difference,
  HoldingFacts,
  HoldingSum,
  Money,
  Movement,
  Rate,
  Valuation,
  WealthFacts,
} from "./facts.js";
export { needsHoldings } from "./flows.js";
export type { Fold } from "./fold.js";
export { gains } from "./gains.js";
export { type HistoryArguments, history, historyDays, historyFold } from "./history.js";
export { sumsOfHoldings } from "./holding-sums.js";
export { type DayArguments, holdingsAt } from "./holdings-at.js";
export { type IncomeArguments, income, incomeFold } from "./income.js";
export { type PerformanceArguments, performance } from "./performance.js";
export { type CommonArguments, periodAsked } from "./question.js";
export { type SummaryArguments, summary } from "./summary.js";
export { WealthError, type WealthErrorCode } from "./wealth-error.js";
export { type FigureVersion, figureVersion, type WhyAnswer, whyAnswer, whyArguments } from "./why.js";
