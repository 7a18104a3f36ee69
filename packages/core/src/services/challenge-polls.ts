import type { BankProvider, LoginStep } from "@org/provider-kit";
import { CoreError } from "../errors.js";
import type { Runtime } from "../ports/runtime.js";
import type { SessionRecord } from "../ports/session-store.js";
import type { Storage } from "../ports/storage.js";
import { GuardError } from "../provider-guard/provider-guard.js";
import type { Connectors } from "./connectors.js";
import { stateContext } from "./session-machine.js";

/** A session with the tenant it belongs to, as its link led to it. */
export interface Located {
  readonly tenant_id: string;
  readonly session: SessionRecord;
  /** Of the request that came with the link; null for a caller that has none. */
  readonly trace_id: string | null;
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

/** Whether a bank may change or end its challenges by itself. */
export function canPoll(provider: BankProvider | null): provider is PollableBank {
  return provider?.look !== undefined;
}

/** A step that ends the wait for an answer. */
export type ConclusiveStep = Exclude<LoginStep, { kind: "challenge" }>;

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
    const state =
      session.sealed_state && JSON.parse(await runtime.vault.open(session.sealed_state, stateContext(session)));
    const signal = AbortSignal.timeout(POLL_TIMEOUT_MS);
    const connector_id = String(session.connector_id);
    const provider_ref = (await deps.connectors.find(connector_id))?.provider_ref ?? null;
    const request = { connector_id, provider_ref, for_tenant: tenant_id, signal };
    const step = await provider.look({ ...request, state });
    if (step.kind === "waiting") return "waiting";
    if (step.kind !== "challenge") {
      await deps.conclude(found, step);
      return "moved";
    }
    const sealed_state = await runtime.vault.seal(JSON.stringify(step.state), stateContext(session));
    const now = runtime.clock();
    if (session.expires_at <= now) return "moved";
    await storage.inTenant(tenant_id, ({ sessions }) =>
      sessions.move(session.session_id, session.version, {
        challenge: step.challenge,
        sealed_state,
        poll_after: new Date(now.getTime() + PAUSE_MS),
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
