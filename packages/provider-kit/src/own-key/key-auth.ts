/** A request before it is sent. `auth` may change any part of it, since signatures cover the path, the query or the body. */
export interface OutgoingRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of a POST, if it is a form. */
  readonly form?: Readonly<Record<string, string>>;
  /** The body of a POST, if it is JSON. */
  readonly json?: unknown;
}

/** A customer's key: what they typed, by field name. */
export type OwnKey<Field extends string = string> = Readonly<Record<Field, string>>;

/** Adds a customer's key to a request that is about to leave. `now` is the time that all replicas share. */
export type KeyAuth<Field extends string = string> = (
  request: OutgoingRequest,
  key: OwnKey<Field>,
  now: Date,
) => OutgoingRequest;

/** The key in headers of the institution's own: `{"X-API-KEY": "key_id"}`, header name to field name. */
export function headerAuth<Field extends string>(fields: Readonly<Record<string, Field>>): KeyAuth<Field> {
  return (request, key) => {
    const added = Object.fromEntries(Object.entries(fields).map(([header, field]) => [header, key[field]]));
    return { ...request, headers: { ...request.headers, ...added } };
  };
}

/** HTTP Basic authentication (RFC 7617) with two fields, in UTF-8. */
export function basicAuth<Field extends string>(user: Field, password: Field): KeyAuth<Field> {
  return (request, key) => {
    const authorization = `Basic ${Buffer.from(`${key[user]}:${key[password]}`).toString("base64")}`;
    return { ...request, headers: { ...request.headers, authorization } };
  };
}
