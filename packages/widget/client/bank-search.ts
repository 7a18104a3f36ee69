import type { BanksAnswer } from "../src/widget-pages.js";
import { reconcile } from "./reconcile.js";
import { parsed } from "./screen.js";

/** Keys pressed within this time make one question. */
const TYPING_MS = 80;
/** What the keyboard moves along: banks to choose, and those that only say how they are connected. */
const STOPS = ".banks button, .banks summary";

/** The choice of bank, whenever the screen is it. */
export interface BankSearch {
  /** For a screen that has just been shown. */
  begin(): void;
}

/**
 * Finds banks while their name is typed. What was found last stays until the next answer, and a late answer is not taken.
 * @param path the session's address
 * @param look called when the session may be elsewhere, or the server out of reach
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
      // A browser may have put back what was typed here before.
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
      // Looking says whether the server can be reached; the next key asks again.
      if (!signal.aborted) look();
    }
  }

  /** One stop of the Tab key; the arrow keys, Home and End move within. */
  function prepareList(): void {
    screen.querySelector(".banks")?.setAttribute("aria-describedby", "list-keys");
    const stop = stops().find((each) => each === document.activeElement) ?? stops()[0];
    if (stop) makeStop(stop);
  }

  function makeStop(stop: HTMLElement): void {
    for (const each of stops()) each.tabIndex = each === stop ? 0 : -1;
  }

  /** Moves the focus within the list, into it from the search field, and out of its top back there. */
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

/** Whether a field holds something else than the page gave it. */
function isChanged(field: Element): boolean {
  if (field instanceof HTMLSelectElement)
    return ![...field.options].some((option) => option.selected && option.defaultSelected) && field.selectedIndex > 0;
  return field instanceof HTMLInputElement && field.value !== field.defaultValue;
}
