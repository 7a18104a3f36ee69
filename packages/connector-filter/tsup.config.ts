import { base } from "../../tsup.base.js";

export default base({ entry: ["src/index.ts", "src/countries.ts", "src/warnings.ts"], treeshake: true });
