import { ExampleError } from "./example-error.js";

/** A model provider: its address and its environment variables. */
export interface Provider {
  readonly name: string;
  /** The URL of its API, unless `{prefix}_BASE_URL` is set. */
  readonly baseUrl: string;
  /** The model, unless `{prefix}_MODEL` is set. */
  readonly model: string;
  /** The prefix of its environment variables. */
  readonly prefix: string;
}

/** The settings of an example. */
export interface Settings {
  /** `{mcp_base_url}`, without trailing slash. */
  readonly serverUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly provider: { readonly name: string; readonly baseUrl: string; readonly apiKey: string };
  readonly model: string;
  readonly question: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_QUESTION = "How much do I have, by currency, and does any of my banks need a new login?";

/**
 * Reads the settings from environment and command line; an empty variable counts as unset. @throws ExampleError with everything that is missing or
 * wrong
 */
export function readSettings(provider: Provider, environment: Environment, words: readonly string[]): Settings {
  const faults: string[] = [];
  const required = (name: string) => {
    const value = environment[name] || "";
    if (value === "") faults.push(`${name} is not set`);
    return value;
  };
  const address = (name: string, fallback?: string) => {
    const value = fallback === undefined ? required(name) : environment[name] || fallback;
    if (value !== "" && !isHttp(value)) faults.push(`${name} is not an http or https URL: ${value}`);
    return value.replace(/(?<!\/)\/+$/, "");
  };
  const serverUrl = address("WEALTH_CONNECT_URL");
  const baseUrl = address(`${provider.prefix}_BASE_URL`, provider.baseUrl);
  // The provider connects from its own machines and accepts only https.
  if (baseUrl === provider.baseUrl && isHttp(serverUrl) && !serverUrl.startsWith("https://"))
    faults.push(`WEALTH_CONNECT_URL has to be an https URL that ${provider.name} can reach: ${serverUrl}`);
  const settings = {
    serverUrl,
    clientId: required("WEALTH_CONNECT_CLIENT_ID"),
    clientSecret: required("WEALTH_CONNECT_CLIENT_SECRET"),
    provider: { name: provider.name, baseUrl, apiKey: required(`${provider.prefix}_API_KEY`) },
    model: environment[`${provider.prefix}_MODEL`] || provider.model,
    question: words.join(" ").trim() || DEFAULT_QUESTION,
  };
  if (faults.length > 0) throw new ExampleError(faults.join("\n"));
  return settings;
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
