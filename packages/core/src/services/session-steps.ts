import { isPrivateWay, type LoginStep, parseUrl } from "@org/provider-kit";
import type { SessionChallenge, SessionRecord } from "../ports/session-store.js";
import type { Vault } from "../ports/vault.js";
import { ProviderAnswerError } from "../schemas/provider-answers.js";
import { stateContext } from "./session-machine.js";
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
  readonly sealed_state: string;
  readonly callback_hash?: string;
}

/** Keeps steps in sessions, with whatever is secret of them sealed: the provider's state, and the address of a redirect. */
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
      if (step.kind === "challenge") return { challenge: step.challenge, sealed_state: await seal(step.state) };
      if (step.kind === "ask") {
        const { fields, message = null } = step;
        return { challenge: { kind: "ask", fields, message }, sealed_state: await seal(step.state) };
      }
      if (callbackState === null) throw new ProviderAnswerError("a redirect came where none is possible");
      return {
        challenge: { kind: "redirect", host: hostOf(step.url) },
        sealed_state: await seal({ state: step.state, url: step.url }),
        callback_hash: hashOfSecret(callbackState),
      };
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
