import { base } from "../../tsup.base.js";

export default base({
  entry: [
    "src/index.ts",
    "src/decimal.ts",
    "src/http/index.ts",
    "src/loading/index.ts",
    "src/recording.ts",
    "src/testing/index.ts",
  ],
});
