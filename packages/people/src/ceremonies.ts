import { parseUuid, type Runtime, type Uuid } from "@org/core";
import { PeopleError } from "./people-error.js";
import type { CeremonyStore } from "./ports/people-store.js";

/** What a question to a browser or an identity provider is for. */
export type CeremonyKind = "join" | "sign_in" | "add_passkey" | "confirm" | "oidc";

/** A ceremony whose answer has arrived. */
export interface OpenCeremony {
  readonly kind: CeremonyKind;
  /** What the answer is checked against. */
  readonly expectations: Readonly<Record<string, string>>;
  /**
   * Call it when the answer is correct, before it takes effect.
   * @param network that of a caller whose identity is only proven afterwards
   * @throws PeopleError `refused` when it has been called before
   */
  spend(network?: string): Promise<void>;
}

/** Format of a ceremony's cookie. */
export const CEREMONY_COOKIE = /^[0-9a-f-]{36}\.[A-Za-z0-9_.~-]{1,3000}$/;

/**
 * Ceremonies travel sealed in a cookie of the browser that began them. Nothing is stored until a correct answer arrives; then
 * its id is, so that the same answer counts only once across all servers.
 */
export function createCeremonies(deps: {
  readonly store: CeremonyStore;
  readonly runtime: Runtime;
  readonly lifeMs: number;
}) {
  const { store, runtime, lifeMs } = deps;
  const contextOf = (kind: CeremonyKind, id: Uuid) => ({ purpose: "person-ceremony", row: `${kind} ${id}` });
  return {
    /** Returns the value of the cookie. */
    async begin(kind: CeremonyKind, expectations: Readonly<Record<string, string>>): Promise<string> {
      const id = runtime.newId();
      const expires_at = new Date(runtime.clock().getTime() + lifeMs).toISOString();
      return `${id}.${await runtime.vault.seal(JSON.stringify({ expectations, expires_at }), contextOf(kind, id))}`;
    },
    /** @throws PeopleError `refused` when it is not of this kind, or too old */
    async open(kind: CeremonyKind, cookie: string | undefined): Promise<OpenCeremony> {
      const id = parseUuid((cookie ?? "").slice(0, 36));
      const text =
        id && (await runtime.vault.open((cookie as string).slice(37), contextOf(kind, id)).catch(() => null));
      if (id === null || text === null) throw new PeopleError("refused", `no ${kind} was begun in this browser`);
      const { expectations, expires_at } = JSON.parse(text) as {
        expectations: Readonly<Record<string, string>>;
        expires_at: string;
      };
      const expiresAt = new Date(expires_at);
      if (expiresAt <= runtime.clock()) throw new PeopleError("refused", `the ${kind} took too long`);
      return {
        kind,
        expectations,
        async spend(network) {
          if (!(await store.spend(id, expiresAt, network))) throw new PeopleError("refused", `the answer came twice`);
        },
      };
    },
  };
}

export type Ceremonies = ReturnType<typeof createCeremonies>;
