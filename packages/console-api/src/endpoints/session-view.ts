import type { Uuid } from "@org/core";
import { INSTALLATION, PeopleError, type Person, type SignedIn } from "@org/people";
import type { OwnServices } from "../own-endpoint.js";

/** A person as that person sees themselves. */
function personView({ tenant_id, person_id, email, name, role }: Person) {
  return { person_id, email, name, role, tenant_id: tenant_id === INSTALLATION ? null : tenant_id };
}

/** What a page learns about its session. Without a session it only learns how to sign in. */
export async function sessionView(own: OwnServices, signedIn: SignedIn | null, tenantId: Uuid | null = null) {
  const { browserSessions, tenantNameOf } = own;
  const methods = methodsOf(own, signedIn?.person ?? null, tenantId);
  if (signedIn === null)
    return { person: null, tenant_name: null, csrf_token: null, ends_at: null, is_confirmed: false, methods };
  const person = personView(signedIn.person);
  return {
    person,
    tenant_name: person.tenant_id === null ? null : await tenantNameOf(person.tenant_id),
    csrf_token: browserSessions.tokenOf(signedIn),
    ends_at: signedIn.ends_at.toISOString(),
    is_confirmed: signedIn.isConfirmed,
    methods,
  };
}

/** The sign-in methods available here. People of an identity provider have only that provider. */
function methodsOf(
  { passkeyFault, providerSignIn, hasProviderOnly }: OwnServices,
  person: Person | null,
  tenantId: Uuid | null,
) {
  const hasOwn = person ? person.identity === null : !hasProviderOnly;
  const isProviders = person ? person.identity !== null : true;
  const provider = isProviders ? providerSignIn?.providerFor(person?.tenant_id ?? tenantId) : null;
  return {
    passkeys: hasOwn && passkeyFault === null,
    /** Why there are no passkeys. */
    passkeys_reason: hasOwn ? passkeyFault : "people sign in with the identity provider",
    identity_provider: provider ? { name: provider.settings.name } : null,
    recovery_codes: hasOwn,
  };
}

/** Resolves to null instead of failing with `not_signed_in`. */
export async function orSignedOut(opening: Promise<SignedIn>): Promise<SignedIn | null> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof PeopleError && error.code === "not_signed_in") return null;
    throw error;
  }
}
