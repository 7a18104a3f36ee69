import type { Form } from "../http/read-form.js";
import type { ClientsView, ReviewView } from "../pages/page-views.js";
import { type GrantedClient, MAX_GRANTED_CLIENTS } from "../ports/granted-clients.js";
import type { AuthorizeServices } from "./authorize-services.js";
import type { Login } from "./login.js";
import { PageRefusal } from "./outcomes.js";

/** What a form of step 2 says of clients. */
export interface ClientChoice {
  readonly isLimited: boolean;
  /** References as they came: anything may be among them. */
  readonly client_refs: readonly string[];
  /** What the person searches for. */
  readonly text: string;
}

/** What step 2 shows at first. */
const ALL_CLIENTS: ClientChoice = { isLimited: false, client_refs: [], text: "" };

/** Reads the choice of a form. Without a word on all or some, clients that are named are a limit. */
export function clientChoiceOf(form: Form): ClientChoice {
  const client_refs = [...new Set(form.all("client_ref"))];
  const which = form.get("clients") ?? (client_refs.length > 0 ? "some" : "all");
  if (which !== "all" && which !== "some") throw new PageRefusal("bad_request", "clients is neither all nor some");
  return { isLimited: which === "some", client_refs, text: form.get("client_search")?.trim() ?? "" };
}

/** The clients that a grant is to be limited to, null = no limit; or what is wrong with the choice. */
export async function chosenClients(
  services: AuthorizeServices,
  login: Login,
  { isLimited, client_refs }: ClientChoice,
): Promise<{ readonly client_refs: readonly string[] | null } | { readonly problem: ReviewView["problem"] }> {
  if (!isLimited) return { client_refs: null };
  if (client_refs.length === 0) return { problem: "no_client" };
  if (client_refs.length > MAX_GRANTED_CLIENTS) return { problem: "too_many_clients" };
  const known = await knownOf(services, login, client_refs);
  if (known.length < client_refs.length) return { problem: "client_gone" };
  return { client_refs: known.map(({ client_ref }) => client_ref) };
}

/** The clients of step 2: the chosen ones, and the first few that match the search. Null when the login has none. */
export async function clientsView(
  services: AuthorizeServices,
  login: Login,
  { isLimited, client_refs, text }: ClientChoice = ALL_CLIENTS,
): Promise<ClientsView | null> {
  if (!services.tenantClients) return null;
  const { tenant_id, client_refs: within } = login.application;
  const found = await services.tenantClients.list(tenant_id, { text, client_refs: within, limit: SHOWN });
  const chosen =
    client_refs.length > 0 ? await knownOf(services, login, client_refs.slice(0, MAX_GRANTED_CLIENTS)) : [];
  if (text === "" && found.total === 0) return null;
  const isChosen = ({ client_ref }: GrantedClient) => chosen.some((one) => one.client_ref === client_ref);
  return {
    isLimited,
    items: [
      ...chosen.map((client) => ({ ...client, isChecked: true })),
      ...found.items.filter((client) => !isChosen(client)).map((client) => ({ ...client, isChecked: false })),
    ],
    search: text !== "" || found.total > SHOWN ? { text, total: found.total, shown: found.items.length } : null,
  };
}

/** Those of the references that are a client's of the tenant, within the application's own limit. */
async function knownOf(
  { tenantClients }: AuthorizeServices,
  { application: { tenant_id, client_refs: within } }: Login,
  refs: readonly string[],
): Promise<readonly GrantedClient[]> {
  const client_refs = refs.filter((ref) => within === null || within.includes(ref));
  if (!tenantClients || client_refs.length === 0) return [];
  return (await tenantClients.list(tenant_id, { client_refs, limit: client_refs.length })).items;
}

/** How many clients are shown unless they are chosen; the search finds the others. */
const SHOWN = 20;
