/**
 * The client of the bank customer's pages. It draws nothing: it sends the forms of the page, looks at the session every now and
 * then, and puts in place what the server has drawn (`screen.ts`), so that no page is loaded and nothing typed gets lost. It keeps
 * nothing either: where the session stands is the server's to say.
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
    // A bank's field may be called `method`, or `action`, and then stands for the form's own.
    if (form.getAttribute("method") === "post") session.send(form, event.submitter);
  });
  screen.addEventListener("click", ({ target }) => {
    const language = (target as Element).closest<HTMLAnchorElement>("a[hreflang]")?.hreflang;
    if (language) session.look(language);
  });
  // Back on the login page of a bank that was chosen leads to the choice, as people expect; anywhere else it leaves the page.
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
