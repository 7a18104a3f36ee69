import { auditEntry } from "../audit-entry.js";
import { CoreError, invalid, invalidValue } from "../errors.js";
import type { BankProvider, Challenge, CredentialField } from "../ports/bank-provider.js";
import type { SessionChange, SessionRecord } from "../ports/session-store.js";
import type { Storage } from "../ports/storage.js";
import type { Surroundings } from "../ports/surroundings.js";
import type { ConnectorView } from "../schemas/connector.js";
import { isStorableText } from "../schemas/identifier.js";
import type { Page } from "../schemas/paging.js";
import type { SessionErrorCode, SessionLanguage, SessionStatus } from "../schemas/session.js";
import { createBankLogin, MAX_ATTEMPTS } from "./bank-login.js";
import { type BankSearch, createBankOffers } from "./bank-offers.js";
import { canLook, createChallengeLooks, type Located } from "./challenge-looks.js";
import { type Connectors, viewOf } from "./connectors.js";
import { type Sleep, sleep } from "./patience.js";
import { isOpen, nextSessionStatus, nothingSecret, type SessionEvent } from "./session-machine.js";
import { hashOfSecret } from "./sessions.js";

/** What the browser behind a `widget_url` may see. */
export type CustomerView =
  /** No such link (or long gone). */
  | { readonly kind: "unknown" }
  /** Open and not claimed: any browser may become the owner by Continue. */
  | {
      readonly kind: "unclaimed";
      readonly language: SessionLanguage;
      /** Name of the bank, where the program that opened the session fixed one. */
      readonly bank: string | null;
      readonly privacy_notice: string | null;
    }
  /** Claimed by another browser, or finished and opened by a browser that does not own it. */
  | { readonly kind: "taken"; readonly language: SessionLanguage }
  /** This browser's session. */
  | {
      readonly kind: "owned";
      readonly language: SessionLanguage;
      readonly status: SessionStatus;
      readonly error_code: SessionErrorCode | null;
      /** Null while the customer has still to choose a bank. */
      readonly connector: ConnectorView | null;
      /** What the bank asks for at login; empty while there is no bank. */
      readonly credential_fields: readonly CredentialField[];
      /** True when a bank was fixed by the program that opened the session, so that the customer cannot choose another. */
      readonly connector_fixed: boolean;
      readonly challenge: Challenge | null;
      /** Whether the bank may change or end the challenge by itself while it is looked at. */
      readonly follows_bank: boolean;
      readonly attempts_left: number;
      /** Where the browser goes at the end, `session_id` appended; null = "you can close this page". Set once finished. */
      readonly return_url: string | null;
      readonly expires_at: string;
    };

/**
 * The bank customer's side of a Connect session. `link` is the secret of the `widget_url`, `owner` the secret in the cookie of
 * the browser (null when it has none). Bank calls run after the method has answered: the status is `Processing:*` until they end.
 */
export interface CustomerSessions {
  /** Looks; never claims or changes anything. An expired session is shown as `Finished:Expired`. */
  view(link: string, owner: string | null): Promise<CustomerView>;
  /**
   * The view for a page that somebody has before them. While a challenge waits that the bank may change or end by itself, the bank
   * is asked how it stands: every few seconds at most, and by one look at a time for each session. What it says within a second
   * is in the view, else in a later one.
   */
  look(link: string, owner: string | null): Promise<CustomerView>;
  /** Makes the calling browser the owner, under its own secret (256 bits, base64url) if it brings one. Answers the secret, or null when the session cannot be claimed (again) by this browser. */
  claim(link: string, owner: string | null): Promise<{ owner: string } | null>;
  /** Banks that the session's filter allows, available ones only, 50 at a time. */
  banks(
    link: string,
    owner: string | null,
    query: BankSearch,
  ): Promise<Page<ConnectorView> & { countries: readonly string[] }>;
  /** @throws CoreError CONFLICT when the session is elsewhere, VALIDATION_ERROR on `connector_id` when the filter hides it or it does not exist, NOT_FOUND when the browser is not the owner. */
  chooseBank(link: string, owner: string | null, connectorId: string): Promise<void>;
  /** Goes back to the choice of bank, where a choice was possible. */
  changeBank(link: string, owner: string | null): Promise<void>;
  /** @throws CoreError CONFLICT when the session is not `Waiting:ProvideCredentials`, VALIDATION_ERROR on `username`, `password`. */
  submitCredentials(
    link: string,
    owner: string | null,
    credentials: { username: string; password: string },
  ): Promise<void>;
  /** @throws CoreError CONFLICT when the session is not `Waiting:Challenge`, VALIDATION_ERROR on `answer`. */
  submitAnswer(link: string, owner: string | null, answer: string): Promise<void>;
  /** Ends the session as `Finished:Aborted`; a finished one stays as it is. */
  abort(link: string, owner: string | null): Promise<void>;
  /** Resolves when no bank call is under way in this process. For shut-down, after the last request was answered. */
  drain(): Promise<void>;
}

/** How long a page waits for what a bank says about a challenge. */
const LOOK_PATIENCE_MS = 1_000;

export function createCustomerSessions(deps: {
  storage: Storage;
  surroundings: Surroundings;
  connectors: Connectors;
  providers: ReadonlyMap<string, BankProvider>;
  /** Told of a bank call that failed for a reason that is not the customer's. */
  onProviderFault: (fault: { session_id: string; provider: string; error: unknown }) => void;
  /** Waits while the storage is away; tests give one that does not. */
  sleep?: Sleep;
}): CustomerSessions {
  const { storage, surroundings, connectors } = deps;
  const bankLogin = createBankLogin(deps);
  const offers = createBankOffers(deps);
  const looks = createChallengeLooks({
    ...deps,
    conclude: (found, step) =>
      submit(found, "Waiting:Challenge", (session) => bankLogin.conclude(found.tenant_id, session, step)),
  });
  const pause = deps.sleep ?? sleep;
  const underWay = new Set<Promise<void>>();

  return {
    async view(link, owner) {
      return viewOfLink(await locate(link), owner);
    },
    async look(link, owner) {
      const found = await locate(link);
      const look = found && owns(found.session, owner) ? await beginLook(found) : null;
      if (look === null) return viewOfLink(found, owner);
      track(look.ended);
      const over = new AbortController();
      await Promise.race([look.ended, pause(LOOK_PATIENCE_MS, over.signal).catch(() => undefined)]);
      over.abort();
      return viewOfLink(await locate(link), owner);
    },
    async claim(link, owner) {
      const found = await locate(link);
      if (!found || !isOpen(statusNow(found.session))) return null;
      if (found.session.owner_hash !== null) return owner !== null && owns(found.session, owner) ? { owner } : null;
      // A browser that brings its secret along may ask twice: a double click, or an answer that never arrived.
      const secret = owner ?? surroundings.newSecret();
      const claimed = await change(found, { owner_hash: hashOfSecret(secret) }, "session.claim");
      return claimed ? { owner: secret } : null;
    },
    async banks(link, owner, query) {
      const { session } = await owned(link, owner);
      return offers.search(session.connector_filter, query);
    },
    async chooseBank(link, owner, connectorId) {
      const found = await owned(link, owner);
      requireChoice(found.session);
      if (!(await offers.has(found.session.connector_filter, connectorId)))
        throw invalid(invalidValue("connector_id", "must be one of the banks offered"));
      await changeOrConflict(found, { connector_id: connectorId, error_code: null, attempts: 0 });
    },
    async changeBank(link, owner) {
      const found = await owned(link, owner);
      requireChoice(found.session);
      await changeOrConflict(found, { connector_id: null, error_code: null, attempts: 0 });
    },
    async submitCredentials(link, owner, credentials) {
      const found = await owned(link, owner);
      const connector = found.session.connector_id === null ? null : await connectors.find(found.session.connector_id);
      if (connector === null) throw conflict();
      const asked = credentialFieldsOf(connector).map(({ name }) => name);
      const faults = (["username", "password"] as const).flatMap((field) =>
        textFault(field, credentials[field], field === "username" && asked.includes(field)),
      );
      if (faults.length > 0) throw invalid(...faults);
      await submit(found, "Waiting:ProvideCredentials", (session) =>
        bankLogin.login(found.tenant_id, session, credentials),
      );
    },
    submitAnswer: (link, owner, answer) =>
      despiteLooks(async () => {
        const found = await owned(link, owner);
        const faults = textFault("answer", answer, false);
        if (faults.length > 0) throw invalid(...faults);
        await submit(found, "Waiting:Challenge", (session) => bankLogin.answer(found.tenant_id, session, answer));
      }),
    abort: (link, owner) =>
      despiteLooks(async () => {
        const found = await owned(link, owner);
        const status = move(found.session, "abort");
        if (status === null) return;
        await changeOrConflict(found, { status, error_code: "AbortedByUser", ...nothingSecret }, "session.abort");
      }),
    async drain() {
      // A look that ends may have begun a login's last part.
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };

  /** Moves the session to Processing and lets the bank call run after the request has been answered. */
  async function submit(
    found: Located,
    expected: SessionStatus,
    work: (session: SessionRecord) => Promise<void>,
  ): Promise<void> {
    const status = found.session.status === expected ? move(found.session, "submit") : null;
    if (status === null) throw conflict();
    await changeOrConflict(found, { status, error_code: null });
    track(work({ ...found.session, status, error_code: null, version: found.session.version + 1 }));
  }

  function track(work: Promise<void>): void {
    const tracked = work.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  }

  async function beginLook(found: Located): Promise<{ readonly ended: Promise<void> } | null> {
    const { session } = found;
    if (statusNow(session) !== "Waiting:Challenge") return null;
    const provider = await providerOf(session);
    return canLook(provider) ? looks.begin(found, provider) : null;
  }

  async function providerOf({ connector_id }: SessionRecord): Promise<BankProvider | undefined> {
    const connector = connector_id === null ? null : await connectors.find(connector_id);
    return connector ? deps.providers.get(connector.provider) : undefined;
  }

  async function locate(link: string): Promise<Located | null> {
    const place = await storage.directory.sessionByLink(hashOfSecret(link));
    if (!place) return null;
    const session = await storage.inTenant(place.tenant_id, ({ sessions }) => sessions.find(place.session_id));
    return session && { tenant_id: place.tenant_id, session };
  }

  async function owned(link: string, owner: string | null): Promise<Located> {
    const found = await locate(link);
    if (!found || !owns(found.session, owner)) throw new CoreError("NOT_FOUND", "this browser has no such session");
    return found;
  }

  async function change(
    { tenant_id, session }: Located,
    changes: Omit<SessionChange, "updated_at">,
    action?: string,
  ): Promise<boolean> {
    const actor = { application_id: "customer", trace_id: null, address: null };
    return storage.inTenant(tenant_id, async ({ sessions, audit }) => {
      const moved = await sessions.move(session.session_id, session.version, {
        ...changes,
        updated_at: surroundings.clock(),
      });
      if (moved && action) await audit.append(auditEntry(surroundings, actor, action, "session", session.session_id));
      return moved;
    });
  }

  async function changeOrConflict(
    found: Located,
    changes: Omit<SessionChange, "updated_at">,
    action?: string,
  ): Promise<void> {
    if (!(await change(found, changes, action))) throw conflict();
  }

  async function viewOfLink(found: Located | null, owner: string | null): Promise<CustomerView> {
    if (!found) return { kind: "unknown" };
    const { session } = found;
    if (session.owner_hash === null && isOpen(statusNow(session))) return unclaimedView(session);
    return owns(session, owner) ? ownedView(session) : { kind: "taken", language: session.language };
  }

  async function unclaimedView({ language, connector_id, privacy_notice }: SessionRecord): Promise<CustomerView> {
    const connector = connector_id === null ? null : await connectors.find(connector_id);
    return { kind: "unclaimed", language, bank: connector?.name ?? null, privacy_notice };
  }

  async function ownedView(session: SessionRecord): Promise<CustomerView> {
    const status = statusNow(session);
    const connector = session.connector_id === null ? null : await connectors.find(session.connector_id);
    return {
      kind: "owned",
      language: session.language,
      status,
      error_code: status === "Finished:Expired" ? "SessionExpired" : session.error_code,
      connector: connector && viewOf(connector),
      credential_fields: connector === null ? [] : credentialFieldsOf(connector),
      connector_fixed: session.connector_filter === null,
      challenge: session.challenge,
      follows_bank: session.challenge !== null && canLook(await providerOf(session)),
      attempts_left: MAX_ATTEMPTS - session.attempts,
      return_url: isOpen(status) ? null : returnUrl(session),
      expires_at: session.expires_at.toISOString(),
    };
  }

  function credentialFieldsOf({ id, provider }: { id: string; provider: string }): readonly CredentialField[] {
    return deps.providers.get(provider)?.credentialFields?.(id) ?? [{ name: "username" }, { name: "password" }];
  }

  function statusNow(session: SessionRecord): SessionStatus {
    return isOpen(session.status) && session.expires_at <= surroundings.clock() ? "Finished:Expired" : session.status;
  }

  function move(session: SessionRecord, event: SessionEvent): SessionStatus | null {
    return nextSessionStatus(statusNow(session), event);
  }

  function requireChoice(session: SessionRecord): void {
    if (session.connector_filter === null || statusNow(session) !== "Waiting:ProvideCredentials") throw conflict();
  }
}

function owns(session: SessionRecord, owner: string | null): boolean {
  return owner !== null && session.owner_hash !== null && session.owner_hash === hashOfSecret(owner);
}

/** A look may replace a challenge between the reading of a session and its move: whoever answers or cancels is not turned away for that. */
async function despiteLooks(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof CoreError) || error.code !== "CONFLICT") throw error;
    await work();
  }
}

function conflict(): CoreError {
  return new CoreError("CONFLICT", "the session is not at this step");
}

function textFault(field: string, value: string, required: boolean) {
  if (required && value.trim() === "") return [{ field, error_type: "RequiredField" as const, message: "is required" }];
  if (value.length > 500 || !isStorableText(value))
    return [invalidValue(field, "must be text of at most 500 characters")];
  return [];
}

function returnUrl(session: SessionRecord): string | null {
  if (session.redirect_url === null) return null;
  const url = new URL(session.redirect_url);
  url.searchParams.append("session_id", session.session_id);
  return url.href;
}
