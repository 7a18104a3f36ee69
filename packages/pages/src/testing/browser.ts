/** A form of a page, as a browser without scripts sees it. */
export interface PageForm {
  readonly action: string;
  readonly method: string;
  /** Hidden fields and checked boxes, which are sent automatically. */
  readonly preset: readonly (readonly [name: string, value: string])[];
  /** Fields that a person fills in. */
  readonly fields: readonly string[];
  /** Named buttons; the pressed one is sent. */
  readonly buttons: readonly { readonly name: string; readonly value: string }[];
}

/** A page as received; for a redirect away from the site, the empty redirect response. */
export interface Page {
  readonly status: number;
  /** URL of the page, or the target of a redirect away from the site. */
  readonly url: string;
  readonly headers: Headers;
  readonly html: string;
  /** Text without markup, with single spaces. */
  readonly text: string;
  readonly forms: readonly PageForm[];
  /** Whether the page reloads itself after a while. */
  readonly refreshes: boolean;
}

/** The values of a form's fields. A list replaces all preset values of its name; an empty one unchecks all boxes. */
export type Typed = Readonly<Record<string, string | readonly string[]>>;

/** A browser without JavaScript, for tests: it stores cookies, follows redirects on the site, and submits forms. */
export interface Browser {
  readonly page: Page | undefined;
  /** The stored cookies, by name. */
  readonly cookies: Map<string, string>;
  open(url: string, init?: RequestInit): Promise<Page>;
  /** Sends one request with the cookies, without following or showing the answer. */
  request(url: string, init?: RequestInit): Promise<Page>;
  /** The form whose action ends with `/step`; undefined when the page has none. */
  form(step: string): PageForm | undefined;
  /** The request that submitting the form of `step` would send. @param pressed value of the button to press if the form has several */
  filled(step: string, typed?: Typed, pressed?: string): { readonly url: string; readonly body: URLSearchParams };
  /** Fills in and submits the form of `step`. */
  submit(step: string, typed?: Typed, pressed?: string): Promise<Page>;
  /** Sends a request from `filled`, again or from another page. */
  send(request: { readonly url: string; readonly body: URLSearchParams }): Promise<Page>;
}

/**
 * Creates a browser; with the cookies of another one it is a second tab of it.
 * @param site the site of URLs without a host
 * @param ask the function that sends requests
 */
export function createBrowser(cookies = new Map<string, string>(), site?: string, ask = fetch): Browser {
  let page: Page | undefined;

  const browser: Browser = {
    cookies,
    get page() {
      return page;
    },
    open: load,
    request,
    form: (step) =>
      page?.forms.find(({ action, method }) => method === "post" && action.split("?", 1)[0]?.endsWith(`/${step}`)),
    filled(step, typed = {}, pressed) {
      const form = browser.form(step);
      if (!form || !page) throw new Error(`no form for ${step} on: ${page?.text}`);
      const known = [...form.fields, ...form.preset.map(([name]) => name)];
      const strange = Object.keys(typed).filter((name) => !known.includes(name));
      if (strange.length > 0) throw new Error(`the form has no field ${strange.join(", ")}: ${page.text}`);
      const button = form.buttons.find(({ value }) => pressed === undefined || value === pressed);
      if (pressed !== undefined && !button) throw new Error(`no button ${pressed} on: ${page.text}`);
      const body = new URLSearchParams(form.preset.filter(([name]) => !(name in typed)).map(([...pair]) => pair));
      for (const [name, value] of Object.entries(typed))
        for (const one of typeof value === "string" ? [value] : value) body.append(name, one);
      if (button) body.append(button.name, button.value);
      return { url: new URL(form.action, page.url).href, body };
    },
    submit: (step, typed, pressed) => browser.send(browser.filled(step, typed, pressed)),
    send: ({ url, body }) => load(url, { method: "POST", body }),
  };
  return browser;

  async function load(address: string, init: RequestInit = {}): Promise<Page> {
    const answer = await request(address, init);
    const target = answer.headers.get("location");
    if (target !== null && URL.canParse(target, answer.url)) {
      const next = new URL(target, answer.url);
      if (next.origin === new URL(answer.url).origin) return load(next.href);
    }
    page = target === null ? answer : { ...answer, url: target };
    return page;
  }

  async function request(address: string, init: RequestInit = {}): Promise<Page> {
    const url = new URL(address, site).href;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { "Accept-Language": "en", ...(init.headers as Record<string, string>), ...(cookie && { cookie }) };
    const response = await ask(url, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
      if (value === "" || /max-age=0(;|$)/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const html = await response.text();
    // The content of a template is only for scripts.
    const shown = html.replace(/<template[^>]*>.*?<\/template>/gs, "");
    return {
      status: response.status,
      url,
      headers: response.headers,
      html,
      text: textOf(shown),
      forms: formsOf(shown),
      refreshes: html.includes('http-equiv="refresh"'),
    };
  }
}

function formsOf(html: string): PageForm[] {
  return [...html.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].map(([, opening = "", content = ""]) => {
    const tags = (name: string) =>
      [...content.matchAll(new RegExp(`<${name}([^>]*)>`, "g"))].map(([, tag = ""]) => tag);
    const inputs = tags("input");
    const goesAlong = (tag: string) => attribute(tag, "type") === "hidden" || isChecked(tag);
    return {
      action: attribute(opening, "action"),
      method: attribute(opening, "method"),
      preset: inputs.filter(goesAlong).map((tag) => [attribute(tag, "name"), attribute(tag, "value")] as const),
      fields: [
        ...new Set(
          [...inputs.filter((tag) => !goesAlong(tag)), ...tags("select")].map((tag) => attribute(tag, "name")),
        ),
      ],
      buttons: tags("button")
        .filter((tag) => / name="/.test(tag))
        .map((tag) => ({ name: attribute(tag, "name"), value: attribute(tag, "value") })),
    };
  });
}

function isChecked(tag: string): boolean {
  return ["checkbox", "radio"].includes(attribute(tag, "type")) && / checked[ =>]?/.test(`${tag} `);
}

function attribute(tag: string, name: string): string {
  return decoded(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "");
}

function textOf(html: string): string {
  const main = html.slice(Math.max(0, html.indexOf("<main"))).replace(/<[^>]*>/g, " ");
  return decoded(main).replace(/\s+/g, " ").trim();
}

function decoded(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}
