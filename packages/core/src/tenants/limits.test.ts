import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { defaultLimits } from "./limits.js";

it("docs/reference/limits.md has the limits of a tenant in this order, with these defaults", () => {
  const page = readFileSync(new URL("../../../../docs/reference/limits.md", import.meta.url), "utf8");
  const [, table = ""] = /^## Of a tenant\n.*?\n\n(\|.*?)\n\n/ms.exec(page) ?? [];
  const rows = [...table.matchAll(/^\| `(\w+)` \| ([\d,]+)( [A-Z]iB)?/gm)];
  const unit = { " MiB": 2 ** 20, " TiB": 2 ** 40 };
  const stated = rows.map(([, name, number = "", bytes = ""]) => [
    name,
    Number(number.replaceAll(",", "")) * (unit[bytes as keyof typeof unit] ?? 1),
  ]);
  expect(stated).toEqual(Object.entries(defaultLimits));
});
