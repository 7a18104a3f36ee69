import { base } from "../../tsup.base.js";

export default base({
  entry: {
    index: "src/index.ts",
    // The code that starts the workers looks for them in its own folder.
    "pdf-worker": "src/inspection/pdf-worker.ts",
    "letter-worker": "src/template/letter-worker.ts",
    "testing/index": "src/testing/index.ts",
  },
});
