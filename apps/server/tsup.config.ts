import { bundled } from "../../tsup.base.js";

export default bundled({
  entry: ["src/main.ts", "src/make-template.ts", "src/pdf/pdf-worker.ts", "src/feed-worker.ts"],
  onSuccess:
    "node dist/make-template.js && node ../widget/build-client.mjs dist/widget && node ../portfolio-view/build-view.mjs dist/portfolio-view",
});
