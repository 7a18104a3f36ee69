// `npm run cli -- …`: the commands of this clone, once it is built.
import { existsSync } from "node:fs";
import { refuse } from "./step.mjs";

const program = new URL("../apps/cli/dist/main.js", import.meta.url);
if (!existsSync(program)) refuse("this clone is not built yet: run `npm run build`, or `npm start`, which builds too");
await import(program);
