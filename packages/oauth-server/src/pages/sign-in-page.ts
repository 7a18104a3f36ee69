import { type FieldProblem, type Html, html, renderDocument, textField } from "@org/pages";
import { clientCard, type PageContext, postForm, waitInWords } from "./page-parts.js";
import type { PageForm, SignInView } from "./page-views.js";
import type { PageWords } from "./words/page-words.js";

/** Step 1: asks for the credentials of an application. The page never repeats what was typed. */
export function signInPage(context: PageContext, view: SignInView): string {
  const { language, words } = context;
  const { client, form, people, cancel } = view;
  const problem = problemInWords(context, view);
  const title = client ? words.signIn.title : words.signIn.ownTitle;
  return renderDocument({
    language,
    title: problem === null ? title : `${words.error}${title}`,
    body: html`${problem !== null && html`<div class="problem" role="alert" id="problem"><p>${problem}</p></div>`}
${client && html`<p class="step">${words.step(1)}</p>`}
<h1>${title}</h1>
<p class="lead">${client ? words.signIn.lead : words.signIn.ownLead}</p>
${client && clientCard(words, client)}
${credentialsForm(words.signIn, form, view.problem)}
${people && personSignIn(words.signIn, people)}${cancel && postForm(cancel, html`<button class="whole" type="submit">${words.signIn.cancel}</button>`)}
<p class="foot">${client ? words.signIn.stored : words.signIn.ownStored}</p>`,
  });
}

function credentialsForm(words: PageWords["signIn"], form: PageForm, problem: SignInView["problem"]): Html {
  // The page does not say which of the two is wrong; both fields are empty again.
  const faults = (name: string, message: string): FieldProblem[] =>
    problem === "missing" ? [{ field: name, message }] : [];
  return postForm(
    form,
    html`${textField(
      {
        name: "client_id",
        label: words.clientId,
        type: "text",
        autocomplete: "username",
        hint: words.clientIdHint,
      },
      faults("client_id", words.enterClientId),
    )}
${textField(
  { name: "client_secret", label: words.clientSecret, type: "password", autocomplete: "current-password" },
  faults("client_secret", words.enterClientSecret),
)}
<button class="first" type="submit">${words.next}</button>`,
  );
}

function personSignIn(words: PageWords["signIn"], people: NonNullable<SignInView["people"]>): Html {
  if ("signOut" in people)
    return html`${postForm(people.signOut, html`<button class="whole" type="submit">${words.leaveConsole}</button>`)}
`;
  return html`<p><a class="more" href="${people.signIn}">${words.asPerson}</a></p>
<p class="quiet">${words.asPersonHint}</p>
`;
}

function problemInWords(
  { language, words: { signIn: words } }: PageContext,
  { problem, retryAfterSeconds }: SignInView,
): string | null {
  if (problem === null) return null;
  if (problem !== "too_many_attempts") return words.problems[problem];
  return words.tooManyAttempts(retryAfterSeconds === null ? null : waitInWords(language, retryAfterSeconds));
}
