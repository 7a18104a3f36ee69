import { createAuthenticator } from "@org/people/testing";
import type { TestServer } from "./harness.js";
import { type Answer, post } from "./http-client.js";

/** A person at the console, without a browser: their cookies and their session's token. */
export interface ConsolePerson {
  readonly personId: string;
  /** Their cookies, by name. */
  readonly cookies: ReadonlyMap<string, string>;
  /** Calls the console's backend as its page does. @param path without `/console/api` */
  post(path: string, body?: object): Promise<Answer>;
  /** The event stream, from now on. */
  follow(signal: AbortSignal): Promise<Response>;
}

/** Joins as a person of a tenant or of the installation: by the given link, or by a new invitation. */
export async function joinConsole(
  server: Pick<TestServer, "url" | "operate">,
  person: { readonly tenant_id?: string; readonly email: string; readonly role: string } | { readonly link: string },
): Promise<ConsolePerson> {
  const { link } = "link" in person ? person : await server.operate("/operator/v1/people/invite", person);
  const invitation = String(link).split("#")[1];
  const authenticator = createAuthenticator(server.url);
  const cookies = new Map<string, string>();
  let token = "";
  const headers = () => ({
    origin: server.url,
    "sec-fetch-site": "same-origin",
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    ...(token !== "" && { "x-csrf-token": token }),
  });
  const ask = async (path: string, body: object = {}) => {
    const answer = await post(`${server.url}/console/api${path}`, body, { headers: headers() });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    token = answer.body?.csrf_token ?? token;
    return answer;
  };
  const begun = await ask("/join/begin", { invitation, name: "Ada", email: "ada@operator.example" });
  const joined = await ask("/join/finish", {
    invitation,
    answer: authenticator.create(begun.body.options),
    name: "Ada",
  });
  if (joined.status !== 200) throw new Error(`${begun.text} ${joined.text}`);
  return {
    personId: joined.body.person.person_id,
    cookies,
    post: ask,
    follow: (signal) => fetch(`${server.url}/console/api/events`, { headers: headers(), signal }),
  };
}
