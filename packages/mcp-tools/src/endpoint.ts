import { analyticsSkills } from "./analytics-skills.js";
import { analyticsInstructions, bankInstructions } from "./instructions.js";
import type { Extension } from "./offer.js";
import { ownPromptsAndResources } from "./prompts-and-resources.js";
import { analyticsTools, bankTools } from "./tool-list.js";
import type { ToolSet } from "./tool-set.js";

/** One MCP server of an installation: its address, how it introduces itself, and what it offers. */
export interface McpEndpoint {
  /** From the root. Together with `PUBLIC_URL` it is the resource that tokens are for. */
  readonly path: "/mcp" | "/mcp/analytics";
  readonly name: string;
  readonly title: string;
  /** For people who choose a server: what it is for, at most 100 characters. */
  readonly description: string;
  /** For the model: how the tools work together. Sent with `initialize` and `server/discover`. */
  readonly instructions: string;
  readonly tools: ToolSet;
  /** Its prompts and resources. */
  readonly own: Extension;
}

/** Banks, connections and the data that they deliver. */
export const bankEndpoint: McpEndpoint = {
  path: "/mcp",
  name: "wealth-connect",
  title: "Wealth Connect",
  description: "Connects your banks and reads accounts, holdings and transactions, from a server you host yourself.",
  instructions: bankInstructions,
  tools: bankTools,
  own: ownPromptsAndResources,
};

/** Figures about these data: values, returns and income over time. */
export const analyticsEndpoint: McpEndpoint = {
  path: "/mcp/analytics",
  name: "wealth-connect-analytics",
  title: "Wealth Connect Analytics",
  description: "Values, allocation, returns and income of your wealth over time, from a server you host yourself.",
  instructions: analyticsInstructions,
  tools: analyticsTools,
  own: analyticsSkills,
};
