import { describe, expect, it } from "vitest";
import type { StoredSigningKey } from "../ports/signing-key-store.js";
import { nextStateChange, signingKeyStates } from "./signing-key-state.js";

const noon = new Date("2026-01-15T12:00:00Z");
const after = (seconds: number) => new Date(noon.getTime() + seconds * 1000);
const key = (kid: string, signsFrom: number | null, algorithm = "ES256"): StoredSigningKey => ({
  kid,
  algorithm,
  public_jwk: {},
  sealed_private_key: "",
  created_at: noon,
  signs_from: signsFrom === null ? null : after(signsFrom),
});
const statesAt = (seconds: number, ...keys: StoredSigningKey[]) => [...signingKeyStates(keys, after(seconds)).values()];

describe("[security.md] states of signing keys: next, active, retiring", () => {
  const [first, second, third] = [key("a", 0), key("b", 100), key("c", null)];
  it.each([
    [0, ["active", "next", "next"]],
    [99, ["active", "next", "next"]],
    [100, ["retiring", "active", "next"]],
    [100 + 3600 + 119, ["retiring", "active", "next"]],
    [100 + 3600 + 120, ["expired", "active", "next"]],
  ])("%i s after the first key", (seconds, states) => {
    expect(statesAt(seconds, first, second, third)).toEqual(states);
  });

  it("the first key signs also where the clock lags", () => {
    expect(statesAt(-5, first, third)).toEqual(["active", "next"]);
    expect(statesAt(-5, first, second)).toEqual(["active", "next"]);
  });

  it("a key is replaced by the next one, not by a later one", () => {
    expect(statesAt(4_000, first, second, key("d", 3_900))).toEqual(["expired", "retiring", "active"]);
  });

  it("exactly one is active when two were to sign from the same moment", () => {
    expect(statesAt(10, key("a", 0), key("b", 0))).toEqual(["retiring", "active"]);
  });

  it("a key of another algorithm replaces it too, and its waiting successor goes with it", () => {
    const changed = [key("a", 0), key("n", null), key("b", 100, "Ed25519"), key("m", null, "Ed25519")];
    expect(statesAt(99, ...changed)).toEqual(["active", "next", "next", "next"]);
    expect(statesAt(101, ...changed)).toEqual(["retiring", "next", "active", "next"]);
    expect(statesAt(10_000, ...changed)).toEqual(["expired", "expired", "active", "next"]);
  });

  it("change at no other time than the next one that is foretold", () => {
    const keys = [first, second, third, key("d", 700)];
    const foretold: number[] = [];
    for (
      let at = -1_000;
      at !== Number.POSITIVE_INFINITY;
      at = nextStateChange(keys, after(at / 1000)) - noon.getTime()
    )
      foretold.push(at / 1000);
    for (let second = -1_000, states = statesAt(second, ...keys); second < 10_000; second += 1) {
      const now = statesAt(second, ...keys);
      if (!foretold.includes(second)) expect(now).toEqual(states);
      states = now;
    }
    expect(foretold.slice(1)).toEqual([0, 100, 700, 3720, 3820, 4420]);
  });
});
