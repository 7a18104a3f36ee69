import { isPrivateWay, type LoginStep, parseUrl } from "@org/provider-kit";
import type { SessionChallenge, SessionRecord } from "../ports/session-store.js";
import type { Vault } from "../ports/vault.js";
import { ProviderAnswerError } from "../schemas/provider-answers.js";
import { challengeContext, stateContext } from "./session-machine.js";
import { hashOfSecret } from "./sessions.js";

/** A step at which the customer is asked for something. */
export type AskingStep = Extract<LoginStep, { kind: "challenge" | "redirect" | "ask" }>;

/** Whether a step leaves the next move to the customer. */
export function isAsking(step: LoginStep): step is AskingStep {
  return step.kind === "challenge" || step.kind === "redirect" || step.kind === "ask";
}

/** What a session keeps of a step until its customer has done their part. The hash of a redirect stays until there is another. */
export interface KeptStep {
  readonly challenge: SessionChallenge;
  readonly sealed_challenge: string | null;
  readonly sealed_state: string;
  readonly callback_hash?: string;
}

/** Keeps steps in sessions, with whatever is secret of them sealed: the provider's state, the bank's words, the address of a redirect. */
export function createSessionSteps({ vault }: { readonly vault: Vault }) {
  return {
    /**
     * @param callbackState what the provider was given for a redirect; null where it was given none
     * @throws ProviderAnswerError when a redirect leads to a page that is not protected
     */
    async keep(
      session: Pick<SessionRecord, "session_id">,
      step: AskingStep,
      callbackState: string | null,
    ): Promise<KeptStep> {
      const seal = (content: unknown) => vault.seal(JSON.stringify(content), stateContext(session));
      if (step.kind !== "redirect") {
        const shown = shownOf(step);
        return {
          challenge: withoutWords(shown),
          sealed_challenge: await vault.seal(JSON.stringify(shown), challengeContext(session)),
          sealed_state: await seal(step.state),
        };
      }
      if (callbackState === null) throw new ProviderAnswerError("a redirect came where none is possible");
      return {
        challenge: { kind: "redirect", host: hostOf(step.url) },
        sealed_challenge: null,
        sealed_state: await seal({ state: step.state, url: step.url }),
        callback_hash: hashOfSecret(callbackState),
      };
    },
    /** What the customer is asked for, with its words; null = nothing. */
    async challengeOf(session: SessionRecord): Promise<SessionChallenge | null> {
      const { challenge, sealed_challenge } = session;
      if (challenge === null || sealed_challenge === null) return challenge;
      const shown: SessionChallenge = JSON.parse(await vault.open(sealed_challenge, challengeContext(session)));
      // A server of the version before may have put another one beside it, with its words.
      return shown.kind === challenge.kind && isWithoutWords(challenge) ? shown : challenge;
    },
    /** The provider's state, as it came with the step. */
    async stateOf(session: SessionRecord): Promise<unknown> {
      const content = await open(session);
      return session.challenge?.kind === "redirect" ? (content as Departure).state : content;
    },
    /** Where a redirect leads to. */
    async urlOf(session: SessionRecord): Promise<string> {
      return ((await open(session)) as Departure).url;
    },
  };

  async function open(session: SessionRecord): Promise<unknown> {
    return session.sealed_state && JSON.parse(await vault.open(session.sealed_state, stateContext(session)));
  }
}

function shownOf(step: Exclude<AskingStep, { kind: "redirect" }>): SessionChallenge {
  if (step.kind === "challenge") return step.challenge;
  const { fields, message = null } = step;
  return { kind: "ask", fields, message };
}

/** What a list and a server of the version before may read: of which kind it is. */
function withoutWords({ kind }: SessionChallenge): SessionChallenge {
  if (kind === "redirect") throw new TypeError("of a redirect nothing is left out");
  return kind === "ask" ? { kind, fields: [], message: null } : { kind, message: "" };
}

function isWithoutWords(challenge: SessionChallenge): boolean {
  if (challenge.kind === "redirect") return false;
  return challenge.kind === "ask" ? challenge.fields.length === 0 : challenge.message === "";
}

/** What is sealed of a redirect. */
interface Departure {
  readonly state: unknown;
  readonly url: string;
}

/** Nobody is sent to a page that others on the way can read or change; a bank on this machine is one of a test. */
function hostOf(address: string): string {
  const url = parseUrl(address);
  if (url !== null && isPrivateWay(url)) return url.host;
  throw new ProviderAnswerError("url of a redirect: must be https");
}
