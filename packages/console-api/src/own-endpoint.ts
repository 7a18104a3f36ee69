import type { Uuid } from "@org/core";
import type { Exchange } from "@org/http";
import type {
  Browser,
  PeopleOperations,
  PeopleSessions,
  Power,
  ProviderSignIn,
  SignedIn,
  SigningIn,
} from "@org/people";
import { type Input, jsonInput } from "@org/rest-api";
import type { z } from "zod";
import type { BrowserSessions } from "./browser-sessions.js";
import type { ConsoleCookies } from "./cookies.js";

/** A right or a wrong proof of who somebody is. */
export interface SignInOutcome {
  readonly method: "invitation" | "passkey" | "recovery_code" | "confirmation" | "identity_provider";
  readonly outcome: "proved" | "refused";
}

/** What the console's own endpoints work with. */
export interface OwnServices {
  readonly signingIn: SigningIn;
  readonly sessions: PeopleSessions;
  readonly people: PeopleOperations;
  readonly cookies: ConsoleCookies;
  readonly browserSessions: BrowserSessions;
  /** Why there are no passkeys; null when there are. */
  readonly passkeyFault: string | null;
  /** Signs people in with identity providers; null without any. */
  readonly providerSignIn: ProviderSignIn | null;
  /** Whether they do nothing else. */
  readonly hasProviderOnly: boolean;
  readonly publicUrl: string;
  readonly tenantNameOf: (tenantId: Uuid) => Promise<string | null>;
  /**
   * Counts a wrong proof from a network. A right one always counts, whatever others have tried from there.
   * @throws CoreError RATE_LIMITED when there were too many
   */
  readonly countGuess: (from: { readonly address: string | null }) => Promise<void>;
  readonly onProof: (proof: SignInOutcome) => void;
}

/** A request at an endpoint of the console's own. */
export interface OpenCall {
  readonly exchange: Exchange;
  readonly browser: Browser;
}

/** The same by somebody who is signed in. */
export interface OwnCall extends OpenCall {
  readonly signedIn: SignedIn;
}

/** What is known of an endpoint that REST does not have: what belongs to a browser's session. */
interface Facts<Path extends string> {
  /** Without `/console/api`. */
  readonly path: Path;
  readonly summary: string;
}

/** Such an endpoint: for anybody, or for whoever is signed in and has the power. Its own types are kept, from which `OwnPaths` follows. */
export type OwnEndpoint<
  Path extends string = string,
  Body extends z.ZodType = z.ZodType,
  Answer extends object = object,
> = Facts<Path> & {
  readonly input: Input<unknown, Body>;
} & (
    | {
        readonly needs: null;
        run(services: OwnServices, call: OpenCall, body: unknown): Promise<Answer>;
      }
    | {
        readonly needs: Needs;
        run(services: OwnServices, call: OwnCall, body: unknown): Promise<Answer>;
      }
  );

/** What an operation asks of whoever is signed in. */
export interface Needs {
  readonly power: Power;
  /** Whether it asks for a proof of the last minutes. */
  readonly isDangerous: boolean;
}

interface Definition<Call, Path extends string, Body extends z.ZodType, Answer extends object> extends Facts<Path> {
  readonly body: Body;
  readonly handle: (services: OwnServices, call: Call, body: z.output<Body>) => Promise<Answer>;
}

/** An endpoint for anybody. */
export function openEndpoint<const Path extends string, Body extends z.ZodType, Answer extends object>({
  body,
  handle,
  ...facts
}: Definition<OpenCall, Path, Body, Answer>): OwnEndpoint<Path, Body, Answer> {
  return { ...facts, needs: null, input: inputOf(body), run: (own, call, input) => handle(own, call, input as never) };
}

/** An endpoint for whoever is signed in. */
export function ownEndpoint<const Path extends string, Body extends z.ZodType, Answer extends object>({
  body,
  handle,
  power = "see",
  isDangerous = false,
  ...facts
}: Definition<OwnCall, Path, Body, Answer> & Partial<Needs>): OwnEndpoint<Path, Body, Answer> {
  const needs = { power, isDangerous };
  return { ...facts, needs, input: inputOf(body), run: (own, call, input) => handle(own, call, input as never) };
}

const MAX_BYTES = 64 * 1024;
const limit = { bytes: MAX_BYTES, rule: `the body has at most ${MAX_BYTES} bytes` };

function inputOf<Body extends z.ZodType>(body: Body): Input<unknown, Body> {
  return { ...jsonInput(body), limit: () => limit };
}
