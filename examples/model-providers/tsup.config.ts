import { bundled } from "../../tsup.base.js";

export default bundled({ entry: ["src/openai.ts", "src/anthropic.ts"], sourcemap: false });
