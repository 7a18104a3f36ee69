// `pnpm build` and `pnpm build:types`: calls turbo through pnpm.mjs, which switches its telemetry off. Arguments go to turbo: `pnpm build
// --filter=@org/server`. A bare clone gets its dependencies first.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { build, install } from "./pnpm.mjs";
import { root } from "./step.mjs";

if (!existsSync(join(root, "node_modules"))) await install();
await build(...process.argv.slice(2));
