import type { ProviderServices } from "../definition.js";
import type { FetchedData, FetchRequest } from "../port.js";
import type { KeyAuth, OwnKey } from "./key-auth.js";

/** How a customer's requests are sent. */
export interface Sender {
  readonly auth: KeyAuth;
  readonly key: OwnKey;
  readonly http: ProviderServices["http"];
  /** What names the customer for the limits. */
  readonly of: readonly string[];
}

/** What both ways of logging in read with. */
export interface OwnReading {
  /** @throws ReadInterrupted, AnswerFailure, HttpFailure */
  who(sender: Sender, request: Pick<FetchRequest, "provider_ref" | "signal">): Promise<string>;
  fetch(sender: Sender, user_key: string, request: FetchRequest): Promise<Pick<FetchedData, "snapshot" | "more">>;
}
