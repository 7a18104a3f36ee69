/**
 * The client of the bank customer's pages. It renders nothing: it sends the forms of the page, polls the session, and inserts the
 * server's drawings (`screen.ts`), so that no page is loaded and nothing typed gets lost. It keeps no state either: the server knows
 * where the session is.
 */
import { createBankSearch } from "./bank-search.js";
import { takeOver } from "./screen.js";
import { createSession } from "./session.js";

const path = /^.*\/connect\/[^/]+/.exec(location.pathname)?.[0];
const screen = document.querySelector<HTMLElement>("main > [data-screen]");

if (path && screen) {
  takeOver(screen);
  const session = createSession(path, screen, shown);
  const bankSearch = createBankSearch(path, screen, () => session.look());
  const changeBank = () => screen.querySelector<HTMLFormElement>('form[action$="/change-bank"]');

  screen.addEventListener("submit", (event) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    // Read by attribute: a bank's field may be named `method` or `action` and would shadow the form's property.
    if (form.getAttribute("method") === "post") session.send(form, event.submitter);
  });
  screen.addEventListener("click", ({ target }) => {
    const language = (target as Element).closest<HTMLAnchorElement>("a[hreflang]")?.hreflang;
    if (language) session.look(language);
  });
  // On the login page of a chosen bank, Back leads to the bank choice, as people expect; anywhere else it leaves the page.
  addEventListener("popstate", () => {
    const form = changeBank();
    if (form) session.send(form);
  });
  shown();

  function shown(): void {
    bankSearch.begin();
    if (changeBank() && history.state !== "login") history.pushState("login", "");
    const onward = screen?.querySelector<HTMLAnchorElement>("a[data-leads-on]");
    if (onward) location.replace(onward.href);
  }
}
