/** Who sent a request, as its access token says. */
export interface Principal {
  readonly application_id: string;
  readonly client_id: string;
  /** Null for an operator, who has no business here. */
  readonly tenant_id: string | null;
  readonly scopes: ReadonlySet<string>;
  readonly grant_id: string;
}

/** What checking the `Authorization` header came to. */
export type Authentication =
  | { readonly principal: Principal }
  | {
      /** One sentence for a person, without anything of the token. */
      readonly refusal: string;
      readonly status: number;
      /** The whole `WWW-Authenticate` header. */
      readonly wwwAuthenticate: string;
    };

/** Checks the `Authorization` header of a request; `@org/oauth-server`'s verifier is one, once adapted. */
export type Authenticate = (authorization: string | undefined) => Authentication | Promise<Authentication>;

/** Writes the `WWW-Authenticate` header for a token without the scopes needed, which are separated by spaces. */
export type ScopeChallenge = (need: { scope: string }) => string;
