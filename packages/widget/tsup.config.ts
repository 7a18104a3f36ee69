import { base } from "../../tsup.base.js";

export default base({ entry: ["src/index.ts"], onSuccess: "node build-client.mjs dist/client" });
