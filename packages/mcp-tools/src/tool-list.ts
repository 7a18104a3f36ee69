import type { Tool } from "./tool.js";
import { svcConnectors } from "./tools/svc-connectors.js";
import { svcCreateConnectSession } from "./tools/svc-create-connect-session.js";
import { svcCredentialStatus } from "./tools/svc-credential-status.js";
import { svcCredentials } from "./tools/svc-credentials.js";
import { svcDeleteCredentials } from "./tools/svc-delete-credentials.js";
import { svcInvestmentTransactions } from "./tools/svc-investment-transactions.js";
import { svcInvestments } from "./tools/svc-investments.js";
import { svcNeedsRelogin } from "./tools/svc-needs-relogin.js";
import { svcPortfolios } from "./tools/svc-portfolios.js";
import { svcSessionStatus } from "./tools/svc-session-status.js";

/** The ten tools, in the order of S1 §4, which is also that of `tools/list`. */
export const tools: readonly Tool[] = [
  svcConnectors,
  svcCreateConnectSession,
  svcSessionStatus,
  svcCredentials,
  svcCredentialStatus,
  svcNeedsRelogin,
  svcDeleteCredentials,
  svcPortfolios,
  svcInvestments,
  svcInvestmentTransactions,
];

const byName = new Map(tools.map((tool) => [tool.name, tool]));

/** Returns the tool with this name, if there is one. */
export function toolNamed(name: string): Tool | undefined {
  return byName.get(name);
}
