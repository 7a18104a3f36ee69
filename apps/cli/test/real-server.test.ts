import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandLine } from "./command-line.js";

/** The server as it ships. `npm test` builds it first; without a build these tests are skipped. */
const server = fileURLToPath(new URL("../../server/dist/main.js", import.meta.url));
const built = existsSync(server);
const root = fileURLToPath(new URL("../../../", import.meta.url));
const hasCurl = spawnSync("curl", ["--version"]).status === 0;
if (!built) console.warn("left out: the command line against the real server (pnpm build makes it)");

const cli = commandLine();
const env = { DATA_DIR: join(cli.folder, "data") };
const dropDir = join(cli.folder, "dropped");
let process_: ChildProcess;
/** What the server prints for the person at the terminal. */
let hint = "";
let custodians: Server;
/** The letters of docs/how-to/letters-desk.md. */
const samples = import(new URL("../../../scripts/sample-letters.mjs", import.meta.url).href);

describe.runIf(built)("[C-8.14] against the real server", () => {
  beforeAll(async () => {
    mkdirSync(dropDir);
    custodians = await (await samples).startCustodianMail();
    const smtp = `smtp://127.0.0.1:${(custodians.address() as AddressInfo).port}`;
    const settings = { PORT: "0", SMTP_URL: smtp, MAIL_FROM: "letters@connect.example", DROP_DIR: dropDir };
    process_ = spawn(process.execPath, [server], { env: { ...env, ...settings }, stdio: ["ignore", "pipe", "pipe"] });
    if (!process_.stdout) throw new Error("no output");
    process_.stderr?.setEncoding("utf8").on("data", (text: string) => {
      hint += text;
    });
    for await (const line of createInterface(process_.stdout)) if (line.includes('"msg":"ready"')) break;
    process_.stdout.resume();
  }, 300_000);
  afterAll(async () => {
    process_.kill("SIGINT");
    await once(process_, "exit");
    custodians.close();
    cli.remove();
  }, 60_000);

  const json = async (...args: string[]) => {
    const { code, stderr, document } = await cli.json(args, { env });
    expect({ args, code, stderr: code === 0 ? "" : stderr }).toEqual({ args, code: 0, stderr: "" });
    return document;
  };

  it.runIf(hasCurl)(
    "[C-1.7] the commands that the server shows at its first start work as they are printed",
    async () => {
      await expect.poll(() => hint, { timeout: 60_000 }).toContain("Try a filter");
      const shown = (what: string) => new RegExp(`^ {2}${what} +(\\S.*)$`, "m").exec(hint)?.[1] ?? "";
      const paste = promisify(execFile);
      const run = async (what: string) => {
        const { stdout } = await paste("sh", ["-c", shown(what)], { cwd: root, env: { PATH: process.env.PATH ?? "" } });
        return stdout;
      };
      expect(JSON.parse(await run("A token"))).toMatchObject({ token_type: "bearer", expires_in: 3600 });
      expect(await run("The same")).toMatch(/^access_token +ey/m);
      expect(await run("Try a filter")).toMatch(/^\d+ connectors$/m);
      expect(hint).not.toContain(
        JSON.parse(readFileSync(join(env.DATA_DIR, "credentials.json"), "utf8")).demo.client_secret,
      );
    },
  );

  it("[C-8.34] serve is the server, with arguments, help and exit codes of its own", async () => {
    const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
    const serve = (...args: string[]) =>
      spawnSync(process.execPath, [main, "serve", ...args], { encoding: "utf8", env: { NODE_NO_WARNINGS: "1" } });
    expect(serve("--help").stdout).toMatch(/^Usage: \S.* serve \[--help\] \[--version\]\n/);
    const { status, stderr } = serve("--port");
    expect([status, stderr]).toEqual([2, "Unknown option '--port'; --help shows what there is\n"]);
  });

  it("[C-8.10] finds the server and the credentials that it wrote", async () => {
    expect((await json("tenants", "list")).items).toHaveLength(1);
    expect(await cli.run(["doctor"], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^The server says:\n[\s\S]*database: embedded, answers\n[\s\S]*\n\nSeen from here:\n/,
      ),
    });
    expect(await cli.run(["migrate"], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/in use by process \d+/),
    });
  });

  it("[C-8.24] [C-9.42] doctor asks the server instead of judging by its own environment", async () => {
    const name = cli.file("far.ndjson", `{"id":"ita:far","name":"Far","country":"IT","provider":"lighthouse"}`);
    expect((await cli.run(["connectors", "import", name], { env })).code).toBe(0);
    // None of these settings are the server's.
    const other = { ...env, SANDBOX: "false", CLAMD_URL: "tcp://127.0.0.1:1", PORT: "x" };
    const { code, document } = await cli.json(["doctor"], { env: other });
    expect(code).toBe(0);
    const found = (source: string) =>
      new Map<string, { state: string; message: string }>(
        document.findings
          .filter((finding: { source: string }) => finding.source === source)
          .map((finding: { check: string }) => [finding.check, finding]),
      );
    const [said, seen] = [found("server"), found("local")];
    expect(said.get("sandbox banks")?.message).toBe("on");
    expect(said.get("virus scan")?.message).toContain("CLAMD_URL is not set");
    expect(said.get("encryption keys")?.state).toBe("ok");
    expect(said.get("connectors")).toMatchObject({
      state: "warn",
      message: expect.stringContaining("ita:far (lighthouse)"),
    });
    // The Node version does not depend on the server.
    expect([...seen.keys()].filter((check) => check !== "Node")).toEqual([
      "environment",
      "credentials.json",
      "encryption-keys",
      "server",
      "issuer",
      "clock of this machine",
    ]);
    expect(seen.get("environment")).toMatchObject({ state: "warn", message: expect.stringMatching(/^PORT/) });
    // Without credentials, only this environment can be examined.
    const alone = { PUBLIC_URL: JSON.parse(readFileSync(join(env.DATA_DIR, "credentials.json"), "utf8")).url };
    const { document: judged } = await cli.json(["doctor"], { env: alone });
    expect(judged.findings.every(({ source }: { source: string }) => source === "local")).toBe(true);
    expect(judged.findings).toContainEqual(
      expect.objectContaining({
        check: "the server's own checks",
        state: "warn",
        message: expect.stringMatching(/no credentials.*this environment/),
      }),
    );
  });

  it("[C-14.9] [C-14.11] invites people, changes and ends them, of a tenant and of the installation", async () => {
    const bob = ["bob@example.com", "--tenant", "Demo"];
    const { link } = await json("people", "invite", ...bob, "--role", "admin", "--name", "<b>Bob</b>");
    expect((await json("people", "reinvite", ...bob)).link).not.toBe(link);
    expect((await json("people", "change", ...bob, "--role", "read")).person).toMatchObject({ role: "read" });
    expect((await json("people", "list", "--tenant", "Demo")).items).toMatchObject([{ name: "<b>Bob</b>" }]);
    expect((await json("people", "end", ...bob, "--yes")).person).toMatchObject({ state: "ended" });
    expect((await json("people", "list", "--tenant", "Demo")).items).toEqual([]);
    expect(await cli.run(["people", "invite", ...bob, "--role", "operator"], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("must be one of admin, member, read"),
    });
    // A person who has not joined administers nothing and may be removed.
    const [first] = (await json("people", "list")).items;
    expect((await json("people", "end", first.email, "--yes")).person.state).toBe("ended");
  });

  it("[C-8.1] issues, verifies, refreshes and ends tokens", async () => {
    const { access_token, refresh_token } = await json("token", "issue", "--scope", "letters:read");
    const inspected = await json(
      "token",
      "inspect",
      access_token,
      "--verify",
      "--url",
      (await json("token", "inspect", access_token)).claims.iss,
    );
    expect(inspected).toMatchObject({ signature: "valid", expired: false, claims: { scope: "letters:read" } });
    const refreshed = await json("token", "refresh", refresh_token);
    await json("token", "revoke", refreshed.refresh_token);
    expect((await cli.run(["token", "refresh", refreshed.refresh_token], { env })).code).toBe(1);
  });

  it("[C-8.5] a tenant sees and ends the grants of its applications; the operator those of any tenant", async () => {
    const { access_token, refresh_token } = await json("token", "issue", "--scope", "letters:read");
    const { gid, tenant } = (await json("token", "inspect", access_token)).claims;
    const listed = (await json("grants", "list")).items;
    expect(listed).toContainEqual(
      expect.objectContaining({ grant_id: gid, flow: "machine", scopes: ["letters:read"] }),
    );
    expect((await cli.run(["grants", "list"], { env })).stdout).toContain(gid);
    const others = (await json("grants", "list", "--tenant", tenant)).items;
    expect(others.map((grant: { grant_id: string }) => grant.grant_id)).toContain(gid);
    expect(await json("grants", "end", gid)).toMatchObject({ grant_id: gid });
    expect(await cli.run(["grants", "end", gid], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/grant_id names no live grant/),
    });
    expect((await cli.run(["token", "refresh", refresh_token], { env })).code).toBe(1);
  });

  it("[C-8.22] a hundred commands open one grant; one whose grant was ended asks for another", async () => {
    const own = async () => (await json("grants", "list")).items.length;
    await json("letters", "search");
    const before = await own();
    await Promise.all(Array.from({ length: 10 }, () => json("letters", "search")));
    expect(await own()).toBe(before);
    const folder = join(env.DATA_DIR, "cli-tokens");
    const tokens = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")).access_token);
    for (const token of tokens) await json("token", "revoke", token);
    // An access token stays valid for some seconds after its grant ends.
    const searched = async () => {
      await json("letters", "search");
      return own();
    };
    await expect.poll(searched, { timeout: 60_000 }).toBe(before);
    await json("tenants", "list");
  });

  it("[C-8.3] makes a tenant with an application that can be switched off", async () => {
    await json("tenants", "create", "Acme");
    expect(await cli.run(["tenants", "create", "acme"], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/refused \(409\)/),
    });
    const { application, client_secret } = await json(
      "apps",
      "create",
      "One",
      "--tenant",
      "Acme",
      "--redirect-url",
      "https://app.example/done",
    );
    const own = ["--client-id", application.client_id, "--client-secret", client_secret];
    await json("letters", "search", ...own);
    const rolled = await json("apps", "roll-secret", application.client_id);
    await json("apps", "remove-secret", application.client_id, application.secrets[0].secret_id);
    const search = async () => (await cli.run(["letters", "search", ...own], { env })).stderr;
    await expect.poll(search, { timeout: 60_000 }).toMatch(/invalid_client/);
    await json("letters", "search", "--client-id", application.client_id, "--client-secret", rolled.client_secret);
    expect(
      (await json("apps", "update", application.client_id, "--no-redirect-urls")).application.redirect_urls,
    ).toEqual([]);
    expect((await json("apps", "disable", application.client_id)).application.enabled).toBe(false);
    expect((await json("apps", "enable", application.client_id)).application.enabled).toBe(true);
  });

  it("[C-8.3] [C-9.27] imports a catalogue, all or none", async () => {
    const rows = [
      `{"id":"esp:new","name":"New Bank","country":"Spain"}`,
      `{"id":"prt:new","name":"Novo","countries":["PT"],"type":"psd2"}`,
    ];
    expect(await json("connectors", "import", cli.file("rows.ndjson", rows.join("\n")))).toMatchObject({
      inserted: 2,
      updated: 0,
    });
    expect((await json("connectors", "list", "--name", "new bank")).items[0].countries).toEqual(["esp"]);
    const bad = cli.file("bad.ndjson", `${rows[0]}\n{"id":"esp:other","name":"Other"}\n`);
    expect(await cli.run(["connectors", "import", bad], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/line 2\.country/),
    });
    expect((await json("connectors", "list", "--name", "other")).total).toBe(0);
  });

  it("[C-9.42] what no provider serves is imported as not available, and named", async () => {
    const name = cli.file("unserved.ndjson", `{"id":"prt:far","name":"Far","country":"PT","provider":"lighthouse"}`);
    const { code, stdout, stderr } = await cli.run(["connectors", "import", name], { env });
    expect([code, stdout, stderr]).toEqual([
      0,
      "1 inserted, 0 updated, 0 unchanged\n",
      expect.stringContaining(
        "1 of them are not available, since the server has no such provider:\n  prt:far: lighthouse\n",
      ),
    ]);
    const { items: unserved } = await json("connectors", "list", "--unserved", "--name", "far");
    expect(unserved).toContainEqual(expect.objectContaining({ id: "prt:far", available: false }));
    const filter = cli.file(
      "portugal.json",
      `{"rules":[{"action":"exclude","field":"connector_id","value":"*"},{"action":"include","field":"countries","value":"prt"}]}`,
    );
    const { items } = await json("filter", "preview", "--filter", filter);
    expect(items.map(({ id }: { id: string }) => id)).not.toContain("prt:far");
  });

  it("[C-8.2] filters the server's catalogue as it does a file", async () => {
    const filter = cli.file(
      "filter.json",
      `{"rules":[{"action":"exclude","field":"connector_id","value":"*"},{"action":"include","field":"countries","value":"spain"}]}`,
    );
    const remote = await json("filter", "preview", "--filter", filter);
    const explained = await json("filter", "explain", "--filter", filter);
    const catalogue = cli.file(
      "catalogue.json",
      JSON.stringify(await json("connectors", "list", "--page-size", "500")),
    );
    expect(await json("filter", "preview", "--filter", filter, "--connectors", catalogue)).toEqual(remote);
    expect(await json("filter", "explain", "--filter", filter, "--connectors", catalogue)).toEqual(explained);
    expect(explained.items.filter(({ included }: { included: boolean }) => included)).toHaveLength(remote.total);
  });

  it("[C-8.4] [C-8.13] takes a letter along its line", async () => {
    const { letter_id } = await json(
      "letters",
      "submit",
      cli.file("letter.pdf", pdf()),
      "--connector",
      "esp:custodia-montelirio",
      "--label",
      "client=7",
    );
    expect((await json("letters", "search", "--label", "client=7")).items.map(({ id }: { id: string }) => id)).toEqual([
      letter_id,
    ]);
    expect((await json("letters", "search", "--tenant", "Acme")).total).toBe(0);
    expect(
      (await json("letters", "advance", letter_id, "--to", "SentToCustodian", "--note", "by post")).letter.status,
    ).toBe("SentToCustodian");
    expect(await cli.run(["letters", "advance", letter_id, "--to", "Connected"], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/refused \(409\)/),
    });
    expect((await json("letters", "observe", letter_id, "on its way")).letter.observations).toBe("on its way");
    expect((await json("letters", "documents", letter_id)).documents).toMatchObject([
      { kind: "letter", signature: "none" },
    ]);
    expect((await cli.run(["letters", "show", letter_id], { env })).stdout).toMatch(
      /DOCUMENT +SIZE +SHA256 +SIGNATURE/,
    );
    await json("letters", "discontinue", letter_id, "--yes");
    const { letter } = await json("letters", "show", letter_id);
    expect(letter.documents).toEqual([]);
    expect([letter.status, letter.history.map(({ event }: { event: string }) => event)]).toEqual([
      "Cancelled",
      ["sign", "send_to_custodian", "observe", "discontinue"],
    ]);
    expect((await cli.run(["letters", "discontinue", letter_id, "--yes"], { env })).code).toBe(1);
  });

  it("[C-8.4] [C-8.11] a large letter goes out in pieces, with progress on stderr, and arrives as it is", async () => {
    const content = Buffer.from(pdf().replace("\n", `\n%${"filler ".repeat(300_000)}\n`));
    const args = [
      "letters",
      "submit",
      cli.file("large.pdf", content),
      "--connector",
      "esp:custodia-montelirio",
      "--annex",
      cli.file("annex.pdf", content),
      "--json",
    ];
    const { code, stdout, stderr } = await cli.run(args, { env });
    expect([code, stderr]).toEqual([0, expect.stringContaining(`submitting`)]);
    const { letter } = await json("letters", "show", JSON.parse(stdout).letter_id);
    const sha256 = createHash("sha256").update(content).digest("hex");
    expect(letter.documents).toEqual([
      { kind: "letter", size: content.length, sha256, signature: "none" },
      { kind: "annex", size: content.length, sha256, signature: "none" },
    ]);
  });

  it("[C-8.33] [C-7.31] [C-7.33] [C-7.34] [C-7.37] a desk's morning: seven letters are stuck, each for another reason; they are found and moved on", async () => {
    const { url, operator } = JSON.parse(readFileSync(join(env.DATA_DIR, "credentials.json"), "utf8"));
    const stuck: string[] = await (await samples).seedLetters({ url, operator, dropDir, letters: 21 });
    const [refused, unmailed, doubtful, unreached, blocked, early, untold] = stuck as [
      ...[string, string, string, string],
      ...[string, string, string],
    ];
    // The mails are being sent, and two polls of the drop folder have to find the file.
    const found = async () =>
      (await json("letters", "search", "--stuck")).items as { id: string; to_do: { what: string } }[];
    const ids = async () => (await found()).map(({ id }) => id).sort();
    await expect.poll(ids).toEqual([refused, unmailed, doubtful, unreached, blocked, untold].sort());
    const held = async () => (await json("datafeed", "pending")).items;
    await expect.poll(held).toMatchObject([{ source: "drop-folder", name: expect.stringContaining(`${early}/`) }]);

    // The work queue has all seven, with their tenants.
    const lines = (await json("work", "list")).items.filter(({ details }: { details: { letter_id?: string } }) =>
      stuck.includes(details.letter_id ?? ""),
    );
    expect(lines.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      ...["file_held", "letter_blocked", "letter_unmailed", "letter_unmailed"],
      ...["mail_failed", "mail_failed", "mail_in_doubt"],
    ]);
    expect(lines.filter(({ tenant }: { tenant: string | null }) => tenant === null)).toEqual([]);

    const toDo = new Map((await found()).map(({ id, to_do }) => [id, to_do.what]));
    const mailOf = (id: string) => /mails [^)]*?([0-9a-f-]{36})/.exec(toDo.get(id) ?? "")?.[1] ?? "";
    const [{ file_id: file }] = await held();
    for (const id of [refused, unmailed, untold])
      await json("letters", "contacts", id, "--banker-email", "right@custodian.example", "--mail");
    await json("mails", "confirm", mailOf(doubtful));
    await json("mails", "retry", mailOf(unreached), "--to", "right@client.example");
    await json("letters", "resolve", blocked);
    await json("letters", "advance", early, "--to", "WaitingForData");
    expect(await json("datafeed", "retry", file)).toMatchObject({ outcome: "taken" });
    await expect.poll(ids).toEqual([]);
    expect(await held()).toEqual([]);
    const letters = (await json("letters", "search", ...stuck.flatMap((id) => ["--id", id]), "--all-tenants")).items;
    const by = new Map(letters.map((letter: { id: string }) => [letter.id, letter]));
    expect(by.get(early)).toMatchObject({ status: "Connected" });
    expect(by.get(blocked)).toMatchObject({ status: "Connected" });
    await expect.poll(async () => (await json("letters", "show", untold)).letter.status).toBe("Revoked");
    await expect
      .poll(async () => (await json("letters", "show", refused)).letter.mails.at(-1))
      .toMatchObject({ state: "sent", recipient: "right@custodian.example" });

    // A custodian states which letters it has accepted.
    const sent = ["letters", "search", "--all-tenants", "--status", "SentToCustodian"];
    const accepted = await cli.run([...sent, "--ids"], { env });
    const advance = ["letters", "advance", "--file", "-", "--to", "AcceptedByCustodian"];
    const moved = await cli.json(advance, { env, stdin: accepted.stdout });
    expect([moved.code, moved.document.refused]).toEqual([0, 0]);
    expect((await json(...sent)).total).toBe(0);
    // Sent again, nothing is refused and nothing moves a second step.
    const before = (await json("letters", "search", "--all-tenants", "--status", "AcceptedByCustodian")).total;
    const again = await cli.json(advance, { env, stdin: accepted.stdout });
    expect([again.code, again.document.refused]).toEqual([0, 0]);
    expect((await json("letters", "search", "--all-tenants", "--status", "AcceptedByCustodian")).total).toBe(before);
  });

  it.each([
    [
      "portfolios",
      "--portfolio-type M --currency EUR USD --min-balance 10.50 --name a --sort -balance --totals-by type bank",
    ],
    ["investments", "--inv-type F ETF --subtype FT --isin LU0000000001 --sort -valuation_date --totals-by portfolio"],
    [
      "transactions",
      "--kind dividend fee --start-date 2026-01-01 --end-date 2026-12-31 --sort balance --totals-only --isin LU0000000001",
    ],
  ])("[C-4.160] the server takes every option of data %s", async (noun, options) => {
    const found = await json("data", noun, ...options.split(" "), "--fields", "id", "bank", "--page-size", "10");
    expect(found).toMatchObject({ total: 0, page_size: 10, totals: [], as_of: { oldest: null, newest: null } });
    const unknown = ["data", noun, "--connection", "01900000-0000-7000-8000-000000000000"];
    expect(await cli.run(unknown, { env })).toMatchObject({ code: 1, stderr: expect.stringContaining("(404)") });
  });

  it("[C-8.6] [C-8.7] lists connections, and refuses a file for none", async () => {
    expect((await json("connections", "list")).total).toBe(0);
    const args = [
      "datafeed",
      "ingest",
      cli.file("a.ofx", "OFXHEADER:100"),
      "--connection",
      "01900000-0000-7000-8000-000000000000",
    ];
    expect(await cli.run(args, { env })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/a\.ofx: refused \(404\)/),
    });
  });
});

/** The smallest PDF with a page. */
function pdf(): string {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>",
  ];
  let text = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 4\n0000000000 65535 f \n${offsets.join("")}`;
  return `${text}${table}trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
}
