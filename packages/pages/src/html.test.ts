import { expect, it } from "vitest";
import { Html, type HtmlValue, html } from "./html.js";

it.each<[string, HtmlValue, string]>([
  ["markup", `<script>alert("1")</script>`, "&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;"],
  ["an end of an attribute", `" onload='x`, "&#34; onload=&#39;x"],
  ["an entity", "&lt;", "&#38;lt;"],
  ["a number", 7, "7"],
  ["nothing", null, ""],
  ["a condition that does not hold", false, ""],
  ["markup of our own", new Html("<b>"), "<b>"],
  ["a list of both", [html`<i>${"<"}</i>`, "&"], "<i>&#60;</i>&#38;"],
])("a template writes %s safely", (_, value, expected) => {
  expect(html`<p title="${value}">${value}</p>`.text).toBe(`<p title="${expected}">${expected}</p>`);
});
