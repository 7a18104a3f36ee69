import { base } from "../../tsup.base.js";

// The thread is a file of its own beside the index, which finds it there.
export default base({ entry: ["src/index.ts", "src/feed-worker.ts"] });
