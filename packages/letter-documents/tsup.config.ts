import { base } from "../../tsup.base.js";

export default base({
  entry: {
    index: "src/index.ts",
    // The thread is found beside the code that starts it.
    "pdf-worker": "src/inspection/pdf-worker.ts",
    "testing/index": "src/testing/index.ts",
  },
});
