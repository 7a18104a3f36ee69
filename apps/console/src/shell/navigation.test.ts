import { expect, it } from "vitest";
import { canSee, isCurrentScreen } from "./navigation.js";

const operator = { role: "operator", tenant_id: null } as const;
const reader = { role: "operator:read", tenant_id: null } as const;
const member = { role: "member", tenant_id: "t" } as const;

it.each([
  ["an operator, an operator's", operator, "operator", "administer", true],
  ["who only reads, what is worked with", reader, "operator", "work", false],
  ["an operator, a tenant's", operator, "tenant", "see", false],
  ["a member, their tenant's", member, "tenant", "work", true],
  ["a member, what administrators do", member, "both", "administer", false],
] as const)("who sees a screen: %s", (_, person, audience, power, expected) => {
  expect(canSee(person, { audience, power })).toBe(expected);
});

it.each([
  ["/letters/1", "/letters", true],
  ["/letters-of-old", "/letters", false],
  ["/letters", "/", false],
  ["/", "/", true],
])("%s is at %s: %s", (pathname, path, expected) => {
  expect(isCurrentScreen(pathname, path)).toBe(expected);
});
