#!/usr/bin/env node
import { outdatedNode } from "@org/installation";
import manifest from "../package.json" with { type: "json" };
import { runCommandLine } from "./run-command-line.js";
import { processShell } from "./shell.js";

/** Whoever reads our output may stop early, as `head` does; that is no failure. */
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

// On stderr, and silent with NODE_NO_WARNINGS=1, as all warnings of Node are.
const outdated = outdatedNode(process.versions.node);
if (outdated !== null) process.emitWarning(outdated, { code: "WEALTH_CONNECT_NODE" });

const code = await runCommandLine(process.argv.slice(2), processShell(), manifest.version);
// The server sets its own, and goes on running.
if (code !== 0) process.exitCode = code;
