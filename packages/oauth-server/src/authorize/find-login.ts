import type { AuthorizeServices } from "./authorize-services.js";
import { type Login, personLogin, type SignedInPerson } from "./login.js";
import type { PageRequest } from "./page-endpoint.js";
import { REMEMBERED_COOKIE } from "./remembered-logins.js";

/**
 * Finds who decides in this browser: the signed-in person if the request is answered as a person, otherwise the remembered
 * application.
 */
export async function findLogin(
  services: AuthorizeServices,
  page: PageRequest,
  { as_person = false }: { readonly as_person?: boolean | undefined } = {},
): Promise<Login | null> {
  if (!as_person) return services.logins.find(services.cookies.read(page.req, REMEMBERED_COOKIE), page);
  const person = await findPerson(services, page);
  return person && personLogin(services, person, page.at);
}

/** The person who has signed in with this browser; may be an operator. */
export async function findPerson({ people }: AuthorizeServices, { req }: PageRequest): Promise<SignedInPerson | null> {
  return (await people?.find(req)) ?? null;
}
