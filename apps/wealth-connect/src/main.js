#!/usr/bin/env node
// Server and command line in one program: without arguments it runs the server, like `serve`.
// Written so that any Node since 12 reads it: npx warns about `engines` and starts the program all the same.
import { readFileSync } from "node:fs";

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const [needMajor, needMinor] = engines.node.match(/\d+/g).map(Number);
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < needMajor || (major === needMajor && minor < needMinor)) {
  process.stderr.write(
    `Wealth Connect needs Node ${engines.node}, and this is Node ${process.versions.node}: install a newer one (https://nodejs.org).\n`,
  );
  process.exitCode = 1;
} else {
  if (process.argv.length === 2) process.argv.push("serve");
  void import("./cli/dist/main.js");
}
