import { encode } from "uqr";
import { expect, it } from "vitest";
import { qrDrawing } from "./qr-drawing.js";

it("draws the dark modules of the code inside a margin of four (ISO/IEC 18004)", () => {
  const drawn = qrDrawing("https://bank.example/approve");
  const modules = [...(drawn?.path ?? "").matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x},${y}`);
  const code = encode("https://bank.example/approve", { ecc: "M", border: 0 });
  const expected = code.data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`${x + 4},${y + 4}`] : [])));
  expect(new Set(modules)).toEqual(new Set(expected));
  expect(drawn?.size).toBe(code.size + 8);
});

it("draws nothing of a text that no QR code can hold (ISO/IEC 18004: 2,953 bytes)", () => {
  expect(qrDrawing("x".repeat(2_954))).toBeNull();
});
