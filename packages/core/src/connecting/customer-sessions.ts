import type { AuditedAction } from "../audit-actions.js";
import { auditEntry } from "../audit-entry.js";
import { CoreError, conflict, invalid, invalidValue } from "../errors.js";
import { customerActor } from "../ports/actor.js";
import { sleep } from "../retry.js";
import type { Uuid } from "../schemas/identifier.js";
import type { SessionStatus } from "../schemas/session.js";
import type { OwnProfile } from "../tenants/tenant-profile-store.js";
import { createBankLogin } from "./bank-login.js";
import { type BankSearch, type BanksFound, createBankOffers } from "./bank-offers.js";
import { type Callback, type CallbackOutcome, createCallbacks } from "./callbacks.js";
import { type CustomerView, createCustomerViews, owns } from "./customer-view.js";
import {
  clearedSecrets,
  eventsOfMove,
  isOpen,
  LOGIN_LEASE_MS,
  nextSessionStatus,
  noChallenge,
  renewLeaseDuring,
  type SessionEvent,
  statusAt,
} from "./session-moves.js";
import {
  type CustomerRequest,
  canPoll,
  createChallengePolls,
  createSessionSteps,
  isChallenged,
  type Located,
  type TypedFields,
  textRule,
  typedValues,
} from "./session-steps.js";
import type { SessionChallenge, SessionChange, SessionRecord } from "./session-store.js";
import { hashOfSecret } from "./sessions.js";

/**
 * The bank customer's side of a Connect session. `link` is the secret of the `widget_url`, `owner` the secret in the browser's
 * cookie (null if it has none).
 * Bank calls continue after the method has returned: the status is `Processing:*` until they end.
 */
export interface CustomerSessions {
  /** Only reads; never claims or changes anything. An expired session shows as `Finished:Expired`. */
  view(link: string, owner: string | null, request?: CustomerRequest): Promise<CustomerView>;
  /**
   * Returns the view for a page that is open. While there is a challenge that the bank may change or end on its own, the bank is
   * polled: every few seconds at most, and one poll at a time per session. A result that arrives within a second is in this view, a
   * later one in a later view.
   */
  poll(link: string, owner: string | null, request?: CustomerRequest): Promise<CustomerView>;
  /**
   * Makes the calling browser the owner, under its own secret (256 bits, base64url) if it sends one. Returns the secret, or null if
   * this browser cannot claim the session.
   */
  claim(link: string, owner: string | null, request?: CustomerRequest): Promise<{ owner: string } | null>;
  /** Begins the login if the bank asks for no credentials; otherwise does nothing. */
  autoStart(link: string, owner: string | null, request?: CustomerRequest): Promise<void>;
  /**
   * Searches the available banks that the session's filter allows, 50 at a time; includes banks that are connected by letter, which
   * cannot be chosen.
   */
  banks(link: string, owner: string | null, query: BankSearch, request?: CustomerRequest): Promise<BanksFound>;
  /**
   * Chooses a bank. If it asks for no credentials, the login begins.
   * @throws CoreError CONFLICT when the session is at another step, VALIDATION_ERROR on `connector_id` when the filter hides it, it
   * is connected by letter or does not exist, NOT_FOUND when the browser is not the owner.
   */
  chooseBank(link: string, owner: string | null, connectorId: string, request?: CustomerRequest): Promise<void>;
  /** Returns to the choice of bank, if there was a choice, also from the bank's own page or a question. */
  changeBank(link: string, owner: string | null, request?: CustomerRequest): Promise<void>;
  /** @throws CoreError CONFLICT when the session is not `Waiting:ProvideCredentials`, VALIDATION_ERROR on the names of the fields. */
  submitCredentials(
    link: string,
    owner: string | null,
    credentials: TypedFields,
    request?: CustomerRequest,
  ): Promise<void>;
  /**
   * @param answer text for a challenge, fields for an `ask`
   * @throws CoreError CONFLICT when the session does not wait for this, VALIDATION_ERROR on `answer` or the names of the fields.
   */
  submitAnswer(
    link: string,
    owner: string | null,
    answer: string | TypedFields,
    request?: CustomerRequest,
  ): Promise<void>;
  /**
   * Returns the URL of the bank's own page, when the customer goes there. A customer who declined there gets a new step from the
   * bank, with a new state.
   * @throws CoreError CONFLICT when the session is at another step, or the new step is not ready yet
   */
  leave(link: string, owner: string | null, request?: CustomerRequest): Promise<string>;
  /** Handles a customer who returns from the bank's own page. */
  resumeCallback(callback: Callback, request?: CustomerRequest): Promise<CallbackOutcome>;
  /**
   * Restarts the login from a redirect or an ask, at most {@link MAX_RESTARTS} times. @throws CoreError CONFLICT when the session
   * is at another step
   */
  restart(link: string, owner: string | null, request?: CustomerRequest): Promise<void>;
  /** Ends the session as `Finished:Aborted`; does nothing if it has finished. */
  abort(link: string, owner: string | null, request?: CustomerRequest): Promise<void>;
  /**
   * Polls banks about challenges that no open page polls, at most `limit` concurrently, so that an approval in a bank's app
   * completes the connection even if the page was closed.
   */
  followChallenges(limit: number): Promise<void>;
  /** Resolves when no bank call is running in this process. For shutdown, after the last request was answered. */
  drain(): Promise<void>;
}

/** How long a page waits for the bank's response about a challenge. */
const POLL_WAIT_MS = 1_000;
/** An open page polls more often than this. */
const UNPOLLED_MS = 5_000;
/** Limits the logins of one session, because a bank may send a text message for each. */
const MAX_RESTARTS = 10;

export function createCustomerSessions(
  deps: Omit<Parameters<typeof createBankLogin>[0], "callbackUrl"> & {
    /** `PUBLIC_URL`, under which banks send customers back. */
    publicUrl: string;
    /** How long a server holds a session while it talks to the bank; {@link LOGIN_LEASE_MS} by default. */
    leaseMs?: number;
  },
): CustomerSessions {
  const { storage, runtime, leaseMs = LOGIN_LEASE_MS } = deps;
  const bankLogin = createBankLogin({ ...deps, callbackUrl: `${deps.publicUrl}/connect/callback` });
  const views = createCustomerViews(deps);
  const offers = createBankOffers(deps);
  const polls = createChallengePolls({
    ...deps,
    async conclude(found, step) {
      try {
        await submit(found, "Waiting:Challenge", (submitted) => bankLogin.conclude(submitted, step));
      } catch (error) {
        if (error instanceof CoreError && error.code === "CONFLICT") await bankLogin.discard(found, step);
        throw error;
      }
    },
  });
  const steps = createSessionSteps(runtime);
  const resumeCallback = createCallbacks({
    ...deps,
    views,
    look: lookAt,
    leaseMs,
    resume: (submitted, params) => {
      void begin(submitted, () => bankLogin.resume(submitted, params));
    },
  });
  const pause = deps.sleep ?? sleep;
  const underWay = new Set<Promise<void>>();

  return {
    async view(link, owner, request) {
      return views.viewFor(await look(link, request), owner);
    },
    async poll(link, owner, request) {
      const found = await look(link, request);
      const poll = found && owns(found.session, owner) ? await beginPoll(found) : null;
      if (poll === null) return views.viewFor(found, owner);
      void track(poll.ended);
      await waitFor(poll.ended);
      return views.viewFor(await look(link, request), owner);
    },
    async claim(link, owner, request) {
      const found = await locate(link, request);
      if (!found || !isOpen(statusAt(found.session, runtime.clock()))) return null;
      if (found.session.owner_hash !== null) return owner !== null && owns(found.session, owner) ? { owner } : null;
      // A browser that sends its secret may ask twice: after a double click, or when the first answer was lost.
      const secret = owner ?? runtime.newSecret();
      const opening = { owner_hash: hashOfSecret(secret), opened_at: runtime.clock() };
      const claimed = await change(found, opening, "session.claim");
      return claimed ? { owner: secret } : null;
    },
    autoStart,
    async banks(link, owner, query, request) {
      const { session, tenant_id } = await owned(link, owner, request);
      return offers.search(session.connector_filter, tenant_id, query);
    },
    async chooseBank(link, owner, connectorId, request) {
      const found = await owned(link, owner, request);
      requireChoice(found.session);
      if (!(await offers.has(found.session.connector_filter, found.tenant_id, connectorId)))
        throw invalid(invalidValue("connector_id", "must be one of the banks offered"));
      await changeOrConflict(found, { connector_id: connectorId, error_code: null });
      await autoStart(link, owner, request);
    },
    async changeBank(link, owner, request) {
      const found = await owned(link, owner, request);
      const afresh = begunAgain(found.session);
      if (afresh === null || found.session.connector_filter === null) requireChoice(found.session);
      await changeOrConflict(found, { ...afresh, connector_id: null, error_code: null });
    },
    async submitCredentials(link, owner, credentials, request) {
      const found = await owned(link, owner, request);
      const connector = await views.bankOf(found.session);
      if (connector === null) throw wrongStep();
      const fields = typedValues(views.credentialFieldsOf(connector, found.tenant_id), credentials);
      await submit(found, "Waiting:ProvideCredentials", (submitted) => bankLogin.login(submitted, fields));
    },
    submitAnswer: (link, owner, answer, request) =>
      retryAfterPolls(async () => {
        const found = await owned(link, owner, request);
        const given = answerTo(await steps.challengeOf(found.session), answer);
        await submit(found, "Waiting:Challenge", (submitted) => bankLogin.answer(submitted, given));
      }),
    async leave(link, owner, request) {
      const found = await owned(link, owner, request);
      if (waitingFor(found.session) !== "redirect") throw wrongStep();
      if (found.session.error_code !== null) await renewStep(found);
      const { session } = await owned(link, owner, request);
      if (waitingFor(session) !== "redirect") throw wrongStep();
      return steps.urlOf(session);
    },
    resumeCallback: (callback, request = {}) => resumeCallback(callback, request),
    async restart(link, owner, request) {
      const found = await owned(link, owner, request);
      const afresh = begunAgain(found.session);
      if (afresh === null) throw wrongStep();
      await changeOrConflict(found, afresh);
      await autoStart(link, owner, request);
    },
    abort: (link, owner, request) =>
      retryAfterPolls(async () => {
        const found = await owned(link, owner, request);
        const status = move(found.session, "abort");
        if (status === null) return;
        await changeOrConflict(found, { status, error_code: "AbortedByUser", ...clearedSecrets }, "session.abort");
      }),
    async followChallenges(limit) {
      const now = runtime.clock();
      const before = new Date(now.getTime() - UNPOLLED_MS);
      for (const { tenant_id, session_id } of await storage.upkeep.unpolledChallenges(before, now, limit)) {
        const session = await storage.inTenant(tenant_id, ({ sessions }) => sessions.find(session_id));
        const poll = session && (await beginPoll(located(tenant_id, session)));
        if (poll) void track(poll.ended);
        // If its bank cannot be polled, postpone it to its expiry, so that it does not take the place of others.
        else if (session)
          await storage.inTenant(tenant_id, ({ sessions }) => sessions.reservePoll(session, session.expires_at));
      }
    },
    async drain() {
      // The end of a poll may have started the last part of a login.
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };

  /**
   * Gets a new step after the customer declined, because state and challenge of a redirect are for one use (RFC 9700 §4.7). If the
   * bank needs credentials the login restarts, since typed fields are not stored.
   */
  async function renewStep(found: Located): Promise<void> {
    const connector = await views.bankOf(found.session);
    const status = move(found.session, "restart");
    if (status !== null && connector !== null && views.credentialFieldsOf(connector, found.tenant_id).length > 0)
      return changeOrConflict(found, { status, error_code: null, remark: null, ...noChallenge });
    const { ended } = await submit(found, "Waiting:Challenge", (submitted) => bankLogin.login(submitted, {}));
    await waitFor(ended);
  }

  /** Waits a short time for work that continues in the background. */
  async function waitFor(work: Promise<void>): Promise<void> {
    const over = new AbortController();
    await Promise.race([work, pause(POLL_WAIT_MS, over.signal).catch(() => undefined)]);
    over.abort();
  }

  /** Moves the session to Processing. The bank call continues after the request has been answered. */
  async function submit(
    found: Located,
    expected: SessionStatus,
    work: (submitted: Located) => Promise<void>,
  ): Promise<{ readonly ended: Promise<void> }> {
    const status = found.session.status === expected ? move(found.session, "submit") : null;
    if (status === null) throw wrongStep();
    const working_until = new Date(runtime.clock().getTime() + leaseMs);
    const change = { status, error_code: null, remark: null, working_until };
    await changeOrConflict(found, change);
    const session = { ...found.session, ...change, version: found.session.version + 1 };
    const submitted = { ...found, session };
    return { ended: begin(submitted, () => work(submitted)) };
  }

  /** Starts work on a session that this server has just moved to `Processing:*`. It continues after the request has been answered. */
  function begin(submitted: Located, work: () => Promise<void>): Promise<void> {
    return track(renewLeaseDuring({ storage, runtime, leaseMs }, submitted, work));
  }

  /** If the bank asks for no credentials, requests its first step immediately. */
  async function autoStart(link: string, owner: string | null, request?: CustomerRequest): Promise<void> {
    const found = await owned(link, owner, request);
    const connector = await views.bankOf(found.session);
    if (connector === null || views.credentialFieldsOf(connector, found.tenant_id).length > 0) return;
    try {
      await submit(found, "Waiting:ProvideCredentials", (submitted) => bankLogin.login(submitted, {}));
    } catch (error) {
      // A second tab was faster, or the session has expired.
      if (!(error instanceof CoreError) || error.code !== "CONFLICT") throw error;
    }
  }

  function track(work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
    return tracked;
  }

  async function beginPoll(found: Located): Promise<{ readonly ended: Promise<void> } | null> {
    const { session } = found;
    if (!isChallenged(session) || statusAt(session, runtime.clock()) !== "Waiting:Challenge") return null;
    const provider = await views.providerOf(session, found.tenant_id);
    return canPoll(provider) ? polls.begin(found, provider) : null;
  }

  async function locate(link: string, request?: CustomerRequest): Promise<Located | null> {
    const place = await storage.directory.sessionByLink(hashOfSecret(link), request?.network);
    if (!place) return null;
    const session = await storage.inTenant(place.tenant_id, ({ sessions }) => sessions.find(place.session_id));
    return session && located(place.tenant_id, session, request);
  }

  /** Like {@link locate}, with the tenant's profile that a page shows. */
  async function look(link: string, request?: CustomerRequest): Promise<(Located & { profile: OwnProfile }) | null> {
    const place = await storage.directory.sessionByLink(hashOfSecret(link), request?.network);
    return place && lookAt(place, request);
  }

  async function lookAt(place: { tenant_id: string; session_id: Uuid }, request?: CustomerRequest) {
    return storage.inTenant(place.tenant_id, async (stores) => {
      const session = await stores.sessions.find(place.session_id);
      const profile = session && (await stores.profile.find());
      return session && profile && { ...located(place.tenant_id, session, request), profile };
    });
  }

  async function owned(link: string, owner: string | null, request?: CustomerRequest): Promise<Located> {
    const found = await locate(link, request);
    if (!found || !owns(found.session, owner)) throw new CoreError("NOT_FOUND", "this browser has no such session");
    return found;
  }

  async function change(
    { tenant_id, session, trace_id }: Located,
    changes: Omit<SessionChange, "updated_at">,
    action?: AuditedAction,
  ): Promise<boolean> {
    return storage.inTenant(tenant_id, async ({ sessions, audit, events }) => {
      const moved = await sessions.move(session.session_id, session.version, {
        ...changes,
        updated_at: runtime.clock(),
      });
      if (moved && action)
        await audit.append(auditEntry(runtime, customerActor(trace_id), action, "session", session.session_id));
      const told = moved ? eventsOfMove(session, changes) : [];
      if (told.length > 0) await events.append(told);
      return moved;
    });
  }

  async function changeOrConflict(
    found: Located,
    changes: Omit<SessionChange, "updated_at">,
    action?: AuditedAction,
  ): Promise<void> {
    if (!(await change(found, changes, action))) throw wrongStep();
  }

  function move(session: SessionRecord, event: SessionEvent): SessionStatus | null {
    return nextSessionStatus(statusAt(session, runtime.clock()), event);
  }

  /** Returns what the customer is asked for; null if it is not their turn or no login is in progress. */
  function waitingFor(session: SessionRecord): SessionChallenge["kind"] | null {
    return statusAt(session, runtime.clock()) === "Waiting:Challenge" ? (session.challenge?.kind ?? null) : null;
  }

  /** The login before its first step, from the bank's own page or a question; null anywhere else, or if that was too often. */
  function begunAgain(session: SessionRecord) {
    const asked = waitingFor(session);
    const status = asked === "redirect" || asked === "ask" ? move(session, "restart") : null;
    if (status === null || session.restarts >= MAX_RESTARTS) return null;
    return { status, error_code: null, remark: null, ...noChallenge, restarts: session.restarts + 1 };
  }

  function requireChoice(session: SessionRecord): void {
    if (session.connector_filter === null || statusAt(session, runtime.clock()) !== "Waiting:ProvideCredentials")
      throw wrongStep();
  }
}

/**
 * Tries once more after a CONFLICT: a poll may replace the challenge between reading a session and moving it, and must not make the
 * customer's answer or cancellation fail.
 */
async function retryAfterPolls(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof CoreError) || error.code !== "CONFLICT") throw error;
    await work();
  }
}

function wrongStep(): CoreError {
  return conflict("wrong_session_step", "the session is not at this step");
}

function located(tenant_id: string, session: SessionRecord, request: CustomerRequest = {}): Located {
  const language = request.language ?? session.language ?? request.preferred_language ?? "en";
  return { tenant_id, session, trace_id: request.trace_id ?? null, language };
}

/** Validates an answer and returns it in the form that the bank gets. */
function answerTo(challenge: SessionChallenge | null, answer: string | TypedFields): string | TypedFields {
  if (challenge?.kind === "ask" && typeof answer !== "string") return typedValues(challenge.fields, answer);
  if (!isChallenged({ challenge }) || typeof answer !== "string") throw wrongStep();
  const rule = textRule(answer);
  if (rule !== null) throw invalid(invalidValue("answer", rule));
  return answer;
}
