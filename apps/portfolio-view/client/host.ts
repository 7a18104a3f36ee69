/** What a host says about itself; updates are partial. */
export interface HostContext {
  readonly theme?: unknown;
  readonly locale?: unknown;
  readonly timeZone?: unknown;
  readonly styles?: unknown;
}

/** Notifications of the host. */
export interface HostListener {
  onArguments(args: Readonly<Record<string, unknown>>): void;
  onResult(result: unknown): void;
  onCancelled(): void;
  onContext(context: HostContext): void;
}

/** The window around the view, by the MCP Apps extension (SEP-1865): JSON-RPC over `postMessage`. */
export interface Host {
  /** Whether the host forwards tool calls to the server. */
  readonly callsTools: boolean;
  readonly context: HostContext;
  /** Calls a tool. @throws Error when the host refuses, or does not answer within a minute */
  callTool(name: string, args: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Reports the height of the view in CSS pixels. */
  resized(height: number): void;
}

type Message = Readonly<Record<string, unknown>>;

const PROTOCOL_VERSION = "2026-01-26";
const TIMEOUT_MS = 60_000;
const METHOD_NOT_FOUND = -32601;

/**
 * Introduces the view to its host. Only messages of the parent window count. The view cannot know whose page that is and need not: everything it
 * shows came from that page.
 */
export async function connectHost(listener: HostListener): Promise<Host> {
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let lastId = 0;

  addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
    if (source !== parent || !isObject(data) || data.jsonrpc !== "2.0") return;
    if (typeof data.method !== "string") settle(data);
    else if (data.id === undefined) notified(data.method, isObject(data.params) ? data.params : {});
    else answer(data.id, data.method);
  });

  const introduction = isObjectOr(
    await request(
      "ui/initialize",
      {
        protocolVersion: PROTOCOL_VERSION,
        appInfo: { name: "wealth-connect", title: "Wealth Connect", version: "1" },
        appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
      },
      null,
    ),
  );
  send({ method: "ui/notifications/initialized", params: {} });
  return {
    callsTools: isObject(isObjectOr(introduction.hostCapabilities).serverTools),
    context: isObjectOr(introduction.hostContext),
    callTool: (name, args) => request("tools/call", { name, arguments: args }, TIMEOUT_MS),
    resized: (height) => send({ method: "ui/notifications/size-changed", params: { height } }),
  };

  function request(method: string, params: object, timeout: number | null): Promise<unknown> {
    lastId += 1;
    const id = lastId;
    return new Promise<unknown>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      if (timeout !== null) setTimeout(() => settle({ id, error: {} }), timeout);
      send({ id, method, params });
    });
  }

  function settle({ id, result, error }: Message): void {
    const asked = waiting.get(id as number);
    waiting.delete(id as number);
    if (error === undefined) asked?.resolve(result);
    else asked?.reject(new Error(isObject(error) && typeof error.message === "string" ? error.message : ""));
  }

  function notified(method: string, params: Message): void {
    if (method === "ui/notifications/tool-input") listener.onArguments(isObjectOr(params.arguments));
    else if (method === "ui/notifications/tool-result") listener.onResult(params);
    else if (method === "ui/notifications/tool-cancelled") listener.onCancelled();
    else if (method === "ui/notifications/host-context-changed") listener.onContext(params);
  }

  function answer(id: unknown, method: string): void {
    const known = method === "ping" || method === "ui/resource-teardown";
    send(known ? { id, result: {} } : { id, error: { code: METHOD_NOT_FOUND, message: "Method not found" } });
  }
}

function send(message: object): void {
  parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
}

function isObject(value: unknown): value is Message {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function isObjectOr(value: unknown): Message {
  return isObject(value) ? value : {};
}
