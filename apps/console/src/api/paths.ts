import type { OwnPaths } from "@org/console-api";
import type { RestPaths } from "@org/rest-api";

/** Only types come from the server's packages: the browser loads nothing of them. */
type Paths = OwnPaths & RestPaths;

/** Every path that the console may call, without `/console/api`. */
export type Path = keyof Paths;

/** What a path is asked with. */
export type BodyOf<P extends Path> = Paths[P]["body"];

/** What a path answers. */
export type AnswerOf<P extends Path> = Paths[P]["answer"];

/** The session of this browser; `person` is null when nobody is signed in. */
export type SessionAnswer = AnswerOf<"/session">;
/** Who is signed in. */
export type SignedInPerson = NonNullable<SessionAnswer["person"]>;
/** What the installation offers for signing in. */
export type SignInMethods = SessionAnswer["methods"];
/** A passkey of whoever is signed in. */
export type OwnPasskey = AnswerOf<"/passkeys/list">["items"][number];
