import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { viewDocument } from "./view-document.js";

it("a view's policy allows its own script and style, by their hashes, and nothing else", () => {
  const html = viewDocument("svc-portfolios", 'console.log("</script><!-- & </SCRIPT>")\n');
  const [, script = ""] = /<script type="module">(.*?)<\/script>/s.exec(html) ?? [];
  const [, style = ""] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  expect(script).toBe('console.log("\\x3c/script>\\x3c!-- & \\x3c/SCRIPT>")');
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  expect(/http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]).toBe(
    `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`,
  );
  expect(html).toContain('data-tool="svc-portfolios"');
});
