import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Schedule } from "../src/schedule.js";
import { type Answer, post } from "./http-client.js";
import { type Backend, createInstallation, type Installation } from "./installation.js";
import { rawCaller } from "./mcp-clients.js";
import { type Exit, type ServerProcess, startProcess } from "./server-process.js";

/** An application with its own token. */
export interface Api {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly token: string;
  post(path: string, body: unknown, options?: { headers?: Readonly<Record<string, string>> }): Promise<Answer>;
}

/** A tenant with one application. */
export interface TestTenant extends Api {
  readonly tenantId: string;
  /** Calls tools by plain JSON-RPC. */
  readonly tools: ReturnType<typeof rawCaller>;
  /** Opens a Connect session; returns its id and `widget_url`. */
  openSession(
    target: { connector_id: string; client_ref?: string } | { connection_id: string },
  ): Promise<{ id: string; widgetUrl: string }>;
}

/** A started server with its installation. */
export interface TestServer {
  readonly installation: Installation;
  /** The running process, or the last one. */
  readonly process: ServerProcess;
  readonly url: string;
  readonly mcpUrl: string;
  readonly operator: Api;
  /** A new token for the operator, after the previous one was invalidated. */
  renewOperator(): Promise<void>;
  readonly demo: TestTenant;
  /** A call by the operator's application that has to succeed; returns its body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  operate(path: string, body: object): Promise<any>;
  createTenant(name: string): Promise<TestTenant>;
  /** The same application with a new token. */
  loginAgain(tenant: TestTenant): Promise<TestTenant>;
  token(clientId: string, clientSecret: string, more?: Readonly<Record<string, string>>): Promise<Answer>;
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<Exit>;
  /** Restarts it, stopping it first if it runs, on the same installation and port, so that tokens stay valid. */
  start(environment?: Readonly<Record<string, string>>, nodeOptions?: readonly string[]): Promise<void>;
  /** Records of defects and outages of every process so far. */
  faults(): readonly unknown[];
  /** Everything that any process has written. */
  output(): string;
  /** Ends the process and removes the installation. */
  remove(): Promise<void>;
}

/** Connectors of the sandbox catalogue, one of each type. */
export const sandboxBanks = {
  eBanking: "esp:banco-penaclarin",
  psd2: "esp:banco-riomarfil",
  datafeed: "esp:custodia-montelirio",
  /** Has its own page and needs no input in the widget. */
  redirect: "lux:banque-passerelle",
} as const;

/** The time that building the server and a first start may take on a busy machine, for `beforeAll`. */
export const START_TIMEOUT = 240_000;

/** Starts a server on an installation of its own. */
export async function startTestServer(options: {
  backend: Backend;
  environment?: Readonly<Record<string, string>>;
  /** Shorter intervals than those of src/schedule.ts, in ms, also after a restart. */
  schedule?: Partial<Schedule>;
}): Promise<TestServer> {
  const installation = await createInstallation(options.backend);
  const processes: ServerProcess[] = [];
  const launch = async (
    port: string,
    more: Readonly<Record<string, string>> = {},
    nodeOptions: readonly string[] = [],
  ) => {
    const environment = { ...installation.environment, ...options.environment, PORT: port, ...more };
    const started = await startProcess(environment, nodeOptions, options.schedule);
    processes.push(started);
    return started.ready();
  };
  const url = await launch("0");
  const credentials = JSON.parse(readFileSync(join(installation.dataDir, "credentials.json"), "utf8"));
  const current = () => processes.at(-1) as ServerProcess;

  let operator = await login(url, credentials.operator);
  const server: TestServer = {
    installation,
    get process() {
      return current();
    },
    url,
    mcpUrl: `${url}/mcp`,
    get operator() {
      return operator;
    },
    async renewOperator() {
      operator = await login(url, credentials.operator);
    },
    demo: tenantOf(url, credentials.demo.tenant, await login(url, credentials.demo)),
    async operate(path, body) {
      const { status, text, body: answer } = await operator.post(path, body);
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
      return answer;
    },
    async createTenant(name) {
      const { tenant } = await server.operate("/operator/v1/tenants/create", { name });
      const request = { tenant_id: tenant.tenant_id, name: `Application of ${name}` };
      const made = await server.operate("/operator/v1/applications/create", request);
      const secret = { client_id: made.application.client_id, client_secret: made.client_secret };
      return tenantOf(url, tenant.tenant_id, await login(url, secret));
    },
    async loginAgain({ tenantId, clientId, clientSecret }) {
      return tenantOf(url, tenantId, await login(url, { client_id: clientId, client_secret: clientSecret }));
    },
    token: (clientId, clientSecret, more) => requestToken(url, clientId, clientSecret, more),
    stop: (signal = "SIGTERM") => current().end(signal),
    async start(environment = {}, nodeOptions = []) {
      await current().end("SIGTERM");
      await launch(new URL(url).port, environment, nodeOptions);
    },
    faults: () => processes.flatMap((each) => each.log()).filter(({ level }) => ["error", "fatal"].includes(level)),
    output: () => processes.map((each) => each.output()).join(""),
    async remove() {
      await current().end("SIGKILL");
      await installation.remove();
    },
  };
  return server;
}

function requestToken(
  url: string,
  clientId: string,
  clientSecret: string,
  more: Readonly<Record<string, string>> = {},
) {
  const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret, ...more };
  return post(`${url}/token`, new URLSearchParams(form));
}

async function login(
  url: string,
  { client_id, client_secret }: { client_id: string; client_secret: string },
): Promise<Api> {
  const { status, text, body } = await requestToken(url, client_id, client_secret);
  if (status !== 200) throw new Error(`/token: ${status} ${text}`);
  const token: string = body.access_token;
  return {
    clientId: client_id,
    clientSecret: client_secret,
    token,
    post: (path, request, options) => post(url + path, request, { token, ...options }),
  };
}

/** The same tenant by another token, such as a client's that a person let in. */
export function tenantByToken(url: string, tenant: TestTenant, token: string): TestTenant {
  const api: Api = { ...tenant, token, post: (path, body, options) => post(url + path, body, { token, ...options }) };
  return tenantOf(url, tenant.tenantId, api);
}

function tenantOf(url: string, tenantId: string, api: Api): TestTenant {
  const tools = rawCaller(`${url}/mcp`, api.token);
  return {
    ...api,
    tenantId,
    tools,
    async openSession(target) {
      const { session_id, widget_url } = await tools.call("svc-create-connect-session", target);
      return { id: session_id, widgetUrl: widget_url };
    },
  };
}
