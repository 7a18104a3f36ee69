/**
 * The pages that a bank customer sees behind a `widget_url`. `widget-pages.ts` handles the requests, `steps.ts` runs the forms,
 * `widget-state.ts` decides what to show of a session, `draw.ts` and `screens/` draw it, and `presenter.ts` answers with the drawing:
 * as a page, which works without JavaScript, or as JSON for the client in `../client`, which replaces the previous drawing.
 * `client-file.ts` serves the client, and `routes.ts` lists the addresses.
 * `language-choice.ts` picks the language and guesses the customer's country. `messages/` has the texts in four languages.
 */
export { readWidgetClient, type WidgetClient } from "./client-file.js";
export { widgetRoutes } from "./routes.js";
export { createWidgetPages, type WidgetDependencies } from "./widget-pages.js";
