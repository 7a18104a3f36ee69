import { type Command, InvalidArgumentError } from "commander";
import type { z } from "zod";

/** Adds `--json`, which every command has. */
export function withJson(command: Command): Command {
  return command.option("--json", "print one JSON document instead of a table");
}

/** Adds the options of every command that talks to the server. @param timeout default limit of a request, in seconds */
export function withServer(command: Command, timeout = 30): Command {
  return withJson(command)
    .option("--url <url>", "address of the server (or WEALTH_CONNECT_URL)")
    .option("--client-id <id>", "application to act as (or WEALTH_CONNECT_CLIENT_ID)")
    .option("--client-secret <secret>", "its secret, - reads it from standard input (or WEALTH_CONNECT_CLIENT_SECRET)")
    .option("--timeout <seconds>", "how long one request may take", wholeNumber(1, 86_400), timeout);
}

/** Parses an option that takes a whole number. */
export function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max))
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return value;
  };
}

/** Checks an option by a schema, whose message says what it must be. */
export function checked(schema: z.ZodType) {
  return (text: string): string => {
    const { error } = schema.safeParse(text);
    if (error) throw new InvalidArgumentError(`It ${error.issues[0]?.message}.`);
    return text;
  };
}

/** Collects an option that may be given several times. */
export function repeated(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}

/** Collects `key=value` options. */
export function keyValue(
  text: string,
  before: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new InvalidArgumentError("It must have the form key=value.");
  return { ...before, [key]: value };
}
