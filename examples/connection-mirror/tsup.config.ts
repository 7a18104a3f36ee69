import { bundled } from "../../tsup.base.js";

export default bundled({ entry: ["src/main.ts"], sourcemap: false });
