import { ExampleError } from "./example-error.js";

/** A request; `to` names the receiver in errors. */
export interface Post {
  readonly to: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, or as a form. */
  readonly body: object | URLSearchParams;
  /** How long the answer may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** Posts and returns the JSON of the answer. @throws ExampleError if there is no answer, or a refusal, with the reason that the receiver gave */
export async function post({ to, url, headers = {}, body, timeoutMs }: Post): Promise<unknown> {
  const isForm = body instanceof URLSearchParams;
  const request = {
    method: "POST",
    headers: { ...(!isForm && { "content-type": "application/json" }), accept: "application/json", ...headers },
    body: isForm ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  };
  try {
    const response = await fetch(url, request);
    const text = await response.text();
    if (!response.ok) throw new ExampleError(`${to} answered ${response.status}: ${reasonIn(text)}`);
    return parsed(to, text);
  } catch (error) {
    if (error instanceof ExampleError) throw error;
    if (error instanceof DOMException && error.name === "TimeoutError")
      throw new ExampleError(`${to} did not answer within ${timeoutMs / 1000} s: ${url}`);
    throw new ExampleError(`${to} cannot be reached at ${url}: ${causeOf(error)}`);
  }
}

function parsed(to: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ExampleError(`${to} answered something that is no JSON: ${text.slice(0, 200)}`);
  }
}

/** OAuth errors have `error_description`, both providers have `error.message`. */
function reasonIn(text: string): string {
  try {
    const { error, error_description } = JSON.parse(text);
    return String(error_description ?? error?.message ?? text);
  } catch {
    return text.slice(0, 200);
  }
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
