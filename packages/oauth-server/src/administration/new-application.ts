import { isLoopbackHost } from "@org/http";
import { zodMessages } from "@org/validation-messages";
import { z } from "zod";
import { OAuthError } from "../oauth-error.js";
import { ASSIGNABLE_SCOPES, OPERATOR_SCOPE, TENANT_SCOPES } from "../scopes.js";

/** Where a connect session may send the browser: https, or http on a loopback host. Compared exactly, so the URL is kept as written. */
const redirectUrlSchema = z
  .string()
  .max(2048, { abort: true })
  .refine(isRedirectUrl, "must be an https URL, or http on a loopback host, without fragment or credentials");

/** The redirect URLs of an application. */
export const redirectUrlsSchema = z
  .array(redirectUrlSchema)
  .max(20)
  .refine((urls) => new Set(urls).size === urls.length, "must not repeat an URL");

/** The clients that an application is limited to, by their references, which the caller has checked; null = no limit. */
const clientRefsSchema = z
  .array(z.string().min(1))
  .max(1_000)
  .refine((refs) => new Set(refs).size === refs.length, "must not repeat a client")
  .nullable();

/** The same for an application that there is: only those of tenants have clients. */
export function clientLimitSchema(tenantId: string | null) {
  return clientRefsSchema.refine((refs) => refs === null || tenantId !== null, NO_CLIENTS);
}

const NO_CLIENTS = "an operator's application has no clients";

/** A request to create an application. Without `scopes` it gets {@link TENANT_SCOPES}, or the operator's. */
export const newApplicationSchema = z
  .strictObject({
    /** Null = an operator's application. */
    tenant_id: z.string().min(1).nullable(),
    name: z
      .string()
      .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must not hold control characters")
      .trim()
      .min(1)
      .max(100),
    scopes: z.array(z.string()).min(1).optional(),
    redirect_urls: redirectUrlsSchema.default([]),
    client_refs: clientRefsSchema.default(null),
    dpop_bound_access_tokens: z.boolean().default(false),
  })
  .superRefine(({ tenant_id, scopes = [], client_refs }, context) => {
    if (client_refs !== null && tenant_id === null)
      context.addIssue({ code: "custom", path: ["client_refs"], message: NO_CLIENTS });
    const allowed = scopesOf(tenant_id);
    scopes.forEach((scope, index) => {
      if (!allowed.includes(scope))
        context.addIssue({ code: "custom", path: ["scopes", index], message: `must be one of ${allowed.join(", ")}` });
    });
  })
  .transform(({ scopes, ...rest }) => {
    const asked: readonly string[] = scopes ?? [OPERATOR_SCOPE, ...TENANT_SCOPES];
    return { ...rest, scopes: scopesOf(rest.tenant_id).filter((scope) => asked.includes(scope)) };
  });

/** Scopes that may be added later. Grant management can only be given at creation, and an operator's application has only one scope. */
export function addedScopesSchema(tenantId: string | null) {
  const allowed: readonly string[] = tenantId === null ? [] : TENANT_SCOPES;
  const reason =
    tenantId === null ? "an operator's application has no other scope" : `must be one of ${allowed.join(", ")}`;
  return z.array(z.string().refine((scope) => allowed.includes(scope), reason)).min(1);
}

export type NewApplicationRequest = z.input<typeof newApplicationSchema>;

/** Checks a value. Throws `invalid_application` with every fault. @param field the member that the value is for; the whole without it */
export function parseApplication<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  field?: string,
): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: zodMessages });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({
    path: [...(field === undefined ? [] : [field]), ...path].join("."),
    message,
  }));
  throw new OAuthError("invalid_application", "the application is not valid", { issues });
}

function scopesOf(tenantId: string | null): readonly string[] {
  return tenantId === null ? [OPERATOR_SCOPE] : ASSIGNABLE_SCOPES;
}

function isRedirectUrl(text: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(text) || text.includes("#") || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  const isPrivateTransport = protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));
  return isPrivateTransport && username === "" && password === "";
}
