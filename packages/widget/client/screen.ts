import { reconcile } from "./reconcile.js";

/** A screen as the server draws it. */
export interface Drawing {
  readonly title: string;
  /** One element, in which the server has escaped whatever it put in. */
  readonly html: string;
}

/** Takes over the screen that the page came with: as it is, with what was typed and the cursor where it was. */
export function takeOver(screen: HTMLElement): void {
  screen.classList.add("screen");
  attachHandlers(screen);
  screen.addEventListener("change", showPassword);
  screen.addEventListener("click", goToField);
  screen.addEventListener("click", closePanel);
  screen.addEventListener("keydown", closePanel);
}

/** Shows a new step: nothing of the last one stays, and the keyboard and the screen reader are led to its beginning. */
export function show(screen: HTMLElement, drawing: Drawing): void {
  screen.replaceChildren();
  update(screen, drawing);
  focusOn(screen.querySelector("h1"));
  scrollTo(0, 0);
}

/** Shows the same step as it is now: what was typed stays, and so does the focus. */
export function update(screen: HTMLElement, { title, html }: Drawing): void {
  const next = parsed(html);
  next.className = screen.className;
  reconcile(screen, next);
  // The name of the product stays behind it.
  document.title = title + document.title.slice(document.title.lastIndexOf(" – "));
}

/** What the server has drawn, as it is where the client runs. */
export function parsed(html: string): HTMLElement {
  const template = document.createElement("template");
  template.innerHTML = html;
  const element = template.content.firstElementChild as HTMLElement;
  attachHandlers(element);
  return element;
}

/** Moves the focus to something that is read, not typed into. */
export function focusOn(element: HTMLElement | null): void {
  if (!element) return;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** Puts what is of use only here in the place of its template, now or later, and takes away what is of use only elsewhere. */
function attachHandlers(element: HTMLElement): void {
  for (const each of element.querySelectorAll("[data-unscripted]")) each.remove();
  for (const template of element.querySelectorAll<HTMLTemplateElement>("template[data-after-seconds]")) {
    const fill = () => template.replaceWith(template.content);
    const seconds = Number(template.dataset.afterSeconds);
    if (seconds > 0) setTimeout(fill, seconds * 1_000);
    else fill();
  }
}

/** A panel above the screen closes by its links, which lead nowhere else then, and by Escape. */
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

/** From a problem to its field without an entry in the history, at which the back button would stop. */
function goToField(event: Event): void {
  const link = (event.target as Element).closest(".problem a");
  const field = link && document.getElementById(link.getAttribute("href")?.slice(1) ?? "");
  if (!field) return;
  event.preventDefault();
  field.focus();
}
