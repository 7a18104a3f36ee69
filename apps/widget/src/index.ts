/**
 * The pages that a bank customer sees behind a `widget_url`. `widget-pages.ts` takes the requests, `steps.ts` is what the forms
 * do, `widget-state.ts` says what there is to show of a session. It is answered as a page by `presenter.ts`, `session-page.ts`
 * and `pages/`, which work without JavaScript, and as JSON by `state-presenter.ts` to the client in `../client`, which takes the
 * pages over where JavaScript runs and which `client-files.ts` serves. `messages/` are the words of both, in four languages.
 */
export { readWidgetClient, type WidgetClient } from "./client-files.js";
export { createWidgetPages, type WidgetDependencies } from "./widget-pages.js";
