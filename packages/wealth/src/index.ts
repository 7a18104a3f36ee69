/** Figures over valuations, movements and exchange rates. */
export type {
  AccountFacts,
  ConnectionFacts,
  Difference,
  HoldingFacts,
  Money,
  Movement,
  Rate,
  Valuation,
  WealthFacts,
} from "./facts.js";
