/** A form of a page, as a browser without scripts knows it. */
interface Form {
  readonly action: string;
  readonly method: string;
  /** Hidden fields, which go along by themselves. */
  readonly hidden: Readonly<Record<string, string>>;
  /** Fields that a person fills in. */
  readonly fields: readonly string[];
  /** Buttons with a name: the one that is pressed goes along. */
  readonly buttons: readonly { readonly name: string; readonly value: string }[];
}

/** A page as it was answered. */
export interface Page {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  /** Text without markup, one space between words. */
  readonly text: string;
  readonly forms: readonly Form[];
  /** Whether the page loads itself again after a while. */
  readonly refreshes: boolean;
}

/** A browser without JavaScript: keeps cookies, follows redirects on the site, sends forms. */
export interface Browser {
  readonly page: Page | undefined;
  open(url: string): Promise<Page>;
  /** The form whose address ends with `/step`, undefined when the page shows none. */
  form(step: string): Form | undefined;
  /** Fills in and sends the form of `step`. @param pressed value of the button to press, where the form has several */
  submit(step: string, typed?: Readonly<Record<string, string>>, pressed?: string): Promise<Page>;
}

export function createBrowser(): Browser {
  const cookies = new Map<string, string>();
  let page: Page | undefined;

  const browser: Browser = {
    get page() {
      return page;
    },
    open: (url) => load(url, { method: "GET" }),
    form: (step) => page?.forms.find(({ action, method }) => method === "post" && action.endsWith(`/${step}`)),
    async submit(step, typed = {}, pressed) {
      const form = browser.form(step);
      if (!form || !page) throw new Error(`no form for ${step} on: ${page?.text}`);
      const strange = Object.keys(typed).filter((name) => !form.fields.includes(name));
      if (strange.length > 0) throw new Error(`the form has no field ${strange.join(", ")}: ${page.text}`);
      const button = form.buttons.find(({ value }) => pressed === undefined || value === pressed);
      if (pressed !== undefined && !button) throw new Error(`no button ${pressed} on: ${page.text}`);
      const body = new URLSearchParams({ ...form.hidden, ...typed, ...(button && { [button.name]: button.value }) });
      return load(new URL(form.action, page.url).href, { method: "POST", body });
    },
  };
  return browser;

  async function load(url: string, init: RequestInit): Promise<Page> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { "Accept-Language": "en", ...(cookie && { cookie }) };
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
      cookies.set(name, value);
    }
    const html = await response.text();
    const target = response.headers.get("location");
    if (target !== null && new URL(target, url).origin === new URL(url).origin)
      return load(new URL(target, url).href, { method: "GET" });
    page = {
      status: response.status,
      url: target === null ? url : new URL(target, url).href,
      headers: response.headers,
      text: textOf(html),
      forms: formsOf(html),
      refreshes: html.includes('http-equiv="refresh"'),
    };
    return page;
  }
}

function formsOf(html: string): Form[] {
  return [...html.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].map(([, opening = "", content = ""]) => {
    const tags = (name: string) =>
      [...content.matchAll(new RegExp(`<${name}([^>]*)>`, "g"))].map(([, tag = ""]) => tag);
    const inputs = tags("input");
    const isHidden = (tag: string) => attribute(tag, "type") === "hidden";
    return {
      action: attribute(opening, "action"),
      method: attribute(opening, "method"),
      hidden: Object.fromEntries(
        inputs.filter(isHidden).map((tag) => [attribute(tag, "name"), attribute(tag, "value")]),
      ),
      fields: inputs.filter((tag) => !isHidden(tag)).map((tag) => attribute(tag, "name")),
      buttons: tags("button")
        .filter((tag) => / name="/.test(tag))
        .map((tag) => ({ name: attribute(tag, "name"), value: attribute(tag, "value") })),
    };
  });
}

function attribute(tag: string, name: string): string {
  return decoded(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "");
}

function textOf(html: string): string {
  const main = html.slice(Math.max(0, html.indexOf("<main>"))).replace(/<[^>]*>/g, " ");
  return decoded(main).replace(/\s+/g, " ").trim();
}

function decoded(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}
