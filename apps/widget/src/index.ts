/**
 * The pages that a bank customer sees behind a `widget_url`. `widget-pages.ts` takes the requests, `steps.ts` is what the forms
 * do, `presenter.ts` and `session-page.ts` choose the page that belongs to where the session stands, `pages/` are the pages and
 * `messages/` their words in four languages. Plain HTML: no script, nothing loaded from anywhere.
 */
export { createWidgetPages, type WidgetDependencies } from "./widget-pages.js";
