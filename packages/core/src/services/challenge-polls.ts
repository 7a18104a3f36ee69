import type { BankProvider, LoginStep } from "@org/provider-kit";
import { CoreError } from "../errors.js";
import type { Runtime } from "../ports/runtime.js";
import type { SessionRecord } from "../ports/session-store.js";
import type { Storage } from "../ports/storage.js";
import { GuardError } from "../provider-guard/provider-guard.js";
import type { SessionLanguage } from "../schemas/session.js";
import type { Connectors } from "./connectors.js";
import { type AskingStep, createSessionSteps, isAsking } from "./session-steps.js";

/** What is known of a request with which a customer does something. */
export interface CustomerRequest {
  /** The audit trail and reports of faults then have it. */
  readonly trace_id?: string;
  /** That the customer has switched the page to. */
  readonly language?: SessionLanguage | null;
  /** That the browser prefers, for a session that has none of its own. */
  readonly preferred_language?: SessionLanguage;
}

/** A session with the tenant it belongs to, as its link led to it. */
export interface Located {
  readonly tenant_id: string;
  readonly session: SessionRecord;
  /** Of the request that came with the link; null for a caller that has none. */
  readonly trace_id: string | null;
  /** In which the customer is spoken to. */
  readonly language: SessionLanguage;
}

/** A bank call that failed for a reason that is not the customer's. */
export interface ProviderFault {
  readonly session_id: string;
  readonly provider: string;
  readonly error: unknown;
  /** Of the request that the call was made for. */
  readonly trace_id: string | null;
}

/** A provider that can be polled. */
export type PollableBank = BankProvider & Required<Pick<BankProvider, "look">>;

/** Whether a session is at a challenge. At a bank's own page nobody looks over the customer's shoulder: they bring back what it says. */
export function isChallenged({ challenge }: Pick<SessionRecord, "challenge">): boolean {
  return challenge !== null && challenge.kind !== "redirect" && challenge.kind !== "ask";
}

/** Whether a bank may change or end its challenges by itself. */
export function canPoll(provider: BankProvider | null): provider is PollableBank {
  return provider?.look !== undefined;
}

/** A step that ends the wait for an answer. */
export type ConclusiveStep = Exclude<LoginStep, AskingStep>;

const POLL_TIMEOUT_MS = 10_000;
/** Longer than a poll can take: who reserved one and is gone holds up the next for so long. */
const LEASE_MS = 15_000;
/** From the end of one poll to the next; a little less than the time between two polls of a page. */
const PAUSE_MS = 2_500;
const PAUSE_AFTER_FAULT_MS = 15_000;

/**
 * Polls challenges that a bank may change or end by itself. A poll is reserved in the storage, so that on all replicas there is
 * one at a time for each session. What it brings counts only if the session has not moved since it began: an answer, a cancel
 * and the end of its time all come first.
 */
export function createChallengePolls(deps: {
  storage: Storage;
  runtime: Runtime;
  connectors: Pick<Connectors, "find">;
  onProviderFault: (fault: ProviderFault) => void;
  /** Takes the session on with the step, as if it had come for an answer. @throws CoreError CONFLICT when it has moved on meanwhile */
  conclude: (found: Located, step: ConclusiveStep) => Promise<void>;
}) {
  const { storage, runtime } = deps;
  const steps = createSessionSteps(runtime);

  return {
    /** Begins a poll of a session that waits for an answer, if it is time and nobody else polls; `ended` never rejects. */
    async begin(found: Located, provider: PollableBank): Promise<{ readonly ended: Promise<void> } | null> {
      const { session } = found;
      const now = runtime.clock();
      if (session.poll_after !== null && session.poll_after > now) return null;
      const until = new Date(now.getTime() + LEASE_MS);
      if (!(await reserve(found, until))) return null;
      return { ended: poll({ ...found, session: { ...session, poll_after: until } }, provider) };
    },
  };

  async function poll(found: Located, provider: PollableBank): Promise<void> {
    const { session, trace_id } = found;
    try {
      if ((await take(found, provider)) === "waiting") await postpone(found, PAUSE_MS);
    } catch (error) {
      if (error instanceof CoreError && error.code === "CONFLICT") return;
      // A bank that was not asked has not failed.
      if (!(error instanceof GuardError) || error.code === "timed_out")
        deps.onProviderFault({ session_id: session.session_id, provider: provider.name, error, trace_id });
      // If that fails too, the reservation runs out by itself.
      await postpone(found, PAUSE_AFTER_FAULT_MS).catch(() => undefined);
    }
  }

  async function take(found: Located, provider: PollableBank): Promise<"waiting" | "moved"> {
    const { tenant_id, session } = found;
    const state = await steps.stateOf(session);
    const signal = AbortSignal.timeout(POLL_TIMEOUT_MS);
    const connector_id = String(session.connector_id);
    const provider_ref = (await deps.connectors.find(connector_id))?.provider_ref ?? null;
    const request = { connector_id, provider_ref, for_tenant: tenant_id, signal };
    const step = await provider.look({ ...request, state });
    if (step.kind === "waiting") return "waiting";
    if (!isAsking(step)) {
      await deps.conclude(found, step);
      return "moved";
    }
    const kept = await steps.keep(session, step, null);
    const now = runtime.clock();
    if (session.expires_at <= now) return "moved";
    await storage.inTenant(tenant_id, ({ sessions }) =>
      sessions.move(session.session_id, session.version, {
        ...kept,
        poll_after: step.kind === "challenge" ? new Date(now.getTime() + PAUSE_MS) : null,
        updated_at: now,
      }),
    );
    return "moved";
  }

  async function postpone(found: Located, milliseconds: number): Promise<void> {
    await reserve(found, new Date(runtime.clock().getTime() + milliseconds));
  }

  function reserve({ tenant_id, session }: Located, until: Date): Promise<boolean> {
    return storage.inTenant(tenant_id, ({ sessions }) => sessions.reservePoll(session, until));
  }
}
