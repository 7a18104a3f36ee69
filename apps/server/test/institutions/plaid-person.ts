/** How a person goes through Hosted Link; what is left out, they do not do, and leave there. */
export interface PlaidVisit {
  /** What they search for before they pick an institution. */
  readonly search?: string;
  readonly institution_id?: string;
  readonly username?: string;
  readonly password?: string;
  readonly code?: string;
  /** Names of the accounts that they check, or all that are there. */
  readonly accounts?: readonly string[] | "all";
}

const shown = (html: string) =>
  html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

/**
 * A visit of Hosted Link without a browser, by its forms. Answers where the person was sent in the end, or the address and text of the
 * page on which they stayed.
 */
export async function visitLink(hostedLinkUrl: string, visit: PlaidVisit): Promise<{ location: string; text: string }> {
  const origin = new URL(hostedLinkUrl).origin;
  let at = hostedLinkUrl;
  let text = "";
  async function load(path: string, form?: URLSearchParams): Promise<boolean> {
    const answer = await fetch(path, { redirect: "manual", ...(form && { method: "POST", body: form }) });
    const location = answer.headers.get("location");
    if (location === null) {
      at = path;
      text = await answer.text();
      return true;
    }
    const next = new URL(location, origin).href;
    if (new URL(next).origin === origin) return load(next);
    at = next;
    text = "";
    return false;
  }
  await load(hostedLinkUrl);
  const has = (name: string) => text.includes(`name="${name}"`);
  const send = (...fields: readonly [string, string][]) => load(at, new URLSearchParams([...fields]));
  const leave = async () => {
    if (has("action")) await send(["action", "exit"]);
    return { location: at, text };
  };
  if (visit.search !== undefined) await send(["search", visit.search], ["action", "search"]);
  if (has("institution_id") && visit.institution_id) await send(["institution_id", visit.institution_id]);
  if (has("username")) {
    if (visit.username === undefined) return leave();
    await send(["username", visit.username], ["password", visit.password ?? "pass_good"], ["action", "submit"]);
  }
  if (has("code")) {
    if (visit.code === undefined) return leave();
    await send(["code", visit.code], ["action", "submit"]);
  }
  if (has("account")) {
    if (visit.accounts === undefined) return leave();
    const boxes = [...text.matchAll(/name="account" value="([^"]*)"[^>]*> ([^<]*)</g)];
    const chosen = boxes.filter(([, , name = ""]) => visit.accounts === "all" || visit.accounts?.includes(shown(name)));
    await send(...chosen.map(([, key = ""]): [string, string] => ["account", key]), ["action", "submit"]);
  }
  if (new URL(at).origin === origin && has("action")) return leave();
  return { location: at, text };
}
