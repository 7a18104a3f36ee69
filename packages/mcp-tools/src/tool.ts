import type { Icon } from "@modelcontextprotocol/server";
import type { Connectors, Credentials, InvestmentData, Sessions, TenantActor, Wealth, Why } from "@org/core";
import type { z } from "zod";

/** Scope that a token needs for a tool (contract §2). */
export type ToolScope = "connections:read" | "connections:write" | "connections:delete" | "investments:read";

/** The parts of core's services that the tools call, so that a test or an example can provide its own. */
export interface ToolServices {
  readonly connectors: Pick<Connectors, "search" | "suggest" | "find" | "completions">;
  readonly sessions: Pick<Sessions, "createFor" | "status">;
  readonly credentials: Credentials;
  readonly data: InvestmentData;
  readonly wealth: Pick<Wealth, "summary" | "history" | "performance" | "income">;
  readonly why: Why;
}

/** Hints for clients about the effects of a call (MCP `ToolAnnotations`). All four are always present. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** Whether the call involves parties outside this service, such as the bank. */
  readonly openWorldHint: boolean;
}

/** Hints of a tool that reads what is stored here. */
export const readsOnly: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** How a tool is described to clients. */
interface ToolDescription<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For the model: what the tool does, and when to use it or not. */
  readonly description: string;
  readonly scope: ToolScope;
  readonly annotations: ToolHints;
  readonly input: Input;
  readonly output: Output;
  /** Another name of a required parameter. The published schema has both; a call needs one of them, or both with one value. */
  readonly otherName?: { readonly name: string; readonly of: string };
  readonly icons: Icon[];
  /** Returns the URL in the answer that capable clients are asked to show to the user. */
  readonly urlForUser?: UrlForUser;
  /** Returns the question that capable clients ask their user first, for a tool whose action cannot be undone. */
  readonly questionFirst?: QuestionFirst;
}

/** A question that a user answers with yes or no. */
export interface ConfirmationQuestion {
  /** Id of the subject; a yes is valid for nothing else. */
  readonly about: string;
  readonly message: string;
  /** Label of the box to tick. */
  readonly label: string;
}

/**
 * Returns what to ask the user before a call acts; null = nothing, the tool decides.
 * @param parameters the output of `input`
 * @throws CoreError as `run` would
 */
export type QuestionFirst = (
  services: ToolServices,
  actor: TenantActor,
  parameters: unknown,
) => Promise<ConfirmationQuestion | null>;

/** Returns what the user has to open: the URL, a sentence for the user, and an id for it. */
export type UrlForUser = (answer: Record<string, unknown>) => {
  readonly url: string;
  readonly message: string;
  readonly id: string;
};

/** A tool: its description, and the function that answers a call. */
export interface Tool extends ToolDescription<z.ZodObject, z.ZodObject> {
  /**
   * Answers a call with the JSON text of its `structuredContent`, so that it is serialized once.
   * @param parameters the output of `input`
   * @param most maximum number of characters of the text
   * @throws CoreError for what the caller can correct
   */
  run(services: ToolServices, actor: TenantActor, parameters: unknown, most: number): Promise<string>;
}

/** Makes a tool whose `run` has the types of its own input schema. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Omit<ToolDescription<Input, Output>, "questionFirst"> & {
    run(services: ToolServices, actor: TenantActor, parameters: z.output<Input>, most: number): Promise<string>;
    questionFirst?(
      services: ToolServices,
      actor: TenantActor,
      parameters: z.output<Input>,
    ): Promise<ConfirmationQuestion | null>;
  },
): Tool {
  const { questionFirst, ...described } = tool;
  return {
    ...described,
    ...(questionFirst && {
      questionFirst: (services, actor, parameters) => questionFirst(services, actor, parameters as z.output<Input>),
    }),
    run: (services, actor, parameters, most) => tool.run(services, actor, parameters as z.output<Input>, most),
  };
}
