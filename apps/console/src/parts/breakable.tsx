import { Fragment, type ReactNode } from "react";

/** A text whose addresses (of mail, of pages) may go on in the next line after their marks, as words do after a blank; what is no text as it is. */
export function breakable(content: ReactNode): ReactNode {
  if (typeof content !== "string" || !/[@._/:]\S/.test(content)) return content;
  return content.split(/(?<=[@._/:])(?=[^\s@._/:\d])/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
