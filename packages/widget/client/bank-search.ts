import type { BanksAnswer } from "../src/widget-pages.js";
import { reconcile } from "./reconcile.js";
import { parsed } from "./screen.js";

/** Key presses within this time make one request. */
const TYPING_MS = 80;
/** Elements that the arrow keys move between: banks to choose, those that only say how they are connected, and ways that are shown. */
const STOPS = ".banks summary, .banks button:not(details:not([open]) *)";

/** The search on the bank choice screen. */
export interface BankSearch {
  /** Called after each new screen. */
  begin(): void;
}

/**
 * Searches banks while the customer types a name. The last result stays until the next answer; late answers are dropped.
 * @param path the session's address
 * @param look called when the session may be at another step, or the server unreachable
 */
export function createBankSearch(path: string, screen: HTMLElement, look: () => void): BankSearch {
  let asking = new AbortController();
  let typing: ReturnType<typeof setTimeout> | undefined;

  screen.addEventListener("input", ({ target }) => {
    if (!(target as Element).closest("form.search")) return;
    clearTimeout(typing);
    typing = setTimeout(search, TYPING_MS);
  });
  screen.addEventListener("click", ({ target }) => {
    const more = (target as Element).closest<HTMLElement>(".more-banks");
    if (more) void ask(more.dataset.page ?? "", append);
  });
  screen.addEventListener("focusin", ({ target }) => {
    if ((target as Element).matches(STOPS)) makeStop(target as HTMLElement);
  });
  screen.addEventListener("keydown", moveInList);

  return {
    begin() {
      asking.abort();
      clearTimeout(typing);
      const form = screen.querySelector<HTMLFormElement>("form.search");
      if (!form) return;
      prepareList();
      // The browser may have restored what was typed before.
      if ([...form.elements].some(isChanged)) search();
    },
  };

  function search(): void {
    void ask("1", (found) => {
      const shown = screen.querySelector(".found");
      if (shown) reconcile(shown, found);
    });
  }

  function append(found: HTMLElement): void {
    screen.querySelector(".banks")?.append(...found.querySelectorAll(".banks > li"));
    const button = screen.querySelector<HTMLElement>(".more-banks");
    const next = found.querySelector<HTMLElement>(".more-banks")?.dataset.page;
    if (next === undefined) button?.remove();
    else button?.setAttribute("data-page", next);
  }

  async function ask(page: string, take: (found: HTMLElement) => void): Promise<void> {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    const form = screen.querySelector<HTMLFormElement>("form.search");
    if (!form) return;
    const query = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    query.set("page", page);
    try {
      const response = await fetch(`${path}/banks?${query}`, { signal });
      const answer: BanksAnswer | null = response.ok ? await response.json() : null;
      if (signal.aborted) return;
      if (answer === null) return look();
      take(parsed(answer.html));
      prepareList();
    } catch {
      // `look` shows whether the server can be reached. The next key press searches again.
      if (!signal.aborted) look();
    }
  }

  /** Makes the list a single Tab stop; the arrow keys, Home and End move within it. */
  function prepareList(): void {
    screen.querySelector(".banks")?.setAttribute("aria-describedby", "list-keys");
    const stop = stops().find((each) => each === document.activeElement) ?? stops()[0];
    if (stop) makeStop(stop);
  }

  function makeStop(stop: HTMLElement): void {
    for (const each of stops()) each.tabIndex = each === stop ? 0 : -1;
  }

  /** Moves the focus within the list, into it from the search field, and from its top back to the field. */
  function moveInList(event: KeyboardEvent): void {
    const from = event.target as HTMLElement;
    const all = stops();
    const at = all.indexOf(from);
    if (at < 0 && from.id !== "name") return;
    const targets: Record<string, HTMLElement | null | undefined> = {
      ArrowDown: all[at + 1],
      ArrowUp: at > 0 ? all[at - 1] : at === 0 ? document.getElementById("name") : null,
      ...(at >= 0 && { Home: all[0], End: all.at(-1) }),
    };
    const target = targets[event.key];
    if (!target) return;
    event.preventDefault();
    target.focus();
  }

  function stops(): HTMLElement[] {
    return [...screen.querySelectorAll<HTMLElement>(STOPS)];
  }
}

/** Whether a field's value differs from the page's. */
function isChanged(field: Element): boolean {
  if (field instanceof HTMLSelectElement)
    return ![...field.options].some((option) => option.selected && option.defaultSelected) && field.selectedIndex > 0;
  return field instanceof HTMLInputElement && field.value !== field.defaultValue;
}
