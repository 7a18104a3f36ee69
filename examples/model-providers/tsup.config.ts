import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/openai.ts", "src/anthropic.ts"],
  format: ["esm"],
  target: "node20",
  clean: true,
});
