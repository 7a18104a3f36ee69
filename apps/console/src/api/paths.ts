import type { OwnPaths } from "@org/console-api";
import type { RestPaths } from "@org/rest-api";

/** Type imports only: no code of the server's packages reaches the browser. */
type Paths = OwnPaths & RestPaths;

/** Every path that the console may call, without `/console/api`. */
export type Path = keyof Paths;

/** The request body of a path. */
export type BodyOf<P extends Path> = Paths[P]["body"];

/** The response body of a path. */
export type AnswerOf<P extends Path> = Paths[P]["answer"];

/** The session of this browser; `person` is null when nobody is signed in. */
export type SessionAnswer = AnswerOf<"/session">;
/** The person who is signed in. */
export type SignedInPerson = NonNullable<SessionAnswer["person"]>;
/** The installation's sign-in methods. */
export type SignInMethods = SessionAnswer["methods"];
/** A passkey of the person who is signed in. */
export type OwnPasskey = AnswerOf<"/passkeys/list">["items"][number];
