#!/usr/bin/env node
// Server and command line in one program: without arguments it runs the server, like `serve`.
if (process.argv.length === 2) process.argv.push("serve");
await import("./cli/dist/main.js");
