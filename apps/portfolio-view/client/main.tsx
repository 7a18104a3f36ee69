/**
 * The script of a view: it introduces itself to the host, shows the tool's answer, and requests what is missing through the host. It loads
 * nothing and stores nothing.
 */
import type { ComponentType } from "react";
import { createRoot } from "react-dom/client";
import { type RowTool, rowReading, rowTools } from "../src/answer.js";
import { type FigureTool, figureReading } from "../src/figure.js";
import type { Paged, Reading } from "../src/reading.js";
import type { ShownTool } from "../src/shown-tools.js";
import { figureView } from "./figure-view.js";
import { connectHost, type HostContext } from "./host.js";
import { followContext } from "./host-context.js";
import { rowsView } from "./rows-view.js";
import { type ContentProps, View } from "./view.js";
import { createViewStore } from "./view-state.js";

const main = document.querySelector("main");
const tool = document.documentElement.dataset.tool as ShownTool;

if (main) {
  if (isRowTool(tool)) run(main, tool, rowReading(tool), rowsView(tool));
  else run(main, tool, figureReading, figureView(tool));
}

function run<A extends Paged>(
  main: HTMLElement,
  tool: ShownTool,
  reading: Reading<A>,
  Content: ComponentType<ContentProps<A>>,
): void {
  const root = createRoot(main);
  let context: HostContext = {};
  const draw = (callsTools: boolean) => root.render(<View {...{ tool, store, Content, context, callsTools }} />);

  const host = connectHost({
    onArguments: (args) => store.took(args),
    onResult: (result) => store.gotResult(result),
    onCancelled: () => store.cancelled(),
    onContext: (change) => void host.then(({ callsTools }) => follow(change, callsTools)),
  });
  const store = createViewStore(tool, reading, host);
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

function isRowTool(name: RowTool | FigureTool): name is RowTool {
  return (rowTools as readonly string[]).includes(name);
}
