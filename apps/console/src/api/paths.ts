import type { Role } from "@org/people/roles";
import type { paths } from "./schema.js";

/** What the installation offers for signing in. */
export interface SignInMethods {
  readonly passkeys: boolean;
  /** Why there are none; null when there are. */
  readonly passkeys_reason: string | null;
  readonly identity_provider: { readonly name: string } | null;
  readonly recovery_codes: boolean;
}

/** Who is signed in. */
export interface SignedInPerson {
  readonly person_id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Null for operators. */
  readonly tenant_id: string | null;
}

/** The session of this browser; `person` is null when nobody is signed in. */
export interface SessionAnswer {
  readonly person: SignedInPerson | null;
  readonly tenant_name: string | null;
  readonly csrf_token: string | null;
  readonly ends_at: string | null;
  readonly is_confirmed: boolean;
  readonly methods: SignInMethods;
}

export interface OwnSession {
  readonly session_id: string;
  readonly device: string;
  readonly method: "passkey" | "recovery_code" | "oidc";
  readonly created_at: string;
  readonly seen_at: string;
  readonly expires_at: string;
  readonly is_this: boolean;
}

export interface OwnPasskey {
  readonly id: string;
  readonly name: string;
  readonly is_backed_up: boolean;
  readonly created_at: string;
  readonly used_at: string | null;
}

type Person = AnswerOf<"/operator/v1/people/list">["items"][number];
type Invited = AnswerOf<"/operator/v1/people/invite">;

type Nothing = Readonly<Record<string, never>>;
/** Options and answers of WebAuthn go through as they are: browser and server check them. */
type Ceremony = { readonly options: unknown };

/** What the console has of its own besides REST endpoints. */
export interface ConsolePaths {
  "/session": { body: { tenant_id?: string }; answer: SessionAnswer };
  "/sign-in/begin": { body: Nothing; answer: Ceremony };
  "/sign-in/finish": { body: { answer: unknown }; answer: unknown };
  "/sign-in/recover": { body: { email: string; code: string }; answer: unknown };
  "/join/show": {
    body: { invitation: string };
    /** `email` is null for whoever says it themselves. */
    answer: { email: string | null; name: string; role: Role; tenant_name: string | null };
  };
  "/join/begin": { body: { invitation: string; name?: string; email?: string }; answer: Ceremony };
  "/join/finish": {
    body: { invitation: string; answer: unknown; name?: string };
    answer: { recovery_codes: readonly string[] };
  };
  "/confirm/begin": { body: Nothing; answer: Ceremony };
  "/confirm/finish": { body: { answer: unknown }; answer: unknown };
  "/sign-out": { body: Nothing; answer: { readonly sign_out_url?: string | null } };
  "/sessions/list": { body: Nothing; answer: { items: readonly OwnSession[] } };
  "/sessions/end": { body: { session_id: string }; answer: unknown };
  "/passkeys/list": { body: Nothing; answer: { items: readonly OwnPasskey[]; recovery_codes_left: number } };
  "/passkeys/begin": { body: Nothing; answer: Ceremony };
  "/passkeys/add": { body: { answer: unknown; name?: string }; answer: unknown };
  "/passkeys/remove": { body: { passkey_id: string }; answer: unknown };
  "/people/list": {
    body: { ended?: boolean; page_size?: number; page_token?: string };
    answer: { items: Person[]; next_page_token: string | null };
  };
  "/people/invite": { body: { email: string; name?: string; role: Role }; answer: Invited };
  "/people/reinvite": { body: { person_id: string }; answer: Invited };
  "/people/change": { body: { person_id: string; name?: string; role?: Role }; answer: { person: Person } };
  "/people/end": { body: { person_id: string }; answer: { person: Person } };
  "/recovery-codes/new": { body: Nothing; answer: { recovery_codes: readonly string[] } };
}

/** Every path that the console may call, without `/console/api`. */
export type Path = keyof ConsolePaths | keyof paths;

type Post<P> = P extends keyof paths ? (paths[P] extends { post: infer O } ? O : never) : never;
type Content<T> = T extends { content: { "application/json": infer C } } ? C : Blob;

/** What a path is asked with. */
export type BodyOf<P extends Path> = P extends keyof ConsolePaths
  ? ConsolePaths[P]["body"]
  : Post<P> extends { requestBody?: infer B }
    ? Content<Exclude<B, undefined>>
    : never;

/** What a path answers. */
export type AnswerOf<P extends Path> = P extends keyof ConsolePaths
  ? ConsolePaths[P]["answer"]
  : Post<P> extends { responses: infer R }
    ? { [S in keyof R & (200 | 201 | 202)]: Content<R[S]> }[keyof R & (200 | 201 | 202)]
    : never;
