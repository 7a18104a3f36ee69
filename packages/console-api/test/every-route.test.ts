import type { Uuid } from "@org/core";
import { allows, INSTALLATION, type Role } from "@org/people";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleApiRoutes } from "../src/index.js";
import { needsOf, operations } from "../src/operations.js";
import { operatorFamily, ownEndpoints, tenantFamilies } from "../src/routes.js";
import { type Console, startConsole } from "./console.js";

const TENANT = "019b0000-0000-7000-8000-000000000001" as Uuid;
const limits = { letterMaxBytes: 10_000 };

/** Every path that requires a session. */
const closed = [
  ...ownEndpoints.filter(({ needs }) => needs !== null).map(({ path, needs }) => ({ path, needs, operator: null })),
  ...tenantFamilies.flatMap(({ endpoints }) =>
    endpoints.map(({ path, operation }) => ({ path, needs: needsOf(operation), operator: false })),
  ),
  ...operatorFamily.endpoints.map(({ path, operation }) => ({ path, needs: needsOf(operation), operator: true })),
];
const open = ownEndpoints.filter(({ needs }) => needs === null);

let console: Console;
let people: Record<Role, Awaited<ReturnType<Console["joined"]>>>;
beforeAll(async () => {
  console = await startConsole();
  const join = (role: Role, tenantId: Uuid) =>
    console.joined({ email: `${role.replace(":", "-")}@example.com`, role, tenantId });
  people = {
    operator: await join("operator", INSTALLATION),
    "operator:read": await join("operator:read", INSTALLATION),
    admin: await join("admin", TENANT),
    member: await join("member", TENANT),
    read: await join("read", TENANT),
  };
});
afterAll(() => console.close());

it("[C-14.75] each operation of REST has its line in operations.ts, and no line is of nothing", () => {
  const named = [...tenantFamilies, operatorFamily].flatMap(({ endpoints }) =>
    endpoints.map(({ operation }) => operation),
  );
  expect(Object.keys(operations).sort()).toEqual([...new Set(named)].sort());
  expect(needsOf("somethingNew")).toEqual({ power: "administer", isDangerous: true });
});

it("[C-14.75] what deletes, and what has to do with keys, secrets, roles and people, is dangerous", () => {
  const dangerous =
    /^(delete|discontinue|drop|remove|revoke|rotate|roll|invite|reinvite|disableTenant|end|trustIssuer|createApplication)/;
  for (const operation of Object.keys(operations).filter((name) => dangerous.test(name)))
    expect([operation, needsOf(operation).isDangerous]).toEqual([operation, true]);
});

describe("every route", () => {
  it("[C-14.76] stands in the table of routes, for POST", () => {
    const paths = new Set(consoleApiRoutes(limits).map(({ path }) => path));
    for (const { path } of [...closed, ...open]) expect(paths.has(`/console/api${path}`), path).toBe(true);
  });

  it("[C-14.76] refuses whoever is not signed in, and forbids frames", async () => {
    const stranger = console.browser();
    for (const { path } of closed) {
      const { status, headers, body } = await stranger.post(path);
      expect([path, status, body.error.code]).toEqual([path, 401, "UNAUTHENTICATED"]);
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("cache-control")).toBe("no-store");
    }
    expect(console.asked).toEqual([]);
  });

  it.each([
    ["another origin", { origin: "https://evil.example" }, "OTHER_ORIGIN"],
    ["a name that looks like ours", { origin: "https://wealth.example.evil.example" }, "OTHER_ORIGIN"],
    ["no origin", { origin: null }, "OTHER_ORIGIN"],
    ["a sandboxed frame", { origin: "null" }, "OTHER_ORIGIN"],
    ["a loopback page", { origin: "http://localhost:5173" }, "OTHER_ORIGIN"],
    ["another site", { "sec-fetch-site": "cross-site" }, "OTHER_ORIGIN"],
    ["another host of the site", { "sec-fetch-site": "same-site" }, "OTHER_ORIGIN"],
  ])("[C-14.76] refuses what comes from %s, and does nothing", async (_from, headers, code) => {
    for (const [routes, browser] of [
      [open, console.browser()],
      [closed, people.operator.browser],
    ] as const)
      for (const { path } of routes) {
        const { status, body } = await browser.post(path, {}, headers);
        expect([path, status, body.error.code]).toEqual([path, 403, code]);
      }
    expect(console.asked).toEqual([]);
  });

  it("[C-14.76] refuses a change without the token of its session, and does nothing", async () => {
    const { browser } = people.operator;
    for (const token of [null, "", "0".repeat(64), people["operator:read"].csrf_token as string])
      for (const { path } of closed) {
        const { status, body } = await browser.post(path, {}, { "x-csrf-token": token });
        expect([path, status, body.error.code]).toEqual([path, 403, "CSRF_TOKEN"]);
      }
    expect(console.asked).toEqual([]);
  });

  it("[C-14.77] serves each role what its power allows, in its own place, and nothing else", async () => {
    for (const [role, { browser }] of Object.entries(people) as [Role, (typeof people)[Role]][]) {
      const isOperator = role.startsWith("operator");
      for (const { path, needs, operator } of closed.filter((each) => each.path !== "/sign-out")) {
        // A list instead of an object, so that no endpoint takes effect: the test only asks who gets as far as the body.
        const { status } = await browser.post(path, "[]");
        const mayAsk = (operator === null || operator === isOperator) && needs !== null && allows(role, needs.power);
        expect([role, path, status === 403]).toEqual([role, path, !mayAsk]);
      }
    }
    expect(console.asked).toEqual([]);
  });

  it("[C-14.77] asks for the passkey again before what is dangerous, and only then", async () => {
    console.passes(301);
    for (const [role, operator] of [
      ["operator", true],
      ["admin", false],
    ] as const)
      for (const { path, needs } of closed.filter((each) => each.operator === null || each.operator === operator)) {
        if (path === "/sign-out") continue;
        const { status, body } = await people[role].browser.post(path, "[]");
        expect([path, status === 403 && body.error.code === "CONFIRM_AGAIN"]).toEqual([path, needs?.isDangerous]);
      }
    expect(console.asked).toEqual([]);
  });
});

it.each([
  ["no JSON", "{", 400],
  ["no object", "[]", 400],
  ["an unknown field", { admin: true }, 400],
  ["a prototype", '{"__proto__":{"role":"admin"}}', 400],
  ["a name twice over a thousand", `{${Array.from({ length: 2_000 }, (_, at) => `"n${at}":1`).join(",")}}`, 400],
  ["too much", `{"answer":"${"a".repeat(70_000)}"}`, 413],
])("[C-14.76] a body that is %s is refused", async (_what, body, status) => {
  for (const { path } of open) {
    const answer = await console.browser().post(path, body);
    expect([path, answer.status]).toEqual([path, status]);
  }
});
