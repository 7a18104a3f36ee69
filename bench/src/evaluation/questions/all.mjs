import { aboutAccounts } from "./accounts.mjs";
import { aboutCatalogue } from "./catalogue.mjs";
import { aboutConnections } from "./connections.mjs";
import { aboutHoldings } from "./holdings.mjs";
import { aboutMovements } from "./movements.mjs";

export function questionsOn(seed) {
  return [...aboutAccounts, ...aboutHoldings, ...aboutMovements, ...aboutConnections(seed), ...aboutCatalogue];
}
