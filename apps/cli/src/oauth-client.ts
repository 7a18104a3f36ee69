import { z } from "zod";
import { failed } from "./cli-error.js";
import { parseDocument, request } from "./server-connection.js";
import type { ServerAccess } from "./settings.js";
import { printable } from "./table.js";

/** Response of the token endpoint (S1 §5). `expires_in` in seconds. */
export interface TokenAnswer {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly refresh_token?: string;
  readonly scope?: string;
}

/** Asks for tokens with an application's secret. @throws CliError */
export function issueToken(
  { url, client_id, client_secret }: ServerAccess,
  parameters: Readonly<Record<string, string>> = {},
  timeout?: number,
): Promise<TokenAnswer> {
  return askForToken(url, { grant_type: "client_credentials", client_id, client_secret, ...parameters }, timeout);
}

/** Exchanges a refresh token, which is then used up (S1 §5.7). @throws CliError */
export function refreshToken(url: string, token: string, timeout?: number): Promise<TokenAnswer> {
  return askForToken(url, { grant_type: "refresh_token", refresh_token: token }, timeout);
}

/** Ends the grant of a token (RFC 7009); the server does not report unknown tokens. @throws CliError */
export async function revokeToken(url: string, token: string, timeout?: number): Promise<void> {
  const received = await request(`${url}/revoke`, { sending: form({ token }), timeout });
  if (received.status !== 200) throw refusal(parseDocument(url, received), received.status);
}

/** A grant as the server lists it. Times are RFC 3339. */
export const listedGrantSchema = z.looseObject({
  grant_id: z.string(),
  client_id: z.string(),
  client_name: z.string(),
  application: z.looseObject({ client_id: z.string(), name: z.string() }),
  flow: z.enum(["browser", "machine", "asserted"]),
  person: z.looseObject({ person_id: z.string(), name: z.string().nullable() }).nullish(),
  scopes: z.array(z.string()),
  clients: z.array(z.looseObject({ client_ref: z.string(), name: z.string().nullable() })).nullish(),
  created_at: z.string(),
  last_issued_at: z.string(),
  expires_at: z.string(),
});

/** The grants of one client through one application, in one flow, as the server groups them. */
export const heldSchema = listedGrantSchema.omit({ grant_id: true }).extend({ grants: z.number() });

/** All live grants of the application's tenant, in the server's order; an operator names the tenant. @throws CliError */
export async function listGrants<S extends z.ZodType>(
  access: ServerAccess,
  item: S,
  parameters: Readonly<Record<string, string>>,
  timeout?: number,
): Promise<readonly z.output<S>[]> {
  const grantPage = z.object({ items: z.array(item), next: z.string().nullable() });
  const items: z.output<S>[] = [];
  for (let after: string | null = ""; after !== null; ) {
    const fields = { ...parameters, limit: "500", ...(after === "" ? {} : { after }) };
    const page = grantPage.safeParse(await askAsApplication(access, "/grants/list", fields, timeout));
    if (!page.success) throw failed(`${access.url}/grants/list gave an unexpected answer`);
    items.push(...page.data.items);
    after = page.data.next;
  }
  return items;
}

/** Ends a grant, or all of a client: refresh tokens immediately, access tokens within seconds. @throws CliError */
export async function requestGrantEnd(
  access: ServerAccess,
  parameters: Readonly<Record<string, string>>,
  timeout?: number,
): Promise<z.infer<typeof endedGrants>> {
  const ended = endedGrants.safeParse(await askAsApplication(access, "/grants/revoke", parameters, timeout));
  if (!ended.success) throw failed(`${access.url}/grants/revoke gave an unexpected answer`);
  return ended.data;
}

const ended_at = z.string();
const endedGrants = z.union([
  z.object({ grant_id: z.string(), ended_at }),
  z.object({ client_id: z.string(), ended: z.number(), ended_at }),
]);

async function askAsApplication(
  { url, client_id, client_secret }: ServerAccess,
  path: string,
  parameters: Readonly<Record<string, string>>,
  timeout?: number,
): Promise<Record<string, unknown>> {
  const received = await request(url + path, { sending: form({ client_id, client_secret, ...parameters }), timeout });
  const document = parseDocument(url + path, received);
  if (received.status !== 200) throw refusal(document, received.status);
  return document;
}

async function askForToken(url: string, fields: Record<string, string>, timeout?: number): Promise<TokenAnswer> {
  const received = await request(`${url}/token`, { sending: form(fields), timeout });
  const document = parseDocument(url, received);
  if (received.status !== 200) throw refusal(document, received.status);
  if (typeof document.access_token !== "string") throw failed(`${url}/token answered without an access token`);
  return document as unknown as TokenAnswer;
}

function form(fields: Record<string, string>) {
  return { contentType: "application/x-www-form-urlencoded", body: new URLSearchParams(fields).toString() };
}

function refusal({ error, error_description: description }: Record<string, unknown>, status: number) {
  const words = [error ?? `status ${status}`, description].filter((part) => part !== undefined).join(": ");
  const hint =
    error === "invalid_client" ? " (check client id and secret; a disabled application is refused the same way)" : "";
  return failed(`the authorization server refused: ${printable(words)}${hint}`);
}
