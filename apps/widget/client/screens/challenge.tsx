import { APPROVAL, isApproval } from "../../src/approval.js";
import type { WidgetState } from "../../src/widget-state.js";
import { Field } from "../field.js";
import { CancelButton, Heading, MainButton, Problems, StepForm, useScreen } from "../screen.js";

type Asked = Extract<WidgetState, { screen: "challenge" }>;

/** What the bank asks for beyond the password: a code to type, or an approval elsewhere. */
export function Challenge({ kind, message, qr, refused }: Asked) {
  const { messages, faults } = useScreen();
  return (
    <>
      <Problems refused={refused} rejected={messages.rejectedAnswer} />
      <Heading failed={refused !== null || faults.length > 0}>{messages.challengeTitle}</Heading>
      <p className="lead">{messages.challengeText[kind]}</p>
      <div className="card">
        <p className="quiet">{messages.bankSays}</p>
        <p lang="en" role="status">
          {message}
        </p>
      </div>
      {qr && <QrToScan {...qr} />}
      <StepForm step="answer">
        {isApproval(kind) ? (
          <input type="hidden" name="answer" value={APPROVAL} />
        ) : (
          <Field name="answer" label={messages.answer} autoComplete="one-time-code" />
        )}
        <MainButton />
      </StepForm>
      <CancelButton />
    </>
  );
}

/** Drawn again whenever the bank has a new one, and not read out again: to who listens it stays the same picture. */
function QrToScan({ text, drawing }: NonNullable<Asked["qr"]>) {
  const { messages } = useScreen();
  return (
    <>
      {drawing && (
        <svg
          className="qr"
          role="img"
          aria-label={messages.qrLabel}
          viewBox={`0 0 ${drawing.size} ${drawing.size}`}
          shapeRendering="crispEdges"
        >
          <path fill="#ffffff" d={`M0 0h${drawing.size}v${drawing.size}h-${drawing.size}z`} />
          <path fill="#000000" d={drawing.path} />
        </svg>
      )}
      <details>
        <summary>{messages.qrAsText}</summary>
        <p>{text}</p>
      </details>
    </>
  );
}
