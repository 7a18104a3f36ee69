import { readArguments } from "./arguments.js";

const wanted = readArguments(process.argv.slice(2));
if (wanted.kind === "start") {
  // Loaded only now: help takes no second.
  const { runServer } = await import("./run-server.js");
  await runServer();
} else if (wanted.kind === "say") process.stdout.write(`${wanted.text}\n`);
else {
  process.stderr.write(`${wanted.text}\n`);
  process.exitCode = 2;
}
