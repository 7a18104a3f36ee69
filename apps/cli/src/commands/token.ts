import type { Command } from "commander";
import { failed } from "../cli-error.js";
import { withJson, withServer } from "../command-options.js";
import { readSecret } from "../input.js";
import { issueToken, refreshToken, revokeToken, type TokenAnswer } from "../oauth-client.js";
import { type ServerFlags, serverAccess, serverUrl } from "../settings.js";
import type { Shell } from "../shell.js";
import { details } from "../table.js";
import { describeToken, inspectToken, verifyToken } from "../token-inspection.js";

/** `token issue|refresh|revoke|inspect`. */
export function addTokenCommands(program: Command, shell: Shell): void {
  const token = program.command("token").description("get, exchange, revoke and inspect tokens");

  withServer(token.command("issue"))
    .description("get an access token and a refresh token with an application's secret")
    .option("--scope <scopes>", "scopes, separated by blanks; all of the application unless given")
    .option("--resource <url>", "what the token is for; the MCP endpoint and the REST API unless given")
    .option("--operator", "act as the operator's application of credentials.json, not as the demo tenant's")
    .action(async (options: ServerFlags & Output & { scope?: string; resource?: string; operator?: true }) => {
      const access = await serverAccess(shell, options, options.operator ? "operator" : "tenant");
      const { scope, resource } = options;
      const parameters = { ...(scope !== undefined && { scope }), ...(resource !== undefined && { resource }) };
      show(await issueToken(access, parameters, options.timeout), options);
    });

  withServer(token.command("refresh"))
    .description("exchange a refresh token for new tokens; it is used up by this")
    .argument("<refresh-token>", "the token, - reads it from standard input")
    .action(async (value: string, options: ServerFlags & Output) => {
      const url = await serverUrl(shell, options);
      show(await refreshToken(url, await readSecret(shell, value), options.timeout), options);
    });

  withServer(token.command("revoke"))
    .description("end the grant of an access token or refresh token, with all its tokens")
    .argument("<token>", "the token, - reads it from standard input")
    .action(async (value: string, options: ServerFlags & Output) => {
      await revokeToken(await serverUrl(shell, options), await readSecret(shell, value), options.timeout);
      shell.print(
        options.json ? JSON.stringify({ revoked: true }) : "The token does not work any more, if it ever did.",
      );
    });

  withJson(token.command("inspect"))
    .description("show what an access token says, without sending it anywhere")
    .argument("<token>", "the token, - reads it from standard input")
    .option("--verify", "check the signature too, against the public keys of the server")
    .option("--url <url>", "address of that server (or WEALTH_CONNECT_URL)")
    .action(async (value: string, options: Output & { verify?: true; url?: string }) => {
      const secret = await readSecret(shell, value);
      const found = inspectToken(secret, shell.clock());
      const signature = options.verify ? await verifyToken(secret, await serverUrl(shell, options)) : "not checked";
      if (options.json) shell.print(JSON.stringify({ ...found, signature }, null, 2));
      else shell.print(details({ ...describeToken(found), signature }));
      if (signature === "not valid") throw failed("the signature is not valid");
    });

  function show(answer: TokenAnswer, { json }: Output): void {
    shell.print(json ? JSON.stringify(answer, null, 2) : details({ ...answer }));
  }
}

/** The options of every command. */
interface Output {
  readonly json?: true;
}
