import { type WorkKind, workKinds } from "@org/core";
import { type Command, InvalidArgumentError } from "commander";
import { z } from "zod";
import { failed } from "../cli-error.js";
import { repeated, wholeNumber, withServer } from "../command-options.js";
import { connectToServer, type ServerApi } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { table } from "../table.js";
import { chooseTenant } from "../tenant-choice.js";
import { findOperator } from "./people.js";

type Flags = ServerFlags & {
  readonly json?: true;
  readonly tenant?: string;
  readonly kind?: WorkKind[];
  readonly custodian?: readonly string[];
  readonly client?: readonly string[];
  readonly owner?: string;
  readonly snoozed?: true;
  readonly search?: string;
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
      owner: z.looseObject({ name: z.string() }).nullable(),
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
    .option("--custodian <id>", "only of this custodian or bank, by its connector id; several times for more", repeated)
    .option("--client <ref>", "only of this client, by the tenant's own reference; several times for more", repeated)
    .option("--owner <who>", "only lines of this person (me, nobody, or their e-mail address or id)")
    .option("--snoozed", "those that are snoozed, and no others")
    .option("--search <text>", "only with this text in institution, labels, addressee, reason or file name")
    .option("--limit <number>", "how many at most", wholeNumber(1, 200), 100)
    .action(async (options: Flags) => {
      const server = await connectToServer(shell, options, "operator");
      const body = {
        ...(options.tenant !== undefined && { tenant_id: await chooseTenant(shell, server, options.tenant) }),
        ...(options.kind && { kinds: options.kind }),
        ...(options.custodian && { connector_ids: options.custodian }),
        ...(options.client && { client_refs: options.client }),
        ...(options.owner !== undefined && { owner: await ownerOf(server, options.owner) }),
        ...(options.snoozed && { snoozed: true }),
        ...(options.search !== undefined && { search: options.search }),
        page_size: options.limit,
      };
      const found = await server.call("/operator/v1/work/list", body, page);
      if (options.json) return shell.print(JSON.stringify(found, null, 2));
      const rows = found.items.map(
        ({ kind, subject, tenant, tenant_id, since, action, severity, owner, details: said }) => [
          ...[severity, kind, action, since, tenant ?? tenant_id, said.institution ?? said.name],
          ...[said.status, owner?.name, `${subject.type} ${subject.id}`, said.reason],
        ],
      );
      const head = [
        "severity",
        "kind",
        "action",
        "since",
        "tenant",
        "institution",
        "status",
        "owner",
        "about",
        "reason",
      ];
      shell.print(rows.length === 0 ? nothingFor(options) : table(head, rows));
      const counted = Object.entries(found.counts).flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []));
      if (counted.length > 0) shell.print(counted.join(", "));
      if (found.next_page_token !== null) shell.print(`there are more than ${options.limit}`);
    });

  marking("take", "take lines that nobody has").action(
    async (kindName: WorkKind, ids: string[], options: MarkFlags) => {
      const server = await connectToServer(shell, options, "operator");
      show(await server.call("/operator/v1/work/take", linesOf(kindName, ids), outcomes), options);
    },
  );

  marking("hand-over", "hand lines over to another operator, or let them go")
    .requiredOption("--to <who>", "their e-mail address or id; nobody lets the lines go")
    .action(async (kindName: WorkKind, ids: string[], options: MarkFlags & { readonly to: string }) => {
      const server = await connectToServer(shell, options, "operator");
      const person_id = options.to === "nobody" ? null : (await findOperator(server, options.to)).person_id;
      const body = { ...linesOf(kindName, ids), person_id };
      show(await server.call("/operator/v1/work/hand-over", body, outcomes), options);
    });

  marking("snooze", "put lines aside; they are back at that time, or as soon as something else is wrong")
    .requiredOption("--until <time>", "RFC 3339, such as 2026-12-24T08:00:00Z; within a year")
    .requiredOption("--reason <text>", "why, for colleagues")
    .action(
      async (
        kindName: WorkKind,
        ids: string[],
        options: MarkFlags & { readonly until: string; readonly reason: string },
      ) => {
        const server = await connectToServer(shell, options, "operator");
        const body = { ...linesOf(kindName, ids), until: options.until, reason: options.reason };
        show(await server.call("/operator/v1/work/snooze", body, outcomes), options);
      },
    );

  marking("wake", "show snoozed lines again").action(async (kindName: WorkKind, ids: string[], options: MarkFlags) => {
    const server = await connectToServer(shell, options, "operator");
    show(await server.call("/operator/v1/work/wake", linesOf(kindName, ids), outcomes), options);
  });

  function marking(name: string, description: string): Command {
    return withServer(work.command(name))
      .description(`${description} (operator)`)
      .argument("<kind>", "the kind of the lines", onlyKind)
      .argument("<ids...>", "the ids of what they are about, as list prints them");
  }

  function show(made: z.infer<typeof outcomes>, { json }: MarkFlags): void {
    const rows = made.items.map(({ id, outcome, owner, error }) => [id, outcome, owner?.name, error?.message]);
    shell.print(json ? JSON.stringify(made, null, 2) : table(["id", "outcome", "owner", "error"], rows));
    if (made.refused > 0) throw failed(`${made.refused} of ${made.items.length} were refused`);
  }
}

type MarkFlags = ServerFlags & { readonly json?: true };

const outcomes = z.object({
  items: z.array(
    z.looseObject({
      id: z.string(),
      outcome: z.string(),
      owner: z.looseObject({ name: z.string() }).nullable(),
      error: z.looseObject({ message: z.string() }).nullable(),
    }),
  ),
  done: z.number(),
  refused: z.number(),
});

function linesOf(kindName: WorkKind, ids: readonly string[]) {
  return { lines: ids.map((id) => ({ kind: kindName, id })) };
}

/** An owner as the server takes it. */
async function ownerOf(server: ServerApi, who: string): Promise<string> {
  return who === "me" || who === "nobody" ? who : (await findOperator(server, who)).person_id;
}

function nothingFor({ kind: kinds, custodian, owner, snoozed, search }: Flags): string {
  const isFiltered = [kinds, custodian, owner, snoozed, search].some((each) => each !== undefined);
  return isFiltered ? "nothing for this filter" : "nothing needs you";
}

function onlyKind(text: string): WorkKind {
  return kind(text, undefined)[0] as WorkKind;
}

function kind(text: string, before: readonly WorkKind[] | undefined): readonly WorkKind[] {
  const found = workKinds.find((each) => each === text);
  if (found === undefined) throw new InvalidArgumentError(`It must be one of ${workKinds.join(", ")}.`);
  return [...(before ?? []), found];
}
