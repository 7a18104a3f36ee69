import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { style, styleSource } from "./style.js";

const schemes = [...style.matchAll(/:root \{([^}]*)\}/g)].map(([, rules = ""]) =>
  Object.fromEntries([...rules.matchAll(/--([a-z-]+): #([0-9a-f]{6})/g)].map(([, name, hex]) => [name, hex])),
);

describe("light and dark", () => {
  it("are two schemes of the same colours", () => {
    expect(schemes.map((scheme) => Object.keys(scheme).sort())).toEqual([
      Object.keys(schemes[0]!).sort(),
      Object.keys(schemes[0]!).sort(),
    ]);
  });

  it.each(
    schemes.flatMap((scheme, index) =>
      [
        ["ink", "paper"],
        ["ink", "tint"],
        ["quiet", "paper"],
        ["bad", "paper"],
        ["accent", "paper"],
        ["on-accent", "accent"],
      ].map(([front, back]) => ({
        name: `${index === 0 ? "light" : "dark"} ${front} on ${back}`,
        scheme,
        front,
        back,
      })),
    ),
  )("$name has a contrast of 4.5 to 1 (WCAG 2.2, 1.4.3)", ({ scheme, front, back }) => {
    const [lighter = 0, darker = 0] = [luminance(scheme[front!]!), luminance(scheme[back!]!)].sort((a, b) => b - a);
    expect((lighter + 0.05) / (darker + 0.05)).toBeGreaterThanOrEqual(4.5);
  });

  it("the source expression is the hash of the sheet (CSP3, 2.3.1)", () => {
    expect(styleSource).toBe(`'sha256-${createHash("sha256").update(style, "utf8").digest("base64")}'`);
  });
});

/** Relative luminance of an sRGB colour (WCAG 2.2). */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((start) => {
    const part = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
