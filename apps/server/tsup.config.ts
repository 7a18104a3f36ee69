import { bundled } from "../../tsup.base.js";

export default bundled({
  entry: {
    main: "src/main.ts",
    // For `wealth-connect serve`.
    program: "src/program.ts",
    // For hosts that start the server with other options than main.ts, such as tests with short intervals.
    "run-server": "src/run-server.ts",
    "make-database-template": "src/make-database-template.ts",
    // Worker threads, each at the path where the code that starts it expects it.
    "pdf-worker": "../../packages/letter-documents/src/inspection/pdf-worker.ts",
    "letter-worker": "../../packages/letter-documents/src/template/letter-worker.ts",
    "feed-worker": "../../packages/feed-reading/src/feed-worker.ts",
  },
  onSuccess:
    "node dist/make-database-template.js && node node_modules/@org/widget/build-client.mjs dist/widget && node ../portfolio-view/build-view.mjs dist/portfolio-view && node ../console/build-console.mjs dist/console",
});
