/**
 * The pages that a bank customer sees behind a `widget_url`. `widget-pages.ts` takes the requests, `steps.ts` is what the forms
 * do, `widget-state.ts` says what there is to show of a session, `draw.ts` and `screens/` draw it, and `presenter.ts` answers with
 * the drawing: as a page, which works without JavaScript, or as JSON to the client in `../client`, which puts it in the place of
 * the last one. `client-file.ts` serves the client, `routes.ts` lists the addresses.
 * `language-choice.ts` says in which language, and where the customer may be. `messages/` are the words, in four languages.
 */
export { readWidgetClient, type WidgetClient } from "./client-file.js";
export { widgetRoutes } from "./routes.js";
export { createWidgetPages, type WidgetDependencies } from "./widget-pages.js";
