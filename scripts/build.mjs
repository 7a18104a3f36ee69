// `pnpm build` and `pnpm build:types`: calls turbo through pnpm.mjs, which switches its telemetry off. Arguments go to turbo: `pnpm build
// --filter=@org/server`.
import { build } from "./pnpm.mjs";

await build(...process.argv.slice(2));
