import { type WorkKind, workKinds } from "@org/core";
import { type Command, InvalidArgumentError } from "commander";
import { z } from "zod";
import { wholeNumber, withServer } from "../command-options.js";
import { connectToServer } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { table } from "../table.js";
import { chooseTenant } from "../tenant-choice.js";

type Flags = ServerFlags & {
  readonly json?: true;
  readonly tenant?: string;
  readonly kind?: WorkKind[];
  readonly limit: number;
};

const details = z.looseObject({
  institution: z.string().optional(),
  status: z.string().optional(),
  name: z.string().optional(),
  reason: z.string().optional(),
});
const page = z.object({
  items: z.array(
    z.looseObject({
      kind: z.string(),
      subject: z.object({ type: z.string(), id: z.string() }),
      tenant_id: z.string().nullable(),
      tenant: z.string().nullable(),
      since: z.string().nullable(),
      action: z.string(),
      severity: z.string(),
      details,
    }),
  ),
  counts: z.record(z.string(), z.number()),
  next_page_token: z.string().nullable(),
});

/** `work list`: what needs action now, and what to do next. */
export function addWorkCommands(program: Command, shell: Shell): void {
  const work = program.command("work").description("what needs somebody now, each with the one thing to do (operator)");

  withServer(work.command("list"))
    .description("list it, the most urgent kind first and of each kind the oldest")
    .option("--tenant <id or name>", "only of this tenant")
    .option("--kind <kind>", `${workKinds.join(", ")}; several times for more`, kind)
    .option("--limit <number>", "how many at most", wholeNumber(1, 200), 100)
    .action(async (options: Flags) => {
      const server = await connectToServer(shell, options, "operator");
      const body = {
        ...(options.tenant !== undefined && { tenant_id: await chooseTenant(shell, server, options.tenant) }),
        ...(options.kind && { kinds: options.kind }),
        page_size: options.limit,
      };
      const found = await server.call("/operator/v1/work/list", body, page);
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      const rows = found.items.map(({ kind, subject, tenant, tenant_id, since, action, severity, details: said }) => [
        ...[severity, kind, action, since, tenant ?? tenant_id, said.institution ?? said.name],
        ...[said.status, `${subject.type} ${subject.id}`, said.reason],
      ]);
      const head = ["severity", "kind", "action", "since", "tenant", "institution", "status", "about", "reason"];
      shell.print(rows.length === 0 ? "nothing needs you" : table(head, rows));
      const counted = Object.entries(found.counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []));
      if (counted.length > 0) shell.print(counted.join(", "));
      if (found.next_page_token !== null) shell.print(`there are more than ${options.limit}`);
    });
}

function kind(text: string, before: readonly WorkKind[] | undefined): readonly WorkKind[] {
  const found = workKinds.find((each) => each === text);
  if (found === undefined) throw new InvalidArgumentError(`It must be one of ${workKinds.join(", ")}.`);
  return [...(before ?? []), found];
}
