import { expect } from "vitest";
import { commandLine } from "../../cli/test/command-line.js";
import type { TestServer } from "./harness.js";

/** The command line of an installation's operator. */
export interface OperatorCommands {
  /** Runs a command that has to succeed; returns the document that `--json` prints. */
  // biome-ignore lint/suspicious/noExplicitAny: documents of every command
  run(args: readonly string[], stdin?: string): Promise<any>;
  /** Removes its folder. */
  remove(): void;
}

/** The command line as the operator of a server uses it, inside this process. */
export function operatorCommands(server: () => Pick<TestServer, "url" | "operator">): OperatorCommands {
  const cli = commandLine();
  return {
    async run(args, stdin = "") {
      const { url, operator } = server();
      const env = {
        WEALTH_CONNECT_URL: url,
        WEALTH_CONNECT_CLIENT_ID: operator.clientId,
        WEALTH_CONNECT_CLIENT_SECRET: operator.clientSecret,
      };
      const { code, stderr, document } = await cli.json(args, { env, stdin });
      expect({ args, code, stderr: code === 0 ? "" : stderr }).toEqual({ args, code: 0, stderr: "" });
      return document;
    },
    remove: cli.remove,
  };
}
