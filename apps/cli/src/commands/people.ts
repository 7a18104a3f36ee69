import type { Command } from "commander";
import { z } from "zod";
import { failed, wrongUsage } from "../cli-error.js";
import { withServer } from "../command-options.js";
import { confirm } from "../confirmation.js";
import { connectToServer, type ServerApi } from "../server-api.js";
import type { ServerFlags } from "../settings.js";
import type { Shell } from "../shell.js";
import { details, table } from "../table.js";
import { chooseTenant } from "../tenant-choice.js";

type Flags = ServerFlags & { readonly json?: true; readonly tenant?: string };

const person = z.looseObject({
  person_id: z.string(),
  tenant_id: z.string().nullable(),
  email: z.string(),
  name: z.string(),
  role: z.string(),
  state: z.string(),
  seen_at: z.string().nullable(),
  invited_until: z.string().nullable(),
});
const alone = z.looseObject({ person });
const invited = alone.extend({ link: z.string(), expires_at: z.string() });
const page = z.object({ items: z.array(person), next_page_token: z.string().nullable() });
type Person = z.infer<typeof person>;

/** `people list|invite|reinvite|change|end`: who may sign in to the console. */
export function addPeopleCommands(program: Command, shell: Shell): void {
  const people = program
    .command("people")
    .description("people who may sign in to the console: operators, or those of a tenant (operator)");
  const command = (name: string) =>
    withServer(people.command(name)).option("--tenant <id or name>", "people of this tenant; operators unless given");

  command("list")
    .description("list people, oldest first")
    .option("--ended", "also those who were removed")
    .action(async (options: Flags & { ended?: true }) => {
      const items = await listAll(await open(options), options.ended ?? false);
      if (options.json) return shell.print(JSON.stringify({ items }, null, 2));
      const rows = items.map((one) => [one.email, one.name, one.role, one.state, one.seen_at ?? "", one.person_id]);
      shell.print(table(["email", "name", "role", "state", "seen_at", "person_id"], rows));
    });

  command("invite")
    .description("invite somebody; the link that lets them sign in is shown this once")
    .argument("<email>")
    .option(
      "--role <role>",
      "operator or operator:read; admin, member or read of a tenant; operator or member unless given",
    )
    .option("--name <name>", "how they are called; what stands before the @ unless given")
    .action(async (email: string, options: Flags & { role?: string; name?: string }) => {
      const where = await open(options);
      const role = options.role ?? (where.owner.tenant_id === undefined ? "operator" : "member");
      const { name } = options;
      showLink(await where.call("invite", { email, role, ...(name !== undefined && { name }) }, invited), options);
    });

  command("reinvite")
    .description("make another link for somebody whose link ran out, or who has lost every passkey")
    .argument("<person>", "their e-mail address or id")
    .action(async (who: string, options: Flags) => {
      const where = await open(options);
      const { person_id } = await find(where, who);
      showLink(await where.call("reinvite", { person_id }, invited), options);
    });

  command("change")
    .description("change somebody's name or role; a role counts with their next request")
    .argument("<person>", "their e-mail address or id")
    .option("--role <role>", "operator or operator:read; admin, member or read of a tenant")
    .option("--name <name>")
    .action(async (who: string, options: Flags & { role?: string; name?: string }) => {
      const { role, name } = options;
      if (role === undefined && name === undefined) throw wrongUsage("give --role or --name");
      const where = await open(options);
      const { person_id } = await find(where, who);
      const change = { person_id, ...(role !== undefined && { role }), ...(name !== undefined && { name }) };
      show(await where.call("change", change, alone), options);
    });

  command("end")
    .description("remove somebody, with their sessions and passkeys, at once")
    .argument("<person>", "their e-mail address or id")
    .option("--yes", "do it without asking")
    .action(async (who: string, options: Flags & { yes?: true }) => {
      const where = await open(options);
      const { person_id, email, role } = await find(where, who);
      await confirm(shell, options.yes, () => `This ends ${email} (${role}) and all that they are signed in to.`);
      show(await where.call("end", { person_id }, alone), options);
    });

  /** Connects to the server and determines whose people the command is about. */
  async function open(options: Flags) {
    const server = await connectToServer(shell, options, "operator");
    const { tenant } = options;
    const owner = tenant === undefined ? {} : { tenant_id: await chooseTenant(shell, server, tenant) };
    return {
      owner,
      call: <S extends z.ZodType>(path: string, body: object, schema: S): Promise<z.output<S>> =>
        server.call(`/operator/v1/people/${path}`, { ...owner, ...body }, schema),
    };
  }

  function show(answer: z.infer<typeof alone>, { json }: Flags): void {
    shell.print(json ? JSON.stringify(answer, null, 2) : details(fieldsOf(answer.person)));
  }

  function showLink(answer: z.infer<typeof invited>, { json }: Flags): void {
    const { link, expires_at } = answer;
    shell.print(json ? JSON.stringify(answer, null, 2) : details({ ...fieldsOf(answer.person), link, expires_at }));
    shell.note(
      "The link is shown this once. Whoever opens it first becomes this person: hand it to them and nobody else.",
    );
  }
}

type Place = { call: <S extends z.ZodType>(path: string, body: object, schema: S) => Promise<z.output<S>> };

async function listAll(place: Place, ended: boolean): Promise<readonly Person[]> {
  const items: Person[] = [];
  let token: string | null = null;
  do {
    const body: object = { ended, page_size: 500, ...(token !== null && { page_token: token }) };
    const next: z.infer<typeof page> = await place.call("list", body, page);
    items.push(...next.items);
    token = next.next_page_token;
  } while (token !== null);
  return items;
}

/** An operator who has not been removed. @throws CliError when no operator has that address or id */
export function findOperator(server: Pick<ServerApi, "call">, who: string): Promise<Person> {
  return find({ call: (path, body, schema) => server.call(`/operator/v1/people/${path}`, body, schema) }, who);
}

/** A person who has not been removed. @throws CliError when no person has that address or id */
async function find(place: Place, who: string): Promise<Person> {
  const found = (await listAll(place, false)).find(
    ({ person_id, email }) => who === person_id || who.toLowerCase() === email,
  );
  if (!found) throw failed(`there is nobody ${who} here: see wealth-connect people list (--tenant T for a tenant's)`);
  return found;
}

function fieldsOf({ person_id, tenant_id, email, name, role, state }: Person) {
  return { person_id, email, name, tenant: tenant_id ?? "operator", role, state };
}
