import type { Icon } from "@modelcontextprotocol/server";
import type { Completer, OfferedPrompt } from "./offer.js";

/** An argument of a prompt. */
interface PromptArgument {
  readonly title: string;
  readonly description: string;
  readonly required?: boolean;
  readonly completer?: Completer;
}

/** Defines a prompt with a single user message built from its arguments. Omitted arguments are undefined. */
export function definePrompt<Name extends string>(prompt: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly icons: Icon[];
  readonly arguments: Readonly<Record<Name, PromptArgument>>;
  text(values: Readonly<Partial<Record<Name, string>>>): string;
}): OfferedPrompt {
  const named = Object.entries<PromptArgument>(prompt.arguments);
  const { name, title, description, icons } = prompt;
  return {
    listed: {
      name,
      title,
      description,
      icons,
      arguments: named.map(([argument, about]) => ({
        name: argument,
        title: about.title,
        description: about.description,
        required: about.required ?? false,
      })),
    },
    completers: Object.fromEntries(
      named.flatMap(([argument, { completer }]) => (completer ? [[argument, completer] as const] : [])),
    ),
    get: (values) => ({
      description,
      messages: [
        {
          role: "user",
          content: { type: "text", text: prompt.text(values as Readonly<Partial<Record<Name, string>>>) },
        },
      ],
    }),
  };
}

/** Quotes an outside value for use in a sentence, so that it reads as a value and not as part of the sentence. */
export function quoted(value: string): string {
  return JSON.stringify(value);
}
