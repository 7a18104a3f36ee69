import type { Uuid } from "@org/core";
import { type IdentityProviderSettings, INSTALLATION, OPERATOR_ROLES, TENANT_ROLES } from "@org/people";
import { z } from "zod";
import { isLoopback } from "./network-settings.js";

const line = (longest: number) => z.string().min(1).max(longest);
const claims = z
  .record(line(200), line(500))
  .refine((named) => Object.keys(named).length <= 8, "must name at most 8 claims");
const tenantId = z.uuid("must be a tenant's id").transform((text) => text.toLowerCase() as Uuid);
const rulesOf = <Rule extends z.ZodType>(rule: Rule) => z.array(rule).min(1).max(100);

/** The `iss` of a provider: https, or http on this machine. */
export const issuerAddress = z
  .string()
  .max(500)
  .refine((text) => {
    const url = URL.canParse(text) && !/[?#\s]/.test(text) ? new URL(text) : null;
    if (url === null || url.username !== "" || url.password !== "") return false;
    return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(text));
  }, "must be an https address without query, fragment and credentials; http is for this machine only");

/** Words separated by commas or spaces. */
export const wordList = z.string().transform((text) => text.split(/[\s,]+/).filter((word) => word !== ""));

/** `OIDC_ROLES`. */
export const roleRules = json(
  rulesOf(
    z.union([
      z.strictObject({ claims, role: z.enum(OPERATOR_ROLES) }),
      z.strictObject({ claims, tenant_id: tenantId, role: z.enum(TENANT_ROLES) }),
    ]),
  ),
  "must be a JSON list of rules: {claims, role} for operators, {claims, tenant_id, role} for people of a tenant",
).transform((rules) => rules.map((rule) => ({ tenant_id: INSTALLATION, ...rule })));

/** `OIDC_TENANTS`. */
export const tenantProviders = json(
  z
    .array(
      z.strictObject({
        tenant_id: tenantId,
        issuer: issuerAddress,
        client_id: line(200),
        client_secret: line(500),
        roles: rulesOf(z.strictObject({ claims, role: z.enum(TENANT_ROLES) })),
        name: line(100).optional(),
        scopes: z.union([line(2_000).pipe(wordList), z.array(line(100))]).optional(),
        acr: z.array(line(200)).default([]),
        amr: z.array(line(200)).default([]),
        only: z.boolean().default(false),
      }),
    )
    .max(200)
    .refine((all) => new Set(all.map((one) => one.tenant_id)).size === all.length),
  "must be a JSON list of {tenant_id, issuer, client_id, client_secret, roles}, at most one for each tenant",
);

/** The installation's provider from the variables; null when there is none. */
export function installationProvider(values: {
  readonly OIDC_ISSUER?: string | undefined;
  readonly OIDC_CLIENT_ID?: string | undefined;
  readonly OIDC_CLIENT_SECRET?: string | undefined;
  readonly OIDC_NAME?: string | undefined;
  readonly OIDC_ROLES?: IdentityProviderSettings["rules"] | undefined;
  readonly OIDC_SCOPES: readonly string[];
  readonly OIDC_ACR: readonly string[];
  readonly OIDC_AMR: readonly string[];
}): IdentityProviderSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client_id, OIDC_CLIENT_SECRET: client_secret } = values;
  if (!issuer || !client_id || !client_secret || !values.OIDC_ROLES) return null;
  return {
    name: values.OIDC_NAME ?? new URL(issuer).host,
    issuer,
    client_id,
    client_secret,
    tenant_id: null,
    rules: values.OIDC_ROLES,
    scopes: withOpenid(values.OIDC_SCOPES),
    acr: values.OIDC_ACR,
    amr: values.OIDC_AMR,
  };
}

/** A tenant's own provider from its settings. */
export function tenantProvider({
  tenant_id,
  roles,
  name,
  scopes = ["openid", "profile", "email"],
  only: _,
  ...provider
}: z.output<typeof tenantProviders>[number]): IdentityProviderSettings {
  return {
    ...provider,
    tenant_id,
    name: name ?? new URL(provider.issuer).host,
    scopes: withOpenid(scopes),
    rules: roles.map((rule) => ({ ...rule, tenant_id })),
  };
}

function withOpenid(scopes: readonly string[]): readonly string[] {
  return [...new Set(["openid", ...scopes])];
}

/** JSON text of a given shape. Error messages leave out the text, which may contain a secret. */
function json<Shape extends z.ZodType>(shape: Shape, words: string) {
  return z.string().transform((text, context): z.output<Shape> => {
    const parsed = shape.safeParse(parseOrNothing(text));
    if (parsed.success) return parsed.data;
    const [first] = parsed.error.issues;
    const place = first && first.path.length > 0 ? ` (${first.path.join(".")})` : "";
    context.addIssue({ code: "custom", message: `${words}${place}` });
    return z.NEVER;
  });
}

function parseOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
