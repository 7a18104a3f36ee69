import { useEffect, useState } from "react";
import { CancelButton, Heading, useScreen } from "../screen.js";

/** After so long, people wonder whether anything still happens. */
const LONG_MS = 4_000;

/** Shown while the bank is being asked. */
export function Processing() {
  const { messages } = useScreen();
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <div className="waiting" aria-hidden="true" />
      <Heading>{messages.processingTitle}</Heading>
      <div role="status">
        <p className="lead">{messages.processingText}</p>
        {long && <p>{messages.processingLonger}</p>}
      </div>
      <CancelButton />
    </>
  );
}
