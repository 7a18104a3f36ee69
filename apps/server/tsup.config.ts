import { bundled } from "../../tsup.base.js";

export default bundled({
  entry: [
    "src/main.ts",
    // For `wealth-connect serve`.
    "src/program.ts",
    // For hosts that start the server with other options than main.ts, such as tests with short intervals.
    "src/run-server.ts",
    "src/make-database-template.ts",
    "src/pdf/pdf-worker.ts",
    "src/custodian-files/feed-worker.ts",
  ],
  onSuccess:
    "node dist/make-database-template.js && node node_modules/@org/widget/build-client.mjs dist/widget && node ../portfolio-view/build-view.mjs dist/portfolio-view && node ../console/build-console.mjs dist/console",
});
