import { authenticateClient } from "../clients/authenticate-client.js";
import { clientIdOf } from "../clients/client-credentials.js";
import type { Form } from "../http/read-form.js";
import { OAuthError } from "../oauth-error.js";
import type { AuthorizeServices } from "./authorize-services.js";
import type { PageRequest } from "./page-endpoint.js";
import { belongsToTenant, REMEMBERED_COOKIE } from "./remembered-logins.js";

/** The result of checking typed credentials: a cookie for this browser, or the problem to show. */
export type CheckedCredentials =
  | { readonly kind: "cookie"; readonly cookie: string }
  | {
      readonly kind: "problem";
      readonly problem: "missing" | "wrong_credentials" | "too_many_attempts";
      readonly status: number;
      readonly retryAfterSeconds?: number;
    };

/** Checks what was typed into a sign-in form, and remembers valid credentials for this browser. */
export async function checkCredentials(
  services: AuthorizeServices,
  page: PageRequest,
  form: Form,
): Promise<CheckedCredentials> {
  const typed = form.get("client_id")?.trim() ?? "";
  const client_secret = form.get("client_secret")?.trim() ?? "";
  if (typed === "" || client_secret === "") return { kind: "problem", problem: "missing", status: 400 };
  const client_id = clientIdOf(typed);
  try {
    const client = await authenticateClient(services, { client_id, client_secret }, page);
    const cookie = belongsToTenant(client.application)
      ? await services.logins.remember(client, client_secret, page.at)
      : null;
    const { tenant_id, application_id } = client.application;
    if (cookie === null) {
      page.record({ action: "login.refused", tenant_id, application_id, client_id, detail: "not_a_tenants" });
      return { kind: "problem", problem: "wrong_credentials", status: 400 };
    }
    // The new cookie replaces the credentials this browser remembered before.
    await services.logins.forget(services.cookies.read(page.req, REMEMBERED_COOKIE), page);
    page.record({ action: "login.accepted", tenant_id, application_id, client_id, detail: client.secret_id });
    return { kind: "cookie", cookie };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    page.record({ action: "login.refused", client_id: loggable(client_id), detail: error.code });
    if (error.retryAfterSeconds === undefined) return { kind: "problem", problem: "wrong_credentials", status: 400 };
    const { retryAfterSeconds } = error;
    return { kind: "problem", problem: "too_many_attempts", status: 429, retryAfterSeconds };
  }
}

/** The loggable part of what was typed: people paste all kinds of secrets into the wrong field. */
function loggable(clientId: string): string {
  return /^wca_[A-Za-z0-9_-]{1,100}$/.test(clientId) ? clientId : "(unreadable)";
}
