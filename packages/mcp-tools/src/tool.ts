import type { Icon } from "@modelcontextprotocol/server";
import type { Connectors, Credentials, InvestmentData, Sessions, TenantActor } from "@org/core";
import type { z } from "zod";

/** Scope that a token needs for a tool (contract §2). */
export type ToolScope = "connections:read" | "connections:write" | "connections:delete" | "investments:read";

/** What the tools call: the parts of core's services that they need, so that a test or an example can bring its own. */
export interface ToolServices {
  readonly connectors: Pick<Connectors, "search" | "find" | "completions">;
  readonly sessions: Pick<Sessions, "createFor" | "status">;
  readonly credentials: Credentials;
  readonly data: InvestmentData;
}

/** Hints for clients on what a call may do (MCP `ToolAnnotations`); all four, always. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** Whether the call involves parties outside this service, such as the bank. */
  readonly openWorldHint: boolean;
}

/** How a tool is described to clients. */
interface ToolDescription<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For the model: what it does, when to use it and when not. */
  readonly description: string;
  readonly scope: ToolScope;
  readonly annotations: ToolHints;
  readonly input: Input;
  readonly output: Output;
  readonly icons: Icon[];
  /** Of a tool whose answer holds a URL for the user, which clients that can are asked to show. */
  readonly urlForUser?: UrlForUser;
  /** Of a tool that does what cannot be undone: what clients that can are to ask their user first. */
  readonly questionFirst?: QuestionFirst;
}

/** A question that a user answers with yes or no. */
export interface ConfirmationQuestion {
  /** Id of what it is about: a yes is good for nothing else. */
  readonly about: string;
  readonly message: string;
  /** What ticking the box says. */
  readonly label: string;
}

/**
 * What the user has to be asked before a call acts; null = nothing, the tool decides.
 * @param parameters what `input` made of the arguments
 * @throws CoreError as `run` would
 */
export type QuestionFirst = (
  services: ToolServices,
  actor: TenantActor,
  parameters: unknown,
) => Promise<ConfirmationQuestion | null>;

/** What of an answer the user has to open: the URL, a sentence for the user, and an id that stands for it. */
export type UrlForUser = (answer: Record<string, unknown>) => {
  readonly url: string;
  readonly message: string;
  readonly id: string;
};

/** A tool: its description, and what answers a call. */
export interface Tool extends ToolDescription<z.ZodObject, z.ZodObject> {
  /**
   * Answers a call with the JSON text of its `structuredContent`, so that it is serialised once.
   * @param parameters what `input` made of the arguments
   * @param most characters that the text may have
   * @throws CoreError for what the caller can mend
   */
  run(services: ToolServices, actor: TenantActor, parameters: unknown, most: number): Promise<string>;
}

/** Makes a tool whose `run` is typed by its own input schema. */
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
