import type { NameReader, Uuid } from "@org/core";
import type { Exchange } from "@org/http";
import type {
  Browser,
  PeopleOperations,
  PeopleSessions,
  Power,
  ProviderSignIn,
  SavedViews,
  SignedIn,
  SigningIn,
} from "@org/people";
import { type Input, jsonInput, type RestServices } from "@org/rest-api";
import type { z } from "zod";
import type { BrowserSessions } from "./browser-sessions.js";
import type { ConsoleCookies } from "./cookies.js";
import type { FindSources } from "./finding.js";

/** Outcome of a proof of identity. */
export interface SignInOutcome {
  readonly method: "invitation" | "passkey" | "recovery_code" | "confirmation" | "identity_provider";
  readonly outcome: "proved" | "refused";
}

/** What the console's own endpoints depend on. */
export interface OwnServices {
  readonly signingIn: SigningIn;
  readonly sessions: PeopleSessions;
  readonly people: PeopleOperations;
  readonly views: SavedViews;
  /** The services of REST. */
  readonly services: RestServices;
  readonly cookies: ConsoleCookies;
  readonly browserSessions: BrowserSessions;
  /** Why passkeys are unavailable; null when they are available. */
  readonly passkeyFault: string | null;
  /** Signs people in with identity providers; null when there are none. */
  readonly providerSignIn: ProviderSignIn | null;
  /** Whether identity providers are the only way to sign in. */
  readonly hasProviderOnly: boolean;
  readonly publicUrl: string;
  readonly tenantNameOf: (tenantId: Uuid) => Promise<string | null>;
  readonly names: NameReader;
  /** The title of a loaded provider; null of one that is not loaded. */
  readonly providerTitleOf: (name: string) => string | null;
  /**
   * Counts a failed proof of identity from a network. `of` is the person or link that it was tried for; null when it names
   * nobody. A correct proof is always accepted, however many others failed from there.
   * @throws CoreError RATE_LIMITED when there were too many
   */
  readonly countGuess: (from: { readonly address: string | null; readonly of: string | null }) => Promise<void>;
  readonly onProof: (proof: SignInOutcome) => void;
  readonly finding: FindSources;
  /** Counts a person's search. @throws CoreError RATE_LIMITED */
  readonly countSearch: (personId: string) => void;
}

/** A request to one of the console's own endpoints. */
export interface OpenCall {
  readonly exchange: Exchange;
  readonly browser: Browser;
}

/** Same, by a person who is signed in. */
export interface OwnCall extends OpenCall {
  readonly signedIn: SignedIn;
}

/** Facts of an endpoint that REST does not have, because it concerns the browser's session. */
interface Facts<Path extends string> {
  /** Relative to `/console/api`. */
  readonly path: Path;
  readonly summary: string;
}

/** Such an endpoint, for anyone or for signed-in people who have the power. It keeps its own types, from which `OwnPaths` is derived. */
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

/** What an operation requires of the signed-in person. */
export interface Needs {
  readonly power: Power;
  /** Whether it requires a recent proof of identity. */
  readonly isDangerous: boolean;
}

interface Definition<Call, Path extends string, Body extends z.ZodType, Answer extends object> extends Facts<Path> {
  readonly body: Body;
  readonly handle: (services: OwnServices, call: Call, body: z.output<Body>) => Promise<Answer>;
}

/** Defines an endpoint that needs no session. */
export function openEndpoint<const Path extends string, Body extends z.ZodType, Answer extends object>({
  body,
  handle,
  ...facts
}: Definition<OpenCall, Path, Body, Answer>): OwnEndpoint<Path, Body, Answer> {
  return { ...facts, needs: null, input: inputOf(body), run: (own, call, input) => handle(own, call, input as never) };
}

/** Defines an endpoint for signed-in people. */
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
