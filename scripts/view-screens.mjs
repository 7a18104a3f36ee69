// Shows the views of portfolios and investments in a host of the MCP Apps extension, with three banks of the sandbox, one of which has not been read
// recently.
import { withDemoServer } from "./demo-server.mjs";

const banks = [
  { connector_id: "esp:banco-penaclarin", password: "anything" },
  { connector_id: "esp:banco-riomarfil", password: "BLOCKED_AFTER" },
  { connector_id: "fra:", password: "anything" },
];
const screens = {
  portfolios: { tool: "svc-portfolios", args: {} },
  investments: { tool: "svc-investments", args: { page_size: 12 } },
};

/** The names of the views. */
export const viewScreens = Object.keys(screens);

/** Calls `shoot(name, page, view)` on each of the views, on each kind of screen. */
export function showViews(browser, names, views, shoot) {
  return withDemoServer(async ({ post, openSession, mcp }) => {
    const call = (name, args) => mcp("tools/call", { name, arguments: args });
    for (const bank of banks) await connect(browser, openSession, await found(call, bank));
    const { items } = (await call("svc-credentials", {})).structuredContent;
    for (const { credentials_token } of items)
      if (credentials_token === items[1].credentials_token)
        await post("/connect/v2/connections/refresh", { connection_id: credentials_token });
    for (const view of views)
      for (const name of names) {
        const page = await browser.newPage({ ...view, reducedMotion: "reduce" });
        const { tool, args } = screens[name];
        const { contents } = await mcp("resources/read", { uri: `ui://wealth-connect/${tool}` });
        await page.exposeFunction("callTool", call);
        await page.setContent(host);
        const context = { theme: view.colorScheme, locale: "en-GB", timeZone: "Europe/Madrid" };
        const result = await call(tool, args);
        await page.evaluate((given) => globalThis.start(given), { html: contents[0].text, context, args, result });
        await page
          .frameLocator("iframe")
          .getByRole("heading", { name: /^\d+ rows$/ })
          .waitFor();
        await page.waitForFunction("fits()");
        // Chromium draws a frame only while it is visible.
        await page.setViewportSize({ width: view.viewport.width, height: await page.evaluate("frame.clientHeight") });
        await page
          .frames()[1]
          .evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
        await shoot(name, page, view);
        await page.close();
      }
  });
}

async function found(call, { connector_id, password }) {
  if (!connector_id.endsWith(":")) return { connector_id, password };
  const { items } = (await call("svc-connectors", { page_size: 500 })).structuredContent;
  const first = items.find((item) => item.connector_id.startsWith(connector_id) && item.metadata.type === "e-banking");
  return { connector_id: first.connector_id, password };
}

/** Connects a bank of the sandbox, as its customer does in the widget. */
export async function connect(browser, openSession, { connector_id, password }) {
  const page = await browser.newPage();
  await page.goto(await openSession({ connector_id }));
  await page.locator("main > .screen").waitFor();
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.getByLabel("User name").fill("maria.garcia");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.locator(".sign.good").waitFor();
  await page.close();
}

/** A minimal host: introduces itself, passes on arguments, result and calls, and grants the requested height up to its maximum. */
const host = `<!doctype html><html lang="en"><body style="margin:0"><script>
let frame;
const most = 1000;
let height = 0;
const fits = () => height > 0 && frame.clientHeight === height;
function start({ html, context, args, result }) {
  const send = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
  addEventListener("message", async ({ source, data: { id, method, params } }) => {
    if (source !== frame.contentWindow) return;
    if (method === "ui/initialize")
      send({ id, result: {
        protocolVersion: params.protocolVersion,
        hostInfo: { name: "host", version: "1" },
        hostCapabilities: { serverTools: {} },
        hostContext: context,
      } });
    if (method === "ui/notifications/initialized") {
      send({ method: "ui/notifications/tool-input", params: { arguments: args } });
      send({ method: "ui/notifications/tool-result", params: result });
    }
    if (method === "tools/call") send({ id, result: await callTool(params.name, params.arguments) });
    if (method === "ui/notifications/size-changed") frame.style.height = (height = Math.min(params.height, most)) + "px";
  });
  frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.style.cssText = "display:block;width:100%;border:0";
  frame.srcdoc = html;
  document.body.append(frame);
}
</script></body></html>`;
