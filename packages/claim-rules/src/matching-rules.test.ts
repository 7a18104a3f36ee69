import { expect, it } from "vitest";
import { type Claims, matchingRules } from "./matching-rules.js";

const keycloak = {
  realm_access: { roles: ["desk-lead"] },
  resource_access: { "wealth.connect": { roles: ["read"] }, account: { roles: ["view-profile"] } },
};

it.each<[string, Readonly<Record<string, string>>, Claims, boolean]>([
  ["a text", { department: "Desk" }, { department: "Desk" }, true],
  ["a list that holds it", { groups: "Desk" }, { groups: ["All", "Desk"] }, true],
  ["another text", { department: "Desk" }, { department: "desk" }, false],
  ["a number that looks like it", { level: "1" }, { level: 1 }, false],
  ["a claim of every object", { constructor: "Desk" }, {}, false],
  ["Keycloak's roles of the realm", { "realm_access.roles": "desk-lead" }, keycloak, true],
  ["roles of a client whose id has a point", { "resource_access.wealth.connect.roles": "read" }, keycloak, true],
  ["a role of another client", { "resource_access.wealth.connect.roles": "view-profile" }, keycloak, false],
  ["an object, not what is in it", { realm_access: "desk-lead" }, keycloak, false],
  ["a way through a list", { "groups.0": "Desk" }, { groups: ["Desk"] }, false],
  ["a way to what every object has", { "realm_access.roles.constructor": "Array" }, keycloak, false],
  [
    "a name that is an address",
    { "https://acme.example/roles": "lead" },
    { "https://acme.example/roles": "lead" },
    true,
  ],
  ["the exact name before the way", { "a.b": "way" }, { "a.b": "name", a: { b: "way" } }, false],
])("[C-14.26] %s: what a rule names has to be there as it says", (_, claims, given, fits) => {
  expect(matchingRules([{ claims }], given).length === 1).toBe(fits);
});
