/**
 * The client of the bank customer's pages: takes over `main` of a page that works without it, shows the same steps without
 * loading pages, and goes on by itself. It keeps nothing: where the session stands is the server's to say.
 */
import { createRoot } from "react-dom/client";
import { App } from "./app.js";
import { createSessionClient } from "./session-client.js";
import { typedSoFar } from "./typed-so-far.js";

const main = document.querySelector("main");
const path = /^.*\/connect\/[^/]+/.exec(location.pathname)?.[0];

if (main && path) {
  const client = createSessionClient(path);
  // While the server cannot be reached the page stays as it is, which works too.
  client.state().then(
    (first) => {
      const typed = typedSoFar(main);
      const root = createRoot(main);
      root.render(<App client={client} first={first} typed={typed} />);
    },
    () => {},
  );
}
