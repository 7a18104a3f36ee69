import type { WidgetState } from "../../src/widget-state.js";
import { Field } from "../field.js";
import { CancelButton, Heading, MainButton, Problems, StepForm, useScreen } from "../screen.js";

/** Where the customer types what the bank asks for at login. */
export function Credentials({ bank, bank_fixed, fields, refused }: Extract<WidgetState, { screen: "credentials" }>) {
  const { messages, language, session, faults } = useScreen();
  return (
    <>
      <Problems refused={refused} rejected={messages.rejectedCredentials} />
      <Heading failed={refused !== null || faults.length > 0}>{messages.credentialsTitle(bank.name)}</Heading>
      <p className="lead">{messages.credentialsText}</p>
      <StepForm step="credentials">
        {fields.map(({ name, label, hint }) => (
          <Field
            key={name}
            name={name}
            label={label?.[language] ?? messages[name]}
            hint={hint?.[language]}
            secret={name === "password"}
            autoComplete={name === "password" ? "current-password" : "username"}
          />
        ))}
        <MainButton />
      </StepForm>
      <div className="stack">
        {!bank_fixed && (
          <button className="whole" type="button" onClick={() => session.send("change-bank")}>
            {messages.chooseAnotherBank}
          </button>
        )}
        <CancelButton />
      </div>
    </>
  );
}
