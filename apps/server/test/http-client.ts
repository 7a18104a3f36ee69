/** An answer of the server. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

/** Sends a POST; a body that is neither text nor bytes goes as JSON. */
export async function post(
  url: string,
  body: unknown,
  { token, headers = {} }: { token?: string | undefined; headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer> {
  const raw = typeof body === "string" || body instanceof Uint8Array || body instanceof URLSearchParams;
  return send(url, {
    method: "POST",
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(!(body instanceof URLSearchParams) && { "content-type": "application/json" }),
      ...headers,
    },
    body: raw ? (body as string) : JSON.stringify(body),
  });
}

/** Sends any request. */
export async function send(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: jsonOrUndefined(text) };
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
