import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { bytesOfUuid, formatUuid, uuidV7 } from "./uuid.js";

it("RFC 9562 §5.7: time, version, variant, the rest by chance", () => {
  const at = new Date(0x017f22e279b0);
  const random = () => Uint8Array.from([0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f]);
  expect(uuidV7(at, random)).toBe("017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
});

it("orders by time", () => {
  const times = [1, 2, 1000, 1_700_000_000_000].map((time) => uuidV7(new Date(time), randomBytes));
  expect([...times].sort()).toEqual(times);
});

it("reads back its bytes", () => {
  const uuid = uuidV7(new Date("2026-01-15T12:00:00Z"), randomBytes);
  expect(formatUuid(bytesOfUuid(uuid))).toBe(uuid);
});
