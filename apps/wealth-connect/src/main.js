#!/usr/bin/env node
// Server and command line in one: without arguments the server, as `serve`.
if (process.argv.length === 2) process.argv.push("serve");
await import("./cli/dist/main.js");
