// `npm start`: from a bare clone to a running server. The server runs in this process, so that signals reach it.
import { build, install } from "./pnpm.mjs";

await install();
await build("build", "--filter=@org/server", "--filter=@org/cli");
await import("../apps/server/dist/main.js");
