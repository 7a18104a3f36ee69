import { expect, it } from "vitest";
import { pageHeaders, renderDocument, scriptedPageHeaders } from "./document.js";
import { html } from "./html.js";
import { style, styleSource } from "./style.js";

const page = { language: "en", title: `A "title"`, body: html`<h1>Hello</h1>` };

it("a document names its language, itself and the product", () => {
  const text = renderDocument(page);
  expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(text).toContain("<title>A &#34;title&#34; – Wealth Connect</title>");
  expect(text).toContain("<main>\n<h1>Hello</h1>\n</main>");
  expect(text).not.toMatch(/http-equiv|<script|<link|<img/);
});

it("a document that waits loads the page again, at an escaped address", () => {
  expect(renderDocument({ ...page, refresh: { seconds: 2, path: `/a"b` } })).toContain(
    `<meta http-equiv="refresh" content="2;url=/a&#34;b">`,
  );
});

it("the headers allow the one sheet that the document holds, and nothing else (CSP3)", () => {
  expect(renderDocument(page)).toContain(`<style>${style}</style>`);
  expect(pageHeaders).toEqual({
    "Content-Security-Policy": `default-src 'none'; style-src ${styleSource}; base-uri 'none'; frame-ancestors 'none'`,
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
  });
});

it("a document with a script names it at an escaped address and refreshes by itself only where scripts do not run", () => {
  const text = renderDocument({ ...page, script: `/a"b.js`, refresh: { seconds: 2, path: "/c" } });
  expect(text).toContain(`<script type="module" src="/a&#34;b.js"></script>`);
  expect(text).toContain(`<noscript><meta http-equiv="refresh" content="2;url=/c"></noscript>`);
});

it("its headers let modules of the site run and nothing that is written into the page (CSP3)", () => {
  expect(scriptedPageHeaders).toEqual({
    ...pageHeaders,
    "Content-Security-Policy": `default-src 'none'; script-src 'self'; connect-src 'self'; style-src ${styleSource}; base-uri 'none'; frame-ancestors 'none'`,
  });
});
