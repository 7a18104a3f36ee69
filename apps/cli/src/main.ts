#!/usr/bin/env node
import manifest from "../package.json" with { type: "json" };
import { runCommandLine } from "./run-command-line.js";
import { processShell } from "./shell.js";

/** A reader of the output may stop early, as `head` does; that is not a failure. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

const code = await runCommandLine(process.argv.slice(2), processShell(), manifest.version);
// The server sets its own exit code and keeps running.
if (code !== 0) process.exitCode = code;
