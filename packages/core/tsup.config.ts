import { base } from "../../tsup.base.js";

export default base({
  entry: ["src/index.ts", "src/csv.ts", "src/decimal.ts", "src/file-steps.ts", "src/testing/index.ts"],
});
