import type { PlaidInstitution } from "./plaid-bank.js";

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const button = (name: string, action: string) => `<button name="action" value="${action}">${name}</button>`;
const EXIT = button("Exit", "exit");
const field = (label: string, name: string, type = "text") =>
  `<p><label>${label} <input name="${name}" type="${type}" autocomplete="off"></label></p>`;

function page(heading: string, parts: readonly string[], message = ""): string {
  const alert = message && `<p role="alert">${escaped(message)}</p>`;
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Plaid</title><meta name="viewport" content="width=device-width"></head><body><main><h1>${escaped(heading)}</h1>${alert}${parts.join("")}</main></body></html>`;
}

const form = (...parts: readonly string[]) => `<form method="post">${parts.join("")}</form>`;

/** Pages of Hosted Link, each a form that posts `action` and its fields to its own address. */
export const pages = {
  gone: () => page("This link is no longer valid", []),

  finished: () => page("You can close this window", []),

  institutions: (client: string, found: readonly PlaidInstitution[], search: string) =>
    page(`${client} uses Plaid to connect your account`, [
      form(
        `<p><label>Search <input name="search" value="${escaped(search)}"></label></p>`,
        button("Search", "search"),
        EXIT,
      ),
      form(
        ...found.map(
          ({ institution_id: id, name }) =>
            `<p><button name="institution_id" value="${escaped(id)}">${escaped(name)}</button></p>`,
        ),
      ),
      ...(found.length === 0 ? ["<p>No institutions found</p>"] : []),
    ]),

  credentials: (institution: PlaidInstitution, message: string) =>
    page(
      institution.oauth ? `Sign in at ${institution.name}` : `Enter your credentials for ${institution.name}`,
      [
        form(
          field("Username", "username"),
          field("Password", "password", "password"),
          button(institution.oauth ? "Sign in" : "Submit", "submit"),
          EXIT,
        ),
      ],
      message,
    ),

  code: (institution: PlaidInstitution, message: string) =>
    page(
      `Verify your identity with ${institution.name}`,
      [form(field("Code", "code"), button("Submit", "submit"), EXIT)],
      message,
    ),

  accounts: (
    institution: PlaidInstitution,
    accounts: readonly { readonly key: string; readonly name: string; readonly isChosen: boolean }[],
    message: string,
  ) =>
    page(
      `Select accounts of ${institution.name}`,
      [
        form(
          ...accounts.map(
            ({ key, name, isChosen }) =>
              `<p><label><input type="checkbox" name="account" value="${key}"${isChosen ? " checked" : ""}> ${escaped(name)}</label></p>`,
          ),
          button("Continue", "submit"),
          EXIT,
        ),
      ],
      message,
    ),

  failed: (institution: PlaidInstitution, message: string) =>
    page(`${institution.name} cannot be connected`, [form(EXIT)], message),
};
