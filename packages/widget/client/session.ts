import type { StateAnswer } from "../src/presenter.js";
import { focusOn, show, update } from "./screen.js";

/** The session on the server, which decides what to show. */
export interface Session {
  /** Sends a form. Only one is sent at a time, so that a double click counts once. */
  send(form: HTMLFormElement, button?: HTMLElement | null): void;
  /** Polls the session. @param language to switch to, when the customer has chosen one */
  look(language?: string): void;
}

/** A request that takes longer counts as failed. */
const TIMEOUT_MS = 30_000;
/** Delay before the next attempt when the server cannot be reached. */
const RETRY_MS = 3_000;

/**
 * Keeps the screen up to date: after each form, when the page becomes visible again, and at the interval that the screen
 * specifies.
 * @param path the session's address, `/connect/<link>`
 * @param onShown called after each change of the screen
 */
export function createSession(path: string, screen: HTMLElement, onShown: () => void): Session {
  let isUnreachable = false;
  let isSending = false;
  let isLooking = false;
  let nextLook: ReturnType<typeof setInterval> | undefined;
  // Answers to earlier requests must not overwrite later ones.
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
      // On a slow connection, polls must not pile up and replace each other.
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
    showUnreachable(answer === null);
    if (answer?.leads_to) location.assign(answer.leads_to);
    else if (answer?.drawing) redraw(answer, answer.drawing, isForm);
    schedule();
  }

  /** A new step begins with another screen, and with every accepted form. */
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

  /** Shows or removes the notice above the screen, which stays unchanged. */
  function showUnreachable(isNow: boolean): void {
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
 * Sends a request. Refusals are answers too: they contain what to show. Anything else, such as a proxy's page, throws, and so does a
 * 503, so that typed text stays.
 */
async function ask(url: string, init: RequestInit = {}): Promise<StateAnswer> {
  const headers = { Accept: "application/json" };
  const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (response.status === 503) throw new TypeError("not now");
  const answer: StateAnswer = await response.json();
  if (answer?.state === undefined) throw new TypeError("not an answer of the widget");
  return answer;
}
