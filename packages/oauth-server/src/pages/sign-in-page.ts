import { type FieldProblem, type Html, html, renderDocument, textField } from "@org/pages";
import { clientCard, postForm, waitInWords } from "./page-parts.js";
import type { PageForm, SignInView } from "./page-views.js";

/** Step 1: asks for the credentials of an application. The page never repeats what was typed. */
export function signInPage(view: SignInView): string {
  const { client, form, people, cancel } = view;
  const problem = problemInWords(view);
  const title = client ? "Sign in to continue" : "Sign in to see your access";
  return renderDocument({
    language: "en",
    title: problem === null ? title : `Error: ${title}`,
    body: html`${problem !== null && html`<div class="problem" role="alert" id="problem"><p>${problem}</p></div>`}
${client && html`<p class="step">Step 1 of 2</p>`}
<h1>${title}</h1>
${client ? html`<p class="lead">An app wants to use your investment data. On the next page you decide what it may do.</p>` : html`<p class="lead">See which apps have access to your investments, and end that access if you wish.</p>`}
${client && clientCard(client)}
${credentialsForm(form, view.problem)}
${people && personSignIn(people)}${cancel && postForm(cancel, html`<button class="whole" type="submit">Cancel</button>`)}
<p class="foot">${client ? "The app never sees these credentials. They" : "Your credentials"} are stored encrypted, and this browser remembers them for 30 days.</p>`,
  });
}

function credentialsForm(form: PageForm, problem: SignInView["problem"]): Html {
  // The page does not say which of the two is wrong; both fields are empty again.
  const faults = (name: string, message: string): FieldProblem[] =>
    problem === "missing" ? [{ field: name, message }] : [];
  return postForm(
    form,
    html`${textField(
      {
        name: "client_id",
        label: "Client ID",
        type: "text",
        autocomplete: "username",
        hint: "Your account manager gave it to you. It begins with wca_.",
      },
      faults("client_id", "Enter the client ID"),
    )}
${textField(
  { name: "client_secret", label: "Client secret", type: "password", autocomplete: "current-password" },
  faults("client_secret", "Enter the client secret"),
)}
<button class="first" type="submit">Continue</button>`,
  );
}

function personSignIn(people: NonNullable<SignInView["people"]>): Html {
  if ("signOut" in people)
    return html`${postForm(people.signOut, html`<button class="whole" type="submit">Sign out of the console</button>`)}
`;
  return html`<p><a class="more" href="${people.signIn}">Sign in as a person</a></p>
<p class="quiet">With your own passkey or your company's sign-in, if your organisation has given you an account here.</p>
`;
}

function problemInWords({ problem, retryAfterSeconds }: SignInView): string | null {
  switch (problem) {
    case null:
      return null;
    case "missing":
      return "Enter both the client ID and the client secret.";
    case "wrong_credentials":
      return "These credentials were not accepted. Check both, then enter them again.";
    case "operator":
      return "You are signed in as an operator of this server. Operators have no investments to share, and cannot approve for those who have. Sign out and sign in as a person of the organisation, or enter its credentials.";
    case "too_many_attempts":
      return `Too many attempts. Try again ${retryAfterSeconds === null ? "later" : waitInWords(retryAfterSeconds)}.`;
  }
}
