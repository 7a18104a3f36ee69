import type { WidgetState } from "../../src/widget-state.js";
import { CancelButton, Heading, MainButton, Problems, StepForm, useScreen } from "../screen.js";

/** What is about to happen, and the Continue button that makes this browser the owner. */
export function Landing({ bank, privacy_notice }: Extract<WidgetState, { screen: "landing" }>) {
  const { messages } = useScreen();
  const steps = bank === null ? [messages.bankTitle, ...messages.landingSteps] : messages.landingSteps;
  return (
    <>
      <Problems />
      <Heading>{bank === null ? messages.landingTitle : messages.landingTitleOf(bank)}</Heading>
      <p className="lead">{messages.landingText}</p>
      <ol className="ahead">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <h2>{messages.privacyHeading}</h2>
      <p className="notice">{privacy_notice ?? messages.defaultPrivacyNotice}</p>
      <StepForm step="continue">
        <MainButton />
      </StepForm>
      <CancelButton />
    </>
  );
}
