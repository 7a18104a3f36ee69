import { Command } from "commander";
import { addAppCommands } from "./commands/apps.js";
import { addAuditCommands } from "./commands/audit.js";
import { addBootstrapCommand } from "./commands/bootstrap.js";
import { addClientCommands } from "./commands/clients.js";
import { addClusterCommands } from "./commands/cluster.js";
import { addConnectionCommands } from "./commands/connections.js";
import { addConnectorCommands } from "./commands/connectors.js";
import { addDataCommands } from "./commands/data.js";
import { addDataFeedCommands } from "./commands/datafeed.js";
import { addDoctorCommand } from "./commands/doctor.js";
import { addDocumentCommands } from "./commands/documents.js";
import { addEventCommands } from "./commands/events.js";
import { addFeedKeyCommands } from "./commands/feed-keys.js";
import { addFigureCommands } from "./commands/figures.js";
import { addFilterCommands } from "./commands/filter.js";
import { addGrantCommands } from "./commands/grants.js";
import { addKeyCommands } from "./commands/keys.js";
import { addLetterCommands } from "./commands/letters.js";
import { addMailCommands } from "./commands/mails.js";
import { addMigrateCommand } from "./commands/migrate.js";
import { addPeopleCommands } from "./commands/people.js";
import { addProviderCommands } from "./commands/providers.js";
import { addRateCommands } from "./commands/rates.js";
import { addServeCommand } from "./commands/serve.js";
import { addSourceCommands } from "./commands/sources.js";
import { addTenantCommands } from "./commands/tenants.js";
import { addTokenCommands } from "./commands/token.js";
import { addTrustedIssuerCommands } from "./commands/trusted-issuers.js";
import { addWebhookCommands } from "./commands/webhooks.js";
import { addWhyCommand } from "./commands/why.js";
import { addWorkCommands } from "./commands/work.js";
import type { Shell } from "./shell.js";

const help = `
Commands talk to the server over HTTP. Which server and which application:
  1. --url, --client-id, --client-secret (- reads the secret from standard input)
  2. WEALTH_CONNECT_URL, WEALTH_CONNECT_CLIENT_ID, WEALTH_CONNECT_CLIENT_SECRET
  3. DATA_DIR/credentials.json, which the server writes on its first start
     (operator commands use its operator, the others its demo tenant; they go to its url only)
Commands share an access token, which is kept in DATA_DIR/cli-tokens (mode 0600), or in the user's cache without DATA_DIR.
bootstrap, migrate, documents and cluster open the database themselves (DATABASE_URL, or the embedded one in DATA_DIR).

Results go to stdout, progress and errors to stderr.
Exit codes: 0 done, 1 refused or failed, 2 wrong usage.`;

/** Every command of `wealth-connect`. Parsing throws a CommanderError instead of ending the process. */
export function createProgram(shell: Shell, version: string): Command {
  const program = new Command(shell.program)
    .description("Operate Wealth Connect: tenants, applications, the catalogue, letters and custodian files")
    .version(version)
    .addHelpText("after", help)
    .showHelpAfterError("(--help shows how it is used)")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => shell.print(text.trimEnd()),
      writeErr: (text) => shell.note(text.trimEnd()),
    });

  addServeCommand(program, shell);
  addTokenCommands(program, shell);
  addFilterCommands(program, shell);
  addConnectorCommands(program, shell);
  addProviderCommands(program, shell);
  addRateCommands(program, shell);
  addTenantCommands(program, shell);
  addAppCommands(program, shell);
  addGrantCommands(program, shell);
  addWorkCommands(program, shell);
  addLetterCommands(program, shell);
  addMailCommands(program, shell);
  addClientCommands(program, shell);
  addConnectionCommands(program, shell);
  addDataCommands(program, shell);
  addFigureCommands(program, shell);
  addWhyCommand(program, shell);
  addDataFeedCommands(program, shell);
  addSourceCommands(program, shell);
  addFeedKeyCommands(program, shell);
  addPeopleCommands(program, shell);
  addTrustedIssuerCommands(program, shell);
  addEventCommands(program, shell);
  addWebhookCommands(program, shell);
  addAuditCommands(program, shell);
  addKeyCommands(program, shell);
  addMigrateCommand(program, shell);
  addDocumentCommands(program, shell);
  addClusterCommands(program, shell);
  addBootstrapCommand(program, shell);
  addDoctorCommand(program, shell);
  return program;
}
