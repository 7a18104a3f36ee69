import {
  AnswerFailure,
  type LoginRequest,
  type LoginStep,
  type ProviderServices,
  ReadInterrupted,
  type ResumeRequest,
} from "@org/provider-kit";
import { z } from "zod";
import { accessSchema, type ItemAccess } from "./access.js";
import { accountsSchema } from "./holdings.js";
import type { PlaidApi } from "./plaid-api.js";
import { baseUrlOf, type PlaidSettings } from "./settings.js";
import { accountMarks, itemUserKey } from "./user-key.js";

type Services = Pick<ProviderServices, "random" | "sleep">;

const linkToken = z.object({ link_token: z.string().min(1), hosted_link_url: z.url() });
const institution = z.object({ name: z.string(), routing_numbers: z.array(z.string()) });
const exchanged = z.object({ access_token: z.string().min(1) });
const session = z.object({
  finished_at: z.string().nullish(),
  on_success: z.object({ public_token: z.string() }).nullish(),
  results: z.object({ item_add_results: z.array(z.object({ public_token: z.string() })) }).nullish(),
  events: z.array(z.object({ event_name: z.string() })).nullish(),
});
const sessions = z.object({ link_sessions: z.array(session).default([]) });

const awaySchema = z.object({
  link_token: z.string(),
  client_user_id: z.string(),
  /** The institution of the catalogue row. */
  wanted: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** The Item under repair. */
  repaired: accessSchema.nullable(),
  /** The Item under repair, if a new one has to take its place. */
  replaced: accessSchema.nullable(),
});
type Away = z.output<typeof awaySchema>;

/** How often a session is looked at that has not ended yet, a second apart: its customer may be back before Plaid has written it down. */
const LOOKS = 4;

/** Sends the customer to Plaid: for a new Item, or in update mode for the one of a connection under repair. */
export async function beginLink(
  settings: PlaidSettings,
  api: PlaidApi,
  { random }: Pick<Services, "random">,
  request: Pick<
    LoginRequest,
    "existing_access" | "provider_ref" | "callback_url" | "callback_state" | "language" | "signal"
  >,
): Promise<LoginStep> {
  const known = accessSchema.safeParse(request.existing_access).data;
  const existing = known?.base_url === baseUrlOf(settings) ? known : null;
  const client_user_id = existing?.client_user_id ?? Buffer.from(random(16)).toString("hex");
  const link = async (repaired: ItemAccess | null): Promise<LoginStep> => {
    const { wanted, routing_number } = await institutionOf(settings, api, repaired ? null : request.provider_ref);
    const body = linkOf(settings, request, { client_user_id, repaired, routing_number });
    const { link_token, hosted_link_url: url } = await api.send("POST", "/link/token/create", linkToken, body);
    const replaced = repaired === null ? existing : null;
    return { kind: "redirect", url, state: { link_token, client_user_id, wanted, repaired, replaced } satisfies Away };
  };
  if (existing === null) return link(null);
  return link(existing).catch((error: unknown) => {
    // An Item whose permission was withdrawn cannot always be repaired; a new one can be made.
    if (error instanceof ReadInterrupted && "refused" in error.end) return link(null);
    throw error;
  });
}

function linkOf(
  settings: PlaidSettings,
  { callback_url, callback_state, language }: Pick<LoginRequest, "callback_url" | "callback_state" | "language">,
  {
    client_user_id,
    repaired,
    routing_number,
  }: { client_user_id: string; repaired: ItemAccess | null; routing_number: string | undefined },
) {
  const back = new URL(callback_url);
  back.searchParams.set("state", callback_state);
  const link = {
    client_name: settings.client_name,
    language,
    country_codes: settings.countries,
    user: { client_user_id },
    hosted_link: { completion_redirect_uri: back.href },
  };
  if (repaired !== null)
    return { ...link, access_token: repaired.access_token, update: { account_selection_enabled: true } };
  const webhook =
    settings.notifications_url ?? callback_url.replace(/\/connect\/callback$/, "/providers/plaid/notifications");
  return {
    ...link,
    products: settings.products,
    webhook,
    ...(routing_number !== undefined && { institution_data: { routing_number } }),
  };
}

/** The row's institution, and the number by which Link highlights it, if it has one. */
async function institutionOf(settings: PlaidSettings, api: PlaidApi, id: string | null) {
  if (id === null) return { wanted: null, routing_number: undefined };
  const answer = z.object({ institution });
  const body = { institution_id: id, country_codes: settings.countries };
  const { name, routing_numbers } = (await api.send("POST", "/institutions/get_by_id", answer, body)).institution;
  return { wanted: { id, name }, routing_number: routing_numbers[0] };
}

/** The customer is back from Plaid. Whoever left Link without success may go again. */
export async function finishLink(
  settings: PlaidSettings,
  api: PlaidApi,
  { sleep }: Pick<Services, "sleep">,
  { state, signal }: Pick<ResumeRequest, "state" | "signal">,
): Promise<LoginStep> {
  const away = awaySchema.parse(state);
  const found = await successOf(away.link_token);
  if (found === null) return { kind: "rejected", declined: true };
  if (away.repaired !== null) return authenticated(away.repaired, away.repaired.user_key);
  if (found.public_token === null) return { kind: "rejected" };
  const { public_token } = found;
  const { access_token } = await api.send("POST", "/item/public_token/exchange", exchanged, { public_token });
  try {
    const step = await authenticated({ ...away, access_token }, null);
    const { replaced } = away;
    // Nothing can be read by way of the old Item any more.
    if (replaced !== null && step.kind === "authenticated" && step.user_key === replaced.user_key)
      await removeItem(api, replaced.access_token).catch(() => undefined);
    return step;
  } catch (error) {
    // Nobody knows this Item if it becomes no connection.
    await removeItem(api, access_token).catch(() => undefined);
    throw error;
  }

  /** How the session ended; null without success. */
  async function successOf(link_token: string): Promise<{ readonly public_token: string | null } | null> {
    for (let look = 1; ; look += 1) {
      const { link_sessions } = await api.send("POST", "/link/token/get", sessions, { link_token });
      for (const { on_success, results, events } of link_sessions) {
        const public_token = results?.item_add_results[0]?.public_token ?? on_success?.public_token ?? null;
        // Update mode may end with nothing but this event.
        if (public_token !== null || events?.some(({ event_name }) => event_name === "HANDOFF"))
          return { public_token };
      }
      if (look === LOOKS || link_sessions.some(({ finished_at }) => finished_at != null)) return null;
      await sleep(1_000, signal);
    }
  }

  /** @param user_key of the connection under repair, which stays although the accounts may be others now */
  async function authenticated(
    { access_token, client_user_id }: Pick<ItemAccess, "access_token" | "client_user_id">,
    user_key: string | null,
  ): Promise<LoginStep> {
    const { item, accounts } = await api.send("POST", "/accounts/get", accountsSchema, { access_token });
    const isOther = away.wanted !== null && away.wanted.id !== item.institution_id;
    // One institution may have several ids, for example before and after it moved to OAuth.
    if (user_key === null && isOther && away.wanted?.name !== item.institution_name) {
      await removeItem(api, access_token);
      return { kind: "rejected" };
    }
    const marks = accountMarks(item, accounts);
    const { replaced } = away;
    const isSame = replaced?.marks.some((mark) => marks.includes(mark)) === true;
    const access: ItemAccess = {
      base_url: baseUrlOf(settings),
      access_token,
      item_id: item.item_id,
      user_key: user_key ?? (isSame ? replaced.user_key : itemUserKey(item, accounts)),
      client_user_id,
      accounts: [...new Set([...(away.repaired?.accounts ?? []), ...accounts.map(({ account_id }) => account_id)])],
      marks: [...new Set([...(away.repaired?.marks ?? []), ...marks])],
    };
    const { consent_expiration_time: end } = item;
    const consent_expires_at = end == null ? null : new Date(end);
    return { kind: "authenticated", user_key: access.user_key, access, consent_expires_at, reference: item.item_id };
  }
}

/** Gives an Item back. One that Plaid does not know any more is gone. */
export async function removeItem(api: PlaidApi, access_token: string): Promise<void> {
  await api.send("POST", "/item/remove", z.object({}), { access_token }).catch((error: unknown) => {
    if (!(error instanceof ReadInterrupted && "refused" in error.end)) throw error;
  });
}

/** What a login makes of an answer that ends it. @param isBack whether the customer has been at Plaid */
export async function linkStep(work: Promise<LoginStep>, isBack: boolean): Promise<LoginStep> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ReadInterrupted)) throw error;
    const { end } = error;
    if ("throttled" in end) return { kind: "throttled", retry_after: end.throttled.retry_after };
    if ("pending" in end) return { kind: "throttled", retry_after: end.pending.retry_after };
    if (isBack) return { kind: "rejected" };
    // Before the customer has done anything, only we can have been refused.
    throw new AnswerFailure(`Plaid refuses to begin a login (${end.refused})`);
  }
}
