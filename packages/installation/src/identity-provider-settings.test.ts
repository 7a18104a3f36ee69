import { readFileSync } from "node:fs";
import { INSTALLATION } from "@org/people";
import { describe, expect, it } from "vitest";
import { examineEnvironment } from "./config.js";

const TENANT = "019b0000-0000-7000-8000-00000000000a";
const own = { OIDC_ISSUER: "https://idp.example/", OIDC_CLIENT_ID: "wealth", OIDC_CLIENT_SECRET: "s3cret" };
const roles = JSON.stringify([
  { claims: { groups: "Desk" }, role: "operator" },
  { claims: {}, tenant_id: TENANT, role: "read" },
]);
const acme = {
  tenant_id: TENANT,
  issuer: "https://acme.example",
  client_id: "a",
  client_secret: "t0p",
  roles: [{ claims: { groups: "Team" }, role: "admin" }],
};

describe("[C-14.25] settings of identity providers", () => {
  it("name the installation's, and those of tenants", () => {
    const environment = { ...own, OIDC_ROLES: roles, OIDC_TENANTS: JSON.stringify([{ ...acme, only: true }]) };
    const { config, problems } = examineEnvironment({ ...environment, OIDC_AMR: "mfa, hwk" });
    expect(problems).toEqual([]);
    expect(config.identityProviders).toEqual([
      {
        name: "idp.example",
        issuer: "https://idp.example/",
        client_id: "wealth",
        client_secret: "s3cret",
        tenant_id: null,
        scopes: ["openid", "profile", "email"],
        acr: [],
        amr: ["mfa", "hwk"],
        rules: [
          { claims: { groups: "Desk" }, tenant_id: INSTALLATION, role: "operator" },
          { claims: {}, tenant_id: TENANT, role: "read" },
        ],
      },
      expect.objectContaining({
        name: "acme.example",
        tenant_id: TENANT,
        scopes: ["openid", "profile", "email"],
        rules: [{ claims: { groups: "Team" }, tenant_id: TENANT, role: "admin" }],
      }),
    ]);
    expect(config.identityProviderOnly).toEqual([TENANT]);
    expect(examineEnvironment({}).config.identityProviders).toEqual([]);
  });

  const pages = ["", "/entra-id", "/okta", "/keycloak"].map((page) => `docs/how-to/identity-providers${page}.md`);
  it.each(pages)("are taken as %s has them", (page) => {
    const text = readFileSync(new URL(`../../../${page}`, import.meta.url), "utf8").replaceAll(/<[a-z() ]+>/g, "an-id");
    const [, settings = ""] = /```sh\n([\s\S]*?)```/.exec(text) ?? [];
    const found = settings.matchAll(/(OIDC_\w+)=(?:'([^']*)'|"([^"]*)"|(\S+))/g);
    const environment = Object.fromEntries([...found].map(([, name, ...values]) => [name, values.join("")]));
    const [, ofTenants] = /```json\n([\s\S]*?)```/.exec(text) ?? [];
    expect(environment).toHaveProperty("OIDC_ROLES");
    const { problems } = examineEnvironment({ ...environment, OIDC_TENANTS: ofTenants ?? "[]" });
    expect(problems).toEqual([]);
  });

  it.each<[unknown]>([["openid groups"], [["groups"]], ["groups,openid"]])("take a tenant's scopes as %j", (scopes) => {
    const { config, problems } = examineEnvironment(tenants({ ...acme, scopes }));
    expect(problems).toEqual([]);
    expect(config.identityProviders).toMatchObject([{ scopes: ["openid", "groups"] }]);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ["an issuer alone", { OIDC_ISSUER: own.OIDC_ISSUER }, /^OIDC_CLIENT_ID: is required/],
    ["no rules", own, /^OIDC_ROLES: is required/],
    [
      "http elsewhere",
      { ...own, OIDC_ROLES: roles, OIDC_ISSUER: "http://idp.example" },
      /^OIDC_ISSUER: must be an https/,
    ],
    ["an issuer with a query", { ...own, OIDC_ROLES: roles, OIDC_ISSUER: "https://idp.example/?a" }, /^OIDC_ISSUER/],
    ["credentials in it", { ...own, OIDC_ROLES: roles, OIDC_ISSUER: "https://a:b@idp.example" }, /^OIDC_ISSUER/],
    ["nothing but nobody", { OIDC_ONLY: "true" }, /^OIDC_ONLY: needs/],
    ["no JSON", { OIDC_ROLES: "s3cret" }, /^OIDC_ROLES: must be a JSON list/],
    ["an empty list", { OIDC_ROLES: "[]" }, /^OIDC_ROLES/],
    [
      "a tenant's operator",
      { OIDC_ROLES: JSON.stringify([{ claims: {}, tenant_id: TENANT, role: "operator" }]) },
      /\(0\)/,
    ],
    ["an admin of no tenant", { OIDC_ROLES: JSON.stringify([{ claims: {}, role: "admin" }]) }, /\(0\)/],
    [
      "an operator by a tenant's word",
      tenants({ ...acme, roles: [{ claims: {}, role: "operator" }] }),
      /\(0\.roles\.0\.role\)/,
    ],
    ["a tenant twice", tenants(acme, acme), /^OIDC_TENANTS: must be/],
    ["no secret", tenants({ ...acme, client_secret: undefined }), /\(0\.client_secret\)/],
  ])("are refused with %s", (_, environment, words) => {
    const { problems } = examineEnvironment(environment);
    expect(problems.join("\n")).toMatch(words);
    expect(problems.join("\n")).not.toMatch(/s3cret|t0p/);
  });
});

function tenants(...all: object[]) {
  return { OIDC_TENANTS: JSON.stringify(all) };
}
