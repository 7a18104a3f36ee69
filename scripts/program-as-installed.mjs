// Runs `wealth-connect` as an installed package: server and command line in an otherwise empty folder.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const START_SECONDS = 180;

/**
 * Asks for help and version, starts the server without arguments, requests its pages and, with a token from the command line, its tools, and stops
 * it. @param command what a person types in `folder`, as words
 * @param whileServing called with the server's address before it is stopped
 * @throws Error that says what went wrong
 */
export async function tryProgram(folder, [program, ...words], version, whileServing = () => undefined) {
  const command = [program.startsWith("node_modules") ? resolve(folder, program) : program, ...words];
  const home = mkdtempSync(join(tmpdir(), "installed-"));
  const given = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(PATH|npm_config_registry)$/.test(name)),
  );
  const env = { ...given, HOME: home, NODE_NO_WARNINGS: "1", DATA_DIR: join(home, "data"), PORT: "0" };
  const start = (args, options = {}) =>
    spawn(command[0], [...command.slice(1), ...args], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      ...options,
    });
  const run = (...args) => outputOf(start(args), args.join(" "));
  const server = { child: null, output: "" };
  try {
    expect((await run("--version")).trim() === version, `--version is not ${version}`);
    expect(/^ {2}serve /m.test(await run("--help")), "--help has no serve");
    expect(/wealth-connect serve \[--help\]/.test(await run("serve", "--help")), "serve --help is not the server's");
    server.child = start([], { detached: true });
    const url = await readyAt(server);
    for (const path of ["/healthz", "/readyz", "/console/", "/reference", "/openapi.json"]) {
      const { status } = await fetch(url + path);
      expect(status === 200, `GET ${path} is answered ${status}`);
    }
    const { access_token } = JSON.parse(await run("token", "issue", "--json"));
    const answer = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${access_token}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "svc-connectors", arguments: {} },
      }),
    });
    const text = await answer.text();
    expect(
      answer.status === 200 && text.includes("connector_id"),
      `svc-connectors is answered ${answer.status}: ${text.slice(0, 300)}`,
    );
    await whileServing(url);
    expect((await run("doctor")).includes("credentials"), "the doctor knows nothing of the installation");
  } catch (error) {
    throw new Error(`${error.message}\n${server.output.slice(-3000)}`);
  } finally {
    if (server.child) await end(server.child);
    rmSync(home, { recursive: true, force: true });
  }
}

function expect(isRight, otherwise) {
  if (!isRight) throw new Error(otherwise);
}

async function outputOf(child, what) {
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  const [code] = await once(child, "close");
  expect(code === 0, `${what} ended with ${code}: ${stderr}`);
  return stdout;
}

/** Resolves to the address that the server prints once it is ready. */
async function readyAt(server) {
  const { child } = server;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the server was not ready in time")), START_SECONDS * 1000);
    const settle = (act) => {
      clearTimeout(timer);
      act();
    };
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        server.output += text;
        const [, url] = /"url":"([^"]+)"[^\n]*"msg":"ready"/.exec(server.output) ?? [];
        if (url) settle(() => resolve(url));
      });
    child.on("error", (error) => settle(() => reject(error)));
    child.on("close", (code) => settle(() => reject(new Error(`the server ended with ${code}`))));
  });
}

/** Ends the whole process group: npx starts a child and does not always forward signals. */
async function end(child) {
  if (child.exitCode !== null || child.pid === undefined) return;
  const closed = once(child, "close");
  process.kill(-child.pid, "SIGINT");
  await closed;
}
