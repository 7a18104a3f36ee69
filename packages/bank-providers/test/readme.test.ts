import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readFeed } from "../src/index.js";

it("the example of the README prints what the README says", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, code = "", output = ""] =
    /<!-- example -->\n```js\n(.*?)```\n\nprints\n\n```text\n(.*?)```/s.exec(readme) ?? [];
  const lines: string[] = [];
  const print = { log: (...values: unknown[]) => lines.push(values.join(" ")) };
  const body = code.replace(/^import \{ readFeed \} from "@org\/bank-providers";\n/, "");
  new Function("readFeed", "console", body)(readFeed, print);
  expect(`${lines.join("\n")}\n`).toBe(output);
  expect(lines.length).toBeGreaterThan(1);
});
