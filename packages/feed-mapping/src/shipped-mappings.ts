import type { FeedMapping } from "./mapping.js";
import avanza from "./shipped/avanza.json" with { type: "json" };
import coinbase from "./shipped/coinbase.json" with { type: "json" };
import degiroTransactions from "./shipped/degiro-transactions.json" with { type: "json" };
import directa from "./shipped/directa.json" with { type: "json" };
import etrade from "./shipped/etrade.json" with { type: "json" };
import fidelity from "./shipped/fidelity.json" with { type: "json" };
import fidelityPositions from "./shipped/fidelity-positions.json" with { type: "json" };
import finpension3a from "./shipped/finpension-3a.json" with { type: "json" };
import ibkrActivity from "./shipped/ibkr-activity.json" with { type: "json" };
import ibkrTrades from "./shipped/ibkr-trades.json" with { type: "json" };
import investengine from "./shipped/investengine.json" with { type: "json" };
import questrade from "./shipped/questrade.json" with { type: "json" };
import rabobank from "./shipped/rabobank.json" with { type: "json" };
import revolut from "./shipped/revolut.json" with { type: "json" };
import robinhood from "./shipped/robinhood.json" with { type: "json" };
import saxo from "./shipped/saxo.json" with { type: "json" };
import scalable from "./shipped/scalable.json" with { type: "json" };
import schwab from "./shipped/schwab.json" with { type: "json" };
import schwabPositions from "./shipped/schwab-positions.json" with { type: "json" };
import swissquote from "./shipped/swissquote.json" with { type: "json" };
import tradeRepublic from "./shipped/trade-republic.json" with { type: "json" };
import trading212 from "./shipped/trading212.json" with { type: "json" };
import vanguard from "./shipped/vanguard.json" with { type: "json" };

/** Parts of this package, so that they are not checked anew by every process: that takes a tenth of a second. The package's tests do it. */
const shipped = [
  ...[avanza, coinbase, degiroTransactions, directa, etrade, fidelity, fidelityPositions, finpension3a],
  ...[ibkrActivity, ibkrTrades, investengine, questrade, rabobank, revolut, robinhood, saxo],
  ...[scalable, schwab, schwabPositions, swissquote, tradeRepublic, trading212, vanguard],
] as readonly unknown[] as readonly FeedMapping[];

const mappings = shipped.map((mapping) => ({
  ...mapping,
  tables: mapping.tables.map((table) => ({ unmatched: "left_out" as const, ...table })),
}));

/** The mappings of brokers' exports in this package, by name. A row of a kind that they do not know is left out. */
export function shippedMappings(): readonly FeedMapping[] {
  return mappings;
}
