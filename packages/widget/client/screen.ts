import { reconcile } from "./reconcile.js";

/** A screen as drawn by the server. */
export interface Drawing {
  readonly title: string;
  /** A single element; the server has escaped everything it inserted. */
  readonly html: string;
}

/** Takes over the screen of the page as it is, with typed text and cursor. */
export function takeOver(screen: HTMLElement): void {
  screen.classList.add("screen");
  attachHandlers(screen);
  screen.addEventListener("change", showPassword);
  screen.addEventListener("click", goToField);
  screen.addEventListener("click", closePanel);
  screen.addEventListener("keydown", closePanel);
}

/** Shows a new step: nothing of the last one stays, and keyboard and screen reader go to its beginning. */
export function show(screen: HTMLElement, drawing: Drawing): void {
  screen.replaceChildren();
  update(screen, drawing);
  focusOn(screen.querySelector("h1"));
  scrollTo(0, 0);
}

/** Updates the current step, keeping typed text and focus. */
export function update(screen: HTMLElement, { title, html }: Drawing): void {
  const next = parsed(html);
  next.className = screen.className;
  reconcile(screen, next);
  // Keeps the product name at the end.
  document.title = title + document.title.slice(document.title.lastIndexOf(" – "));
}

/** Parses a drawing of the server and applies what depends on scripting. */
export function parsed(html: string): HTMLElement {
  const template = document.createElement("template");
  template.innerHTML = html;
  const element = template.content.firstElementChild as HTMLElement;
  attachHandlers(element);
  return element;
}

/** Focuses an element that is read, not typed into. */
export function focusOn(element: HTMLElement | null): void {
  if (!element) return;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** Replaces templates by their content, immediately or after a delay, and removes elements that are for pages without scripts. */
function attachHandlers(element: HTMLElement): void {
  for (const each of element.querySelectorAll("[data-unscripted]")) each.remove();
  for (const template of element.querySelectorAll<HTMLTemplateElement>("template[data-after-seconds]")) {
    const fill = () => template.replaceWith(template.content);
    const seconds = Number(template.dataset.afterSeconds);
    if (seconds > 0) setTimeout(fill, seconds * 1_000);
    else fill();
  }
}

/** Closes a panel above the screen with its links, which then lead nowhere, and with Escape. */
function closePanel(event: Event): void {
  const target = event.target as Element;
  if (event instanceof KeyboardEvent ? event.key !== "Escape" : !target.closest(".panel a")) return;
  const panel = target.closest<HTMLDetailsElement>(".top [open]");
  if (!panel) return;
  event.preventDefault();
  panel.open = false;
  panel.querySelector("summary")?.focus();
}

function showPassword({ target }: Event): void {
  if (!(target instanceof HTMLInputElement)) return;
  const field = document.getElementById(target.dataset.reveals ?? "");
  if (field instanceof HTMLInputElement) field.type = target.checked ? "text" : "password";
}

/** Goes from a problem to its field without a history entry, at which the back button would stop. */
function goToField(event: Event): void {
  const link = (event.target as Element).closest(".problem a");
  const field = link && document.getElementById(link.getAttribute("href")?.slice(1) ?? "");
  if (!field) return;
  event.preventDefault();
  field.focus();
}
