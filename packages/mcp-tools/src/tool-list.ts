import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { z } from "zod";
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

/** The tools as `tools/list` shows them, made once. */
export const listedTools: readonly ListedTool[] = tools.map(listed);

const byName = new Map(tools.map((tool) => [tool.name, tool]));

/** The tool of that name, if there is one. */
export function toolNamed(name: string): Tool | undefined {
  return byName.get(name);
}

function listed({ name, title, description, icons, annotations, input, output }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    icons,
    inputSchema: jsonSchema(input),
    outputSchema: jsonSchema(output),
    annotations: { title, ...annotations },
  };
}

/**
 * JSON Schema of what is sent over the wire. An output schema stays open to further fields: clients validate against the copy
 * that they have kept. `$schema` is left out, because older clients compile with a draft-07 validator and refuse other names.
 */
function jsonSchema(schema: z.ZodObject): ListedTool["inputSchema"] {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return rest as ListedTool["inputSchema"];
}
