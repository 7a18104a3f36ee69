import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { colours } from "./colours.js";
import { style, styleSource } from "./style.js";

/**
 * Pairs of colours that the style sheet combines, with the minimum contrast (WCAG 2.2: 1.4.3 for text, 1.4.11 for edges of
 * controls).
 */
const pairs: readonly (readonly [Colour, Colour, number])[] = [
  ...(["paper", "tint", "ground"] as const).flatMap((back): [Colour, Colour, number][] => [
    ["ink", back, 4.5],
    ["quiet", back, 4.5],
    ["accent", back, 4.5],
    ["bad", back, 4.5],
    ["edge", back, 3],
  ]),
  ["on-accent", "accent", 4.5],
  ["on-accent", "pressed", 4.5],
  ["good", "good-tint", 4.5],
  ["warn", "warn-tint", 4.5],
  ["bad", "bad-tint", 4.5],
  ["ink", "bad-tint", 4.5],
  ["ink", "warn-tint", 4.5],
  ["warn", "paper", 3],
  ["bad", "paper", 3],
];
type Colour = keyof typeof colours.light;

describe("light and dark", () => {
  it("are two schemes of the same colours", () => {
    expect(Object.keys(colours.dark)).toEqual(Object.keys(colours.light));
  });

  it.each(
    (["light", "dark"] as const).flatMap((scheme) =>
      pairs.map(([front, back, least]) => ({ scheme, front, back, least })),
    ),
  )("$scheme $front on $back has a contrast of $least to 1 (WCAG 2.2)", ({ scheme, front, back, least }) => {
    const both = [luminance(colours[scheme][front]), luminance(colours[scheme][back])];
    expect((Math.max(...both) + 0.05) / (Math.min(...both) + 0.05)).toBeGreaterThanOrEqual(least);
  });
});

describe("the sheet", () => {
  it("the source expression is its hash (CSP3, 2.3.1)", () => {
    expect(styleSource).toBe(`'sha256-${createHash("sha256").update(style, "utf8").digest("base64")}'`);
  });

  it("uses every colour of the palette, and no other name", () => {
    const used = [...style.matchAll(/var\(--([a-z-]+)\)/g)].map(([, name]) => name);
    expect([...new Set(used)].sort()).toEqual(Object.keys(colours.light).sort());
  });

  it("loads nothing", () => {
    expect(style).not.toMatch(/url\(|@import|@font-face|:\/\//);
  });

  it("moves nothing for people who ask for that (WCAG 2.2, 2.3.3)", () => {
    const always = style.replace(/@media \(prefers-reduced-motion: no-preference\) \{(?:[^{}]*\{[^}]*\})*\s*\}/, "");
    expect(always).not.toBe(style);
    expect(always).not.toMatch(/transition|animation/);
  });
});

/** Relative luminance of an sRGB colour `#rrggbb` (WCAG 2.2). */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
