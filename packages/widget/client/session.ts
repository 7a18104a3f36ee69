import type { StateAnswer } from "../src/presenter.js";
import { focusOn, show, update } from "./screen.js";

/** The session on the server, which says what to show. */
export interface Session {
  /** Sends a form, one at a time, so that a double click counts once. */
  send(form: HTMLFormElement, button?: HTMLElement | null): void;
  /** Asks where the session stands. @param language to show it in from now on, where the customer has switched */
  look(language?: string): void;
}

/** A call that takes longer counts as one that does not get through. */
const TIMEOUT_MS = 30_000;
/** How soon to try again when the server could not be reached. */
const RETRY_MS = 3_000;

/**
 * Keeps the screen at what the server says: after each form, when the page is seen again, and every so many seconds, which the
 * screen itself says.
 * @param path the session's address, `/connect/<link>`
 * @param onShown called after each change of the screen
 */
export function createSession(path: string, screen: HTMLElement, onShown: () => void): Session {
  let isUnreachable = false;
  let isSending = false;
  let isLooking = false;
  let nextLook: ReturnType<typeof setInterval> | undefined;
  // Answers that were asked for earlier must not undo later ones.
  let latest = 0;

  const session: Session = {
    async send(form, button = null) {
      if (isSending) return;
      isSending = true;
      const body = new URLSearchParams([...new FormData(form, button)].map(([name, value]) => [name, String(value)]));
      mark(true, button);
      await take(() => ask(form.getAttribute("action") ?? path, { method: "POST", body }), true);
      isSending = false;
      mark(false, button);
    },
    async look(language) {
      // On a slow line the next look must not overtake this one again and again.
      if (isSending || (isLooking && language === undefined)) return;
      isLooking = true;
      const switched = language === undefined ? "" : `&language=${language}`;
      await take(() => ask(`${path}/state?seen=${screen.dataset.version}${switched}`), false);
      isLooking = false;
    },
  };

  const seenAgain = () => {
    if (document.visibilityState === "visible") session.look();
  };
  document.addEventListener("visibilitychange", seenAgain);
  addEventListener("online", seenAgain);
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) session.look();
  });
  schedule();
  return session;

  async function take(question: () => Promise<StateAnswer>, isForm: boolean): Promise<void> {
    latest += 1;
    const turn = latest;
    const answer = await question().catch(() => null);
    if (turn !== latest) return;
    tellUnreachable(answer === null);
    if (answer?.leads_to) location.assign(answer.leads_to);
    else if (answer?.drawing) redraw(answer, answer.drawing, isForm);
    schedule();
  }

  /** A new step begins with another screen, and with every form that was taken. */
  function redraw(answer: StateAnswer, drawing: NonNullable<StateAnswer["drawing"]>, isForm: boolean): void {
    document.documentElement.lang = answer.language;
    const isNew = screen.dataset.screen !== answer.state.screen || (isForm && answer.faults.length === 0);
    if (isNew) show(screen, drawing);
    else update(screen, drawing);
    if (isForm && answer.faults.length > 0) focusOn(screen.querySelector<HTMLElement>(".problem"));
    onShown();
  }

  function schedule(): void {
    clearInterval(nextLook);
    const pause = isUnreachable ? RETRY_MS : Number(screen.dataset.lookAgainSeconds ?? 0) * 1_000;
    if (pause > 0) nextLook = setInterval(seenAgain, pause);
  }

  function mark(busy: boolean, button: HTMLElement | null): void {
    screen.setAttribute("aria-busy", String(busy));
    button?.setAttribute("aria-disabled", String(busy));
  }

  /** Above the screen, which stays as it is. */
  function tellUnreachable(isNow: boolean): void {
    if (isNow === isUnreachable) return;
    isUnreachable = isNow;
    const template = document.querySelector<HTMLTemplateElement>("template#unreachable");
    if (isNow && template) {
      screen.before(template.content.cloneNode(true));
      screen.previousElementSibling?.querySelector("button")?.addEventListener("click", () => session.look());
    } else screen.previousElementSibling?.remove();
  }
}

/**
 * Refusals are answers too: they say what to show. Anything else that is not ours, such as a proxy's page, is not, nor is that the
 * server cannot answer just now: what is typed stays where it is.
 */
async function ask(url: string, init: RequestInit = {}): Promise<StateAnswer> {
  const headers = { Accept: "application/json" };
  const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.status === 503) throw new TypeError("not now");
  const answer: StateAnswer = await response.json();
  if (answer?.state === undefined) throw new TypeError("not an answer of the widget");
  return answer;
}
