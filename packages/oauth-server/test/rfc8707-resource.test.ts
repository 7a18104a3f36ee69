import { decodeJwt } from "jose";
import { describe, expect, it } from "vitest";
import { type Installation, install, machine, refresh } from "./harness.js";

function asked(fields: Readonly<Record<string, string>>, resources: readonly string[]): [string, string][] {
  return [...Object.entries(fields), ...resources.map((resource): [string, string] => ["resource", resource])];
}

describe("RFC 8707 resource indicators", () => {
  const mcp = (at: Installation) => `${at.issuer}/mcp`;
  const analytics = (at: Installation) => `${at.issuer}/mcp/analytics`;
  const allowed: [string, (at: Installation) => string[], (at: Installation) => string[]][] = [
    ["[C-3.5] [C-8.165] none: all", () => [], (at) => [mcp(at), analytics(at), at.issuer]],
    ["[C-3.5] the MCP endpoint", (at) => [mcp(at)], (at) => [mcp(at)]],
    ["[C-8.165] the analytics endpoint", (at) => [analytics(at)], (at) => [analytics(at)]],
    ["[C-3.5] the installation", (at) => [at.issuer], (at) => [at.issuer]],
    ["[C-9.5] one trailing slash", (at) => [`${mcp(at)}/`], (at) => [mcp(at)]],
    ["[C-9.5] one trailing slash on the installation", (at) => [`${at.issuer}/`], (at) => [at.issuer]],
    ["two, in any order", (at) => [at.issuer, mcp(at)], (at) => [mcp(at), at.issuer]],
    ["the same twice", (at) => [mcp(at), `${mcp(at)}/`], (at) => [mcp(at)]],
  ];
  it.each(allowed)("%s", async (_, resources, audience) => {
    const at = await install();
    const { status, body } = await at.token(asked(machine(await at.application()), resources(at)));
    expect(status).toBe(200);
    expect(decodeJwt(body.access_token).aud).toEqual(audience(at));
  });

  const refused: [string, (at: Installation) => string[]][] = [
    ["another server", () => ["https://other.example/mcp"]],
    ["one known, one not", (at) => [mcp(at), "https://other.example"]],
    ["two trailing slashes", (at) => [`${mcp(at)}//`]],
    ["a fragment", (at) => [`${mcp(at)}#x`]],
    ["a query", (at) => [`${mcp(at)}?x=1`]],
    ["another path", (at) => [`${at.issuer}/token`]],
    ["another case", (at) => [mcp(at).toUpperCase()]],
    ["no URL", () => ["mcp"]],
  ];
  it.each(refused)("refuses %s with invalid_target, before anything is consumed", async (_, resources) => {
    const at = await install();
    const client = await at.application();
    const { body } = await at.token(machine(client));
    const invalidTarget = { status: 400, body: { error: "invalid_target" } };
    expect(await at.token(asked(machine(client), resources(at)))).toMatchObject(invalidTarget);
    expect(await at.token(asked(refresh(body.refresh_token), resources(at)))).toMatchObject(invalidTarget);
    expect(await at.token(refresh(body.refresh_token))).toMatchObject({ status: 200 });
  });

  it("narrows at a refresh, and does not reach beyond the grant", async () => {
    const at = await install();
    const { body } = await at.token(asked(machine(await at.application()), [mcp(at)]));
    const beyond = await at.token(asked(refresh(body.refresh_token), [at.issuer]));
    expect(beyond).toMatchObject({ status: 400, body: { error: "invalid_target" } });
    const { body: within } = await at.token(asked(refresh(body.refresh_token), [mcp(at)]));
    expect(decodeJwt(within.access_token).aud).toEqual([mcp(at)]);
    const { body: again } = await at.token(refresh(within.refresh_token));
    expect(decodeJwt(again.access_token).aud).toEqual([mcp(at)]);
  });
});
