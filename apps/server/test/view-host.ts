import type { Browser, Frame } from "playwright-core";
import { newPerson, type Person } from "./chromium-person.js";

// biome-ignore lint/suspicious/noExplicitAny: messages of every shape
type Message = any;

/** A host of the MCP Apps extension (SEP-1865) in a browser, with one view in it. */
export interface ViewHost extends Person {
  /** The view's own document, with an opaque origin. */
  readonly view: Frame;
  /** Everything that the view has sent. */
  sent(): Promise<readonly Message[]>;
  /** Sends a message to the view. */
  send(message: object): Promise<void>;
  /** The height that the view has been given, in CSS pixels. */
  height(): Promise<number>;
}

export interface HostOptions {
  readonly html: string;
  readonly context?: object;
  readonly args?: object;
  /** The tool's result; left out, none comes. */
  readonly result?: unknown;
  /** Forwards a call to the server; null: this host forwards none. */
  readonly callTool: ((name: string, args: object) => Promise<unknown>) | null;
  readonly width?: number;
}

const ADDRESS = "http://host.example/";
/** The most a host may allow if a view declares no domains. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'none'",
].join("; ");

/** Opens a host whose view is in a frame that may only run scripts, as real hosts do. */
export async function openViewHost(browser: Browser, options: HostOptions): Promise<ViewHost> {
  const person = await newPerson(browser, { viewport: { width: options.width ?? 760, height: 900 } });
  const { page } = person;
  await page.route(`${ADDRESS}**`, (route) =>
    route.fulfill({ contentType: "text/html", headers: { "Content-Security-Policy": POLICY }, body: hostPage }),
  );
  await page.exposeFunction("callTool", async (name: string, args: object) => {
    try {
      return { result: await options.callTool?.(name, args) };
    } catch (error) {
      return { error: { code: -32000, message: (error as Error).message } };
    }
  });
  await page.goto(ADDRESS);
  const { html, context = {}, args = {}, result = null } = options;
  const callsTools = options.callTool !== null;
  await page.evaluate(`start(${JSON.stringify({ html, context, args, result, callsTools })})`);
  const view = await (await page.waitForSelector("iframe")).contentFrame();
  if (!view) throw new Error("the host has no view");
  return {
    ...person,
    view,
    sent: () => page.evaluate("sent"),
    send: (message) => page.evaluate(`toView(${JSON.stringify(message)})`),
    height: () => page.evaluate("frame.clientHeight"),
  };
}

/** Sends nothing to the view before its `initialized`, as the extension requires. */
const hostPage = `<!doctype html><html lang="en"><title>Host</title><body style="margin:0"><script>
const sent = [];
let frame;
function toView(message) {
  frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
}
function start({ html, context, args, result, callsTools }) {
  addEventListener("message", async ({ source, origin, data }) => {
    if (source !== frame.contentWindow || origin !== "null") return;
    sent.push(data);
    const { id, method, params } = data;
    if (method === "ui/initialize")
      toView({ id, result: {
        protocolVersion: params.protocolVersion,
        hostInfo: { name: "host", version: "1" },
        hostCapabilities: callsTools ? { serverTools: {} } : {},
        hostContext: context,
      } });
    else if (method === "ui/notifications/initialized") {
      toView({ method: "ui/notifications/tool-input", params: { arguments: args } });
      if (result !== null) toView({ method: "ui/notifications/tool-result", params: result });
    }
    else if (method === "ui/notifications/size-changed") frame.style.height = params.height + "px";
    else if (method === "tools/call") toView({ id, ...(await callTool(params.name, params.arguments)) });
  });
  frame = document.createElement("iframe");
  frame.title = "View";
  frame.setAttribute("sandbox", "allow-scripts");
  frame.style.cssText = "display:block;width:100%;border:0";
  frame.srcdoc = html;
  document.body.append(frame);
}
</script></body></html>`;
