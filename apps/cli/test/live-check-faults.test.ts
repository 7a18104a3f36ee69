import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readRecording, recordingCases } from "@org/provider-kit/testing";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CommandEnvironment, commandLine, type Run, valuesIn } from "./command-line.js";
import { openLittleBank, told } from "./little-bank.js";

const cli = commandLine();
let bank: Awaited<ReturnType<typeof openLittleBank>>;
beforeEach(async () => {
  bank = await openLittleBank(cli.folder);
  cli.file("bank.json", JSON.stringify({ base_url: bank.url }));
});
afterEach(() => bank.close());
afterAll(() => cli.remove());

const credentials = JSON.stringify({ user: told.user, pin: told.pin, mother: told.mother });
const args = (name = bank.file) => ["providers", "live-check", name, "--settings", "bank.json", "--callback-port", "0"];
const withFile = () => [...args(), "--credentials", "-"];

/** Runs the command; its customer goes through the bank's page in a browser. */
function check(more: readonly string[] = [], environment: CommandEnvironment = {}): Promise<Run> {
  return cli.json([...withFile(), ...more], { stdin: credentials, onNote: goThrough, ...environment });
}

async function goThrough(note: string): Promise<void> {
  const address = /^http\S+\/page\?\S+$/m.exec(note)?.[0];
  if (address === undefined) return;
  const { back = "", state = "" } = Object.fromEntries(new URL(address).searchParams);
  // Somebody else's callback is refused, and waited on; so is a path that is none.
  expect((await fetch(`${new URL(back).origin}//`)).status).toBe(404);
  expect((await fetch(`${back}?state=forged&code=forged`)).status).toBe(404);
  expect((await fetch(`${back}?${new URLSearchParams({ state, code: told.code })}`)).status).toBe(200);
}

const values = [
  ...[told.user, told.pin, told.token, told.code, told.account, String(told.value), ...told.ids, ...told.texts],
  ...[...told.owner.split(" "), "Tamsin", "Harrowgate", ...told.paid.map((paid) => String(Math.abs(paid)))],
];

describe("[C-5.170] live-check of a provider in a file of its own, with a redirect", () => {
  it("listens for the way back, reads every page, and takes the access back", async () => {
    const run = await check();
    expect(run).toMatchObject({ code: 0, document: { ok: true, login: ["redirect", "authenticated"] } });
    expect(run.document).toMatchObject({
      first: { rows: { portfolios: 1, holdings: null, transactions: 2 } },
      requests: { "GET /accounts/{id}/bookings": { 200: 4 } },
      unknown: { "transactions.kind other": 1 },
      sums: [{ percent: null, why: "the holdings are not known" }],
    });
    expect(bank.asked.at(-1)).toBe("POST /revoke");
  });

  it("asks at a terminal, and does not show a secret that is typed", async () => {
    const run = await cli.run(args(), { stdin: `${told.user}\n${told.pin}\n`, isTTY: true, onNote: goThrough });
    expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/result +ok/) });
    expect(run.stderr).toMatch(/user: .*pin: /s);
    expect(run.stderr).not.toContain(told.pin);
  });
});

describe("[C-5.171] no value of an account", () => {
  it("is in the result, in the log that is shown, or in the recording", async () => {
    const run = await check(["--record", "made"]);
    const recorded = readFileSync(join(cli.folder, "made/little-bank.recording.json"), "utf8");
    expect(run.code).toBe(0);
    // The address for the browser is the institution's, and has a state.
    expect(valuesIn(run.stdout + run.stderr + recorded, values)).toEqual([]);
    expect(run.document.log).toEqual({ "reads the account … … …": 2 });
    expect(readdirSync(join(cli.folder, "made"))).toEqual(["little-bank.recording.json"]);
  });

  it("[C-5.198] is in the recording of a login that asks for more, or in a log that has a secret in base64", async () => {
    bank.mode.state = "asks";
    const run = await check(["--record", "asked"]);
    expect(run).toMatchObject({ code: 0, document: { login: ["ask", "redirect", "authenticated"] } });
    const recorded = readFileSync(join(cli.folder, "asked/little-bank.recording.json"), "utf8");
    expect(recorded).toContain('"mother"');
    const logged = Buffer.from(`${told.user}:${told.pin}`).toString("base64").slice(4, -4);
    expect(Object.keys(run.document.log)).toContainEqual(expect.stringMatching(/^answers as …/));
    expect(valuesIn(run.stdout + run.stderr + recorded, [...values, told.mother, logged])).toEqual([]);
  });

  it("is in what is said of an answer that cannot be read", async () => {
    bank.mode.state = "odd";
    const run = await check(["--record", "never"]);
    expect(run).toMatchObject({ code: 1, document: { ok: false, faults: ["first fetch: *.currency invalid_type"] } });
    expect(valuesIn(run.stdout + run.stderr, values)).toEqual([]);
    expect(existsSync(join(cli.folder, "never"))).toBe(false);
  });
});

describe("[C-5.173] a recording of a login with a redirect", () => {
  it("is read by the suite, which finds only what this provider does wrong", async () => {
    await check(["--record", "for-suite"]);
    const recording = readRecording(join(cli.folder, "for-suite/little-bank.recording.json"));
    const { default: definition } = await import(/* @vite-ignore */ join(cli.folder, bank.file));
    const failed: string[] = [];
    for (const { name, run } of recordingCases(() => ({ definition, recording })))
      await run().catch((error: unknown) => failed.push(`${name}: ${error}`));
    // It has no answer to a bank that wants fewer requests.
    expect(failed).toEqual([
      expect.stringMatching(/^each request of a login that fails .*answered 429, and is not throttled$/),
      expect.stringMatching(/^each request of a fetch that fails .*answered 429, and is not throttled$/),
    ]);
  });
});

describe("[C-5.201] [C-5.303] a recording whose other values are read otherwise", () => {
  it("is a fault that names the fields, until the members are named that the provider reads", async () => {
    bank.mode.state = "marks";
    const reason =
      "no recording: with other values transactions.kind (row 2) would be read otherwise; name the members";
    expect(await check(["--record", "unnamed"])).toMatchObject({
      code: 1,
      document: {
        ok: false,
        recording: null,
        faults: [expect.stringMatching(`^${reason.replace(/[.()]/g, "\\$&")}.*--words`)],
      },
    });
    const shown = await cli.run([...withFile(), "--record", "unnamed"], { stdin: credentials, onNote: goThrough });
    expect(shown).toMatchObject({ code: 1, stdout: expect.stringContaining(`not ok: ${reason}`) });
    expect(existsSync(join(cli.folder, "unnamed"))).toBe(false);
    expect(await check(["--record", "named", "--words", "mark"])).toMatchObject({ code: 0, document: { ok: true } });
  });
});

describe("[C-5.174] live-check says what is wrong", () => {
  it.each<[string, () => Promise<Run>, number, RegExp]>([
    [
      "an unknown provider",
      () => cli.run(args("no-such")),
      1,
      /no-such: there is no package of this name.* Shipped are .*alpaca/,
    ],
    ["a file that is not there", () => cli.run(args("./none.mjs")), 1, /\.\/none\.mjs: there is no such file/],
    [
      "settings that are none",
      () => cli.run([...args(), "--settings", cli.file("odd.json", "{}")]),
      1,
      /little-bank: .*base_url .*\(--settings\)/,
    ],
    [
      "settings that are no JSON",
      () => cli.run([...args(), "--settings", cli.file("bad.json", '{"secret-of-mine"')]),
      1,
      /^error: bad\.json is not JSON\n$/,
    ],
    ["nobody to ask", () => cli.run(args()), 2, /--credentials/],
    [
      "credentials that lack one",
      () => cli.run(withFile(), { stdin: '{"user":"ada"}' }),
      2,
      /--credentials lacks an answer.*pin/,
    ],
    [
      "a key that is refused",
      () => cli.run(withFile(), { stdin: '{"user":"ada","pin":"wrong-pin"}' }),
      1,
      /^error: login: the institution refuses these credentials\n$/,
    ],
    ["a port that is none", () => cli.run([...args(), "--callback-port", "70000"]), 2, /--callback-port/],
    ["both from standard input", () => cli.run([...withFile(), "--settings", "-"]), 2, /cannot both/],
  ])("%s", async (_, run, code, stderr) => {
    expect(await run()).toMatchObject({ code, stderr: expect.stringMatching(stderr) });
  });

  it.each([
    ["down", /answered 503/],
    ["half", /no whole answer/],
  ] as const)("an institution that is %s", async (state, words) => {
    if (state === "down") bank.mode.state = state;
    const run = await check([], {
      onNote: async (note) => {
        bank.mode.state = state;
        await goThrough(note);
      },
    });
    expect(run).toMatchObject({ code: 1, document: { ok: false, faults: [expect.stringMatching(words)] } });
  });

  it("a folder that is not empty, before anything is asked", async () => {
    mkdirSync(join(cli.folder, "full/inside"), { recursive: true });
    expect(await check(["--record", "full"])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/full: the folder is not empty/),
    });
    expect(bank.asked).toEqual([]);
  });

  it("Ctrl-C, and leaves nothing here or there", async () => {
    const interruption = new AbortController();
    bank.mode.state = "hangs";
    const run = check(["--record", "stopped"], { interrupted: interruption.signal });
    await expect.poll(() => bank.asked.at(-1), { timeout: 20_000 }).toBe("GET /accounts");
    interruption.abort();
    expect(await run).toMatchObject({ code: 1, stderr: expect.stringMatching(/error: interrupted: nothing was kept/) });
    expect(existsSync(join(cli.folder, "stopped"))).toBe(false);
    expect(bank.asked.at(-1)).toBe("POST /revoke");
  });

  it("a time that is too short", async () => {
    bank.mode.state = "hangs";
    expect(await check(["--timeout", "3"])).toMatchObject({
      code: 1,
      document: { faults: ["not done after 3 s (--timeout)"] },
    });
  });
});
