import { createToolSet } from "./tool-set.js";
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
import { wealthHistory } from "./tools/wealth-history.js";
import { wealthIncome } from "./tools/wealth-income.js";
import { wealthPerformance } from "./tools/wealth-performance.js";
import { wealthSummary } from "./tools/wealth-summary.js";
import { wealthWhy } from "./tools/wealth-why.js";

/** The ten tools of `/mcp`, in the order of S1 §4, which is also that of `tools/list`. */
export const bankTools = createToolSet([
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
]);

/** The tools of `/mcp/analytics`: figures that are computed, where {@link bankTools} answer rows. */
export const analyticsTools = createToolSet([wealthSummary, wealthHistory, wealthPerformance, wealthIncome, wealthWhy]);
