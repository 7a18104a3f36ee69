import { Component, type ErrorInfo, type ReactNode } from "react";
import { useWords } from "../language/language.js";
import { Button } from "../parts/button.js";
import { shellWords } from "./shell-words.js";

/** Replaces a screen that failed to render; the rest of the page keeps working. */
export class Boundary extends Component<{ readonly children: ReactNode }, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error(error, info.componentStack);
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <Failed /> : this.props.children;
  }
}

/** The usual cause is an update: the code of this version is no longer served. */
function Failed() {
  const words = useWords(shellWords);
  return (
    <div className="problem" role="alert">
      <h1>{words.failedTitle}</h1>
      <p>{words.failedText}</p>
      <Button onClick={() => location.reload()}>{words.reload}</Button>
    </div>
  );
}
