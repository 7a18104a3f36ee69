/** One answer, as a browser without scripts shows it. */
export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Text of the page without markup, one space between words. */
  readonly text: string;
  readonly forms: readonly Form[];
}

export interface Form {
  readonly method: string;
  /** Last part of the path it posts to. */
  readonly step: string;
  readonly action: string;
  /** Names and values of inputs and of buttons that have a name. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
}

/** A browser that keeps cookies and follows redirects within the site by itself, never beyond it. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly origin: string;
  page: Shown | undefined;

  constructor(origin: string) {
    this.origin = origin;
  }

  async open(path: string, init: RequestInit = {}): Promise<Shown> {
    const shown = await this.request(path, init);
    const location = shown.headers.get("location");
    this.page = location?.startsWith("/") ? await this.open(location) : shown;
    return this.page;
  }

  /** One request with the cookies, without following a redirect. */
  async request(path: string, init: RequestInit = {}): Promise<Shown> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { "Accept-Language": "en", ...(init.headers as Record<string, string>), ...(cookie && { cookie }) };
    const response = await fetch(`${this.origin}${path}`, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
      this.cookies.set(name, value);
    }
    const html = await response.text();
    return { status: response.status, headers: response.headers, html, text: textOf(html), forms: formsOf(html) };
  }

  /** Presses the button of the form for `step` on the page shown. */
  submit(step: string, typed: Record<string, string> = {}): Promise<Shown> {
    const { action, body } = this.filled(step, typed);
    return this.open(action, { method: "POST", body });
  }

  filled(step: string, typed: Record<string, string> = {}) {
    const form = this.page?.forms.find((candidate) => candidate.step === step);
    if (!form) throw new Error(`no form for ${step} on: ${this.page?.text}`);
    const hidden = form.fields.filter(
      ({ name }) => name === "csrf_token" || (name === "answer" && !("answer" in typed)),
    );
    const body = new URLSearchParams([
      ...hidden.map(({ name, value }): [string, string] => [name, value]),
      ...Object.entries(typed),
    ]);
    return { action: form.action, body };
  }
}

function formsOf(html: string): Form[] {
  return [...html.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].map(([, opening = "", content = ""]) => {
    const action = attribute(opening, "action");
    const tags = [...content.matchAll(/<(?:input|button|select)([^>]*)>/g)].map(([, tag = ""]) => tag);
    const fields = tags.flatMap((tag) =>
      / name="/.test(tag) ? [{ name: attribute(tag, "name"), value: attribute(tag, "value") }] : [],
    );
    return { method: attribute(opening, "method"), step: action.split("/").at(-1) ?? "", action, fields };
  });
}

function attribute(tag: string, name: string): string {
  return decoded(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "");
}

function textOf(html: string): string {
  const body = html.slice(html.indexOf("<main>")).replace(/<[^>]*>/g, " ");
  return decoded(body).replace(/\s+/g, " ").trim();
}

function decoded(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}
