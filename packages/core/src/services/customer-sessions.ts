import { auditEntry } from "../audit-entry.js";
import { CoreError, invalid, invalidAll, invalidValue } from "../errors.js";
import { customerActor } from "../ports/actor.js";
import type { ProviderDirectory } from "../ports/provider-directory.js";
import type { Runtime, Sleep } from "../ports/runtime.js";
import type { SessionChange, SessionRecord } from "../ports/session-store.js";
import type { Storage } from "../ports/storage.js";
import type { OwnProfile } from "../ports/tenant-profile-store.js";
import { sleep } from "../retry.js";
import { isStorableText } from "../schemas/identifier.js";
import type { SessionStatus } from "../schemas/session.js";
import { createBankLogin } from "./bank-login.js";
import { type BankSearch, type BanksFound, createBankOffers } from "./bank-offers.js";
import { canPoll, createChallengePolls, type Located, type ProviderFault } from "./challenge-polls.js";
import type { Connectors } from "./connectors.js";
import { type CustomerView, createCustomerViews, owns } from "./customer-view.js";
import { holdWhile, LOGIN_LEASE_MS } from "./cut-off-logins.js";
import { isOpen, nextSessionStatus, nothingSecret, type SessionEvent, statusAt } from "./session-machine.js";
import { hashOfSecret } from "./sessions.js";

/**
 * The bank customer's side of a Connect session. `link` is the secret of the `widget_url`, `owner` the secret in the cookie of
 * the browser (null when it has none), and `traceId` that of the request, which the audit trail and reports of faults then have.
 * Bank calls run after the method has answered: the status is `Processing:*` until they end.
 */
export interface CustomerSessions {
  /** Only reads; never claims or changes anything. An expired session is shown as `Finished:Expired`. */
  view(link: string, owner: string | null): Promise<CustomerView>;
  /**
   * The view for a page that somebody has before them. While a challenge waits that the bank may change or end by itself, the bank
   * is asked how it stands: every few seconds at most, and by one poll at a time for each session. What it says within a second
   * is in the view, else in a later one.
   */
  poll(link: string, owner: string | null, traceId?: string): Promise<CustomerView>;
  /** Makes the calling browser the owner, under its own secret (256 bits, base64url) if it brings one. Returns the secret, or null when the session cannot be claimed (again) by this browser. */
  claim(link: string, owner: string | null, traceId?: string): Promise<{ owner: string } | null>;
  /** Banks that the session's filter allows, available ones only, 50 at a time; also those that are connected by letter and cannot be chosen. */
  banks(link: string, owner: string | null, query: BankSearch): Promise<BanksFound>;
  /** @throws CoreError CONFLICT when the session is elsewhere, VALIDATION_ERROR on `connector_id` when the filter hides it, it is connected by letter, or it does not exist, NOT_FOUND when the browser is not the owner. */
  chooseBank(link: string, owner: string | null, connectorId: string): Promise<void>;
  /** Goes back to the choice of bank, where a choice was possible. */
  changeBank(link: string, owner: string | null): Promise<void>;
  /** @throws CoreError CONFLICT when the session is not `Waiting:ProvideCredentials`, VALIDATION_ERROR on `username`, `password`. */
  submitCredentials(
    link: string,
    owner: string | null,
    credentials: { username: string; password: string },
    traceId?: string,
  ): Promise<void>;
  /** @throws CoreError CONFLICT when the session is not `Waiting:Challenge`, VALIDATION_ERROR on `answer`. */
  submitAnswer(link: string, owner: string | null, answer: string, traceId?: string): Promise<void>;
  /** Ends the session as `Finished:Aborted`; a finished one stays as it is. */
  abort(link: string, owner: string | null, traceId?: string): Promise<void>;
  /** Resolves when no bank call is under way in this process. For shut-down, after the last request was answered. */
  drain(): Promise<void>;
}

/** How long a page waits for what a bank says about a challenge. */
const POLL_WAIT_MS = 1_000;

export function createCustomerSessions(deps: {
  storage: Storage;
  runtime: Runtime;
  connectors: Connectors;
  providers: ProviderDirectory;
  /** Told of a bank call that failed for a reason that is not the customer's. */
  onProviderFault: (fault: ProviderFault) => void;
  /** Waits while the storage is away; tests give one that does not. */
  sleep?: Sleep;
  /** For how long a server has a session while it asks the bank, {@link LOGIN_LEASE_MS} by default. */
  leaseMs?: number;
}): CustomerSessions {
  const { storage, runtime, connectors, leaseMs = LOGIN_LEASE_MS } = deps;
  const bankLogin = createBankLogin(deps);
  const views = createCustomerViews({ connectors, providers: deps.providers, clock: runtime.clock });
  const offers = createBankOffers(deps);
  const polls = createChallengePolls({
    ...deps,
    conclude: (found, step) => submit(found, "Waiting:Challenge", (submitted) => bankLogin.conclude(submitted, step)),
  });
  const pause = deps.sleep ?? sleep;
  const underWay = new Set<Promise<void>>();

  return {
    async view(link, owner) {
      return views.viewFor(await look(link), owner);
    },
    async poll(link, owner, traceId) {
      const found = await look(link, traceId);
      const poll = found && owns(found.session, owner) ? await beginPoll(found) : null;
      if (poll === null) return views.viewFor(found, owner);
      track(poll.ended);
      const over = new AbortController();
      await Promise.race([poll.ended, pause(POLL_WAIT_MS, over.signal).catch(() => undefined)]);
      over.abort();
      return views.viewFor(await look(link), owner);
    },
    async claim(link, owner, traceId) {
      const found = await locate(link, traceId);
      if (!found || !isOpen(statusAt(found.session, runtime.clock()))) return null;
      if (found.session.owner_hash !== null) return owner !== null && owns(found.session, owner) ? { owner } : null;
      // A browser that brings its secret along may ask twice: a double click, or an answer that never arrived.
      const secret = owner ?? runtime.newSecret();
      const claimed = await change(found, { owner_hash: hashOfSecret(secret) }, "session.claim");
      return claimed ? { owner: secret } : null;
    },
    async banks(link, owner, query) {
      const { session, tenant_id } = await owned(link, owner);
      return offers.search(session.connector_filter, tenant_id, query);
    },
    async chooseBank(link, owner, connectorId) {
      const found = await owned(link, owner);
      requireChoice(found.session);
      if (!(await offers.has(found.session.connector_filter, found.tenant_id, connectorId)))
        throw invalid(invalidValue("connector_id", "must be one of the banks offered"));
      await changeOrConflict(found, { connector_id: connectorId, error_code: null });
    },
    async changeBank(link, owner) {
      const found = await owned(link, owner);
      requireChoice(found.session);
      await changeOrConflict(found, { connector_id: null, error_code: null });
    },
    async submitCredentials(link, owner, credentials, traceId) {
      const found = await owned(link, owner, traceId);
      const connector = found.session.connector_id === null ? null : await connectors.find(found.session.connector_id);
      if (connector === null) throw conflict();
      const asked = views.credentialFieldsOf(connector, found.tenant_id).map(({ name }) => name);
      const faults = (["username", "password"] as const).flatMap((field) =>
        textFault(field, credentials[field], field === "username" && asked.includes(field)),
      );
      if (faults.length > 0) throw invalidAll(faults);
      await submit(found, "Waiting:ProvideCredentials", (submitted) => bankLogin.login(submitted, credentials));
    },
    submitAnswer: (link, owner, answer, traceId) =>
      despitePolls(async () => {
        const found = await owned(link, owner, traceId);
        const faults = textFault("answer", answer, false);
        if (faults.length > 0) throw invalidAll(faults);
        await submit(found, "Waiting:Challenge", (submitted) => bankLogin.answer(submitted, answer));
      }),
    abort: (link, owner, traceId) =>
      despitePolls(async () => {
        const found = await owned(link, owner, traceId);
        const status = move(found.session, "abort");
        if (status === null) return;
        await changeOrConflict(found, { status, error_code: "AbortedByUser", ...nothingSecret }, "session.abort");
      }),
    async drain() {
      // A poll that ends may have begun a login's last part.
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };

  /** Moves the session to Processing and lets the bank call run after the request has been answered. */
  async function submit(
    found: Located,
    expected: SessionStatus,
    work: (submitted: Located) => Promise<void>,
  ): Promise<void> {
    const status = found.session.status === expected ? move(found.session, "submit") : null;
    if (status === null) throw conflict();
    const working_until = new Date(runtime.clock().getTime() + leaseMs);
    await changeOrConflict(found, { status, error_code: null, remark: null, working_until });
    const session = {
      ...found.session,
      status,
      error_code: null,
      remark: null,
      working_until,
      version: found.session.version + 1,
    };
    const submitted = { ...found, session };
    track(holdWhile({ storage, runtime, leaseMs }, submitted, () => work(submitted)));
  }

  function track(work: Promise<void>): void {
    const tracked = work.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  }

  async function beginPoll(found: Located): Promise<{ readonly ended: Promise<void> } | null> {
    const { session } = found;
    if (statusAt(session, runtime.clock()) !== "Waiting:Challenge") return null;
    const provider = await views.providerOf(session, found.tenant_id);
    return canPoll(provider) ? polls.begin(found, provider) : null;
  }

  async function locate(link: string, traceId?: string): Promise<Located | null> {
    const place = await storage.directory.sessionByLink(hashOfSecret(link));
    if (!place) return null;
    const session = await storage.inTenant(place.tenant_id, ({ sessions }) => sessions.find(place.session_id));
    return session && { tenant_id: place.tenant_id, session, trace_id: traceId ?? null };
  }

  /** {@link locate} with what a page shows beside the session. */
  async function look(link: string, traceId?: string): Promise<(Located & { profile: OwnProfile }) | null> {
    const place = await storage.directory.sessionByLink(hashOfSecret(link));
    if (!place) return null;
    return storage.inTenant(place.tenant_id, async (stores) => {
      const session = await stores.sessions.find(place.session_id);
      const profile = session && (await stores.profile.find());
      return session && profile && { tenant_id: place.tenant_id, session, profile, trace_id: traceId ?? null };
    });
  }

  async function owned(link: string, owner: string | null, traceId?: string): Promise<Located> {
    const found = await locate(link, traceId);
    if (!found || !owns(found.session, owner)) throw new CoreError("NOT_FOUND", "this browser has no such session");
    return found;
  }

  async function change(
    { tenant_id, session, trace_id }: Located,
    changes: Omit<SessionChange, "updated_at">,
    action?: string,
  ): Promise<boolean> {
    return storage.inTenant(tenant_id, async ({ sessions, audit }) => {
      const moved = await sessions.move(session.session_id, session.version, {
        ...changes,
        updated_at: runtime.clock(),
      });
      if (moved && action)
        await audit.append(auditEntry(runtime, customerActor(trace_id), action, "session", session.session_id));
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

  function move(session: SessionRecord, event: SessionEvent): SessionStatus | null {
    return nextSessionStatus(statusAt(session, runtime.clock()), event);
  }

  function requireChoice(session: SessionRecord): void {
    if (session.connector_filter === null || statusAt(session, runtime.clock()) !== "Waiting:ProvideCredentials")
      throw conflict();
  }
}

/** A poll may replace a challenge between the reading of a session and its move: whoever answers or cancels is not turned away for that. */
async function despitePolls(work: () => Promise<void>): Promise<void> {
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
