import { runProgram } from "./program.js";

await runProgram(process.argv.slice(2), { server: "node apps/server/dist/main.js", commands: "npm run cli --" });
