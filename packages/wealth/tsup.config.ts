import { base } from "../../tsup.base.js";

export default base({ entry: ["src/index.ts"] });
