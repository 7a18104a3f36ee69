/**
 * The script of a view: it introduces itself to the host, shows the tool's answer, and requests what is missing through the host. It loads
 * nothing and stores nothing.
 */
import { createRoot } from "react-dom/client";
import type { ShownTool } from "../src/answer.js";
import { connectHost, type HostContext } from "./host.js";
import { followContext } from "./host-context.js";
import { View } from "./view.js";
import { createViewStore } from "./view-state.js";

const main = document.querySelector("main");
const tool = document.documentElement.dataset.tool as ShownTool;

if (main) {
  const root = createRoot(main);
  let context: HostContext = {};
  const draw = (callsTools: boolean) =>
    root.render(<View tool={tool} store={store} context={context} callsTools={callsTools} />);

  const host = connectHost({
    onArguments: (args) => store.took(args),
    onResult: (result) => store.gotResult(result),
    onCancelled: () => store.cancelled(),
    onContext: (change) => void host.then(({ callsTools }) => follow(change, callsTools)),
  });
  const store = createViewStore(tool, host);
  const follow = (change: HostContext, callsTools: boolean) => {
    context = { ...context, ...change };
    followContext(context);
    draw(callsTools);
  };

  draw(false);
  void host.then(({ context: first, callsTools, resized }) => {
    follow(first, callsTools);
    new ResizeObserver(() => resized(Math.ceil(document.documentElement.getBoundingClientRect().height))).observe(
      document.documentElement,
    );
  });
}
