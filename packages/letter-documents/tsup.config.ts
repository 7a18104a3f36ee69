import { base } from "../../tsup.base.js";

export default base({
  entry: {
    index: "src/index.ts",
    // The code that starts the worker looks for it in its own folder.
    "pdf-worker": "src/inspection/pdf-worker.ts",
    "testing/index": "src/testing/index.ts",
  },
});
