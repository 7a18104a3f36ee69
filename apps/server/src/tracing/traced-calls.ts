import type { DocumentBucket, MailTransport } from "@org/core";
import type { PostWebhook } from "@org/events";
import type { OpenRemoteFolder } from "@org/feed-sources";
import type { Config, SmtpSettings } from "@org/installation";
import { type HttpClient, HttpFailure, parseUrl } from "@org/provider-kit";
import { type CallOutcome, httpOutcome, inClientSpan, traceHeaders } from "./spans.js";

type Traced = Pick<Config, "tracing">;

/** A provider's HTTP client whose requests are spans: method, host and status, and no path, query, header or body. */
export function tracedHttpClient(client: HttpClient, provider: string, config: Traced): HttpClient {
  return {
    request(request) {
      const url = parseUrl(String(request.url));
      const called = () => {
        const told = traceHeaders(config, url?.host ?? "");
        return client.request({ ...request, headers: { ...request.headers, ...told } });
      };
      const attributes = { ...attributesOf(request.method, url), "wealth_connect.provider": provider };
      return inClientSpan(request.method, attributes, called, { answered: httpOutcome, failed: failureOf });
    },
  };
}

/** Webhook posts as spans. Spans do not name the receiver, because some addresses are secret as a whole. */
export function tracedWebhooks(post: PostWebhook, config: Traced): PostWebhook {
  return (request) => {
    const called = () => {
      const told = traceHeaders(config, parseUrl(request.url)?.host ?? "");
      return post({ ...request, headers: { ...request.headers, ...told } });
    };
    return inClientSpan("webhook POST", { "http.request.method": "POST" }, called, {
      answered: ({ status, error }) => (status === null ? { error } : httpOutcome({ status })),
    });
  };
}

/** A mail transport whose hand-overs are spans, without addresses. */
export function tracedMail({ send }: MailTransport, { host, port }: SmtpSettings): MailTransport {
  return {
    send: (message, beforeLast, signal) =>
      inClientSpan(
        "SMTP send",
        { "server.address": host, "server.port": port },
        () => send(message, beforeLast, signal),
        {
          answered: ({ kind }) => ({ error: kind === "accepted" ? null : kind }),
        },
      ),
  };
}

/** A fetch for calls to identity providers, whose requests are spans. */
export function tracedFetch(fetched: typeof fetch, config: Traced): typeof fetch {
  return (input, init = {}) => {
    const url = parseUrl(String(input));
    const method = init.method ?? "GET";
    const called = () => {
      const headers = new Headers(init.headers);
      for (const [name, value] of Object.entries(traceHeaders(config, url?.host ?? ""))) headers.set(name, value);
      return fetched(input, { ...init, headers });
    };
    return inClientSpan(method, attributesOf(method, url), called, { answered: httpOutcome });
  };
}

/** A bucket whose calls are spans, without names of objects. */
export function tracedBucket(bucket: DocumentBucket): DocumentBucket {
  const call = <T>(operation: string, work: () => Promise<T>) =>
    inClientSpan(`S3 ${operation}`, { "rpc.method": operation }, work);
  return {
    put: (key, ciphertext) => call("PutObject", () => bucket.put(key, ciphertext)),
    get: (key, size) => call("GetObject", () => bucket.get(key, size)),
    remove: (keys) => call("DeleteObject", () => bucket.remove(keys)),
  };
}

/** Custodians' folders whose calls are spans, without names of files and folders. */
export function tracedFolders(open: OpenRemoteFolder): OpenRemoteFolder {
  return async (settings, signal) => {
    const server = { "server.address": settings.host, "server.port": settings.port };
    const call = <T>(operation: string, work: () => Promise<T>) => inClientSpan(`SFTP ${operation}`, server, work);
    const folder = await call("connect", () => open(settings, signal));
    return {
      list: (most) => call("list", () => folder.list(most)),
      look: (name) => call("stat", () => folder.look(name)),
      fetch: (file, begun) => call("get", () => folder.fetch(file, begun)),
      remove: (name) => call("remove", () => folder.remove(name)),
      move: (name, to, newName) => call("rename", () => folder.move(name, to, newName)),
      close: () => folder.close(),
    };
  };
}

function attributesOf(method: string, url: URL | null) {
  return {
    "http.request.method": method,
    ...(url !== null && {
      "server.address": url.hostname,
      "server.port": Number(url.port) || (url.protocol === "https:" ? 443 : 80),
    }),
  };
}

/** An unexpected status arrives as an error. */
function failureOf(error: unknown): CallOutcome | null {
  if (!(error instanceof HttpFailure)) return null;
  return error.status === null
    ? { error: error.code }
    : { ...httpOutcome({ status: error.status }), error: error.code };
}
