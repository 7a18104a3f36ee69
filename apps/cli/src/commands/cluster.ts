import type { Command } from "commander";
import { failed } from "../cli-error.js";
import { withJson } from "../command-options.js";
import { confirm } from "../confirmation.js";
import type { Shell } from "../shell.js";
import { table } from "../table.js";

/** `cluster distribute`. */
export function addClusterCommands(program: Command, shell: Shell): void {
  const cluster = program
    .command("cluster")
    .description("spread the database of this installation over a Citus cluster");
  withJson(cluster.command("distribute"))
    .description("spread portfolios, holdings and transactions over the nodes, each tenant's on one")
    .option("--dry-run", "say what would be done, and change nothing")
    .option("--yes", "do it without asking")
    .addHelpText(
      "after",
      "\nOpens the database itself (DATABASE_URL, the coordinator) with a login that owns the tables and may change roles.\nMay be run again at any time: what is done is left alone. Until it has ended, whoever writes or reads these tables waits.\nThere is no way back but a backup: see docs/how-to/cluster.md first.",
    )
    .action(async (options: { json?: true; dryRun?: true; yes?: true }) => {
      const { withInstallation } = await import("../installation.js");
      const { clusterState, distributeCluster, migrationState } = await import("@org/storage-postgres");
      const { steps, state } = await withInstallation(shell, async (_config, { pool }) => {
        const { pending } = await migrationState(pool);
        if (pending.length > 0) throw failed(`the database lacks ${pending.length} migrations: wealth-connect migrate`);
        const before = await clusterState(pool);
        if (before.obstacles.length > 0) throw failed(before.obstacles.join("; "));
        if (options.dryRun || before.steps.length === 0) return { steps: before.steps, state: before };
        if (before.spread.length === 0)
          await confirm(
            shell,
            options.yes,
            () => "This spreads the rows of all tenants over the cluster. There is no way back but a backup.",
          );
        const made = await distributeCluster(pool, ({ object, what }) => shell.note(`${object}: ${what}`));
        return { steps: made, state: await clusterState(pool) };
      });
      const { citus, nodes, spread } = state;
      if (options.json) {
        const done = { citus, nodes, spread, dry_run: options.dryRun === true, steps };
        shell.print(JSON.stringify(done, null, 2));
        return;
      }
      if (steps.length === 0) shell.print("nothing to do: the database is spread over its cluster");
      else
        shell.print(
          table(
            ["kind", "object", "what"],
            steps.map(({ kind, object, what }) => [kind, object, what]),
          ),
        );
      shell.print(
        table(
          ["node", "shards"],
          nodes.map(({ host, port, shards }) => [`${host}:${port}`, shards]),
        ),
      );
    });
}
