import type { SessionLanguage } from "@org/core";
import { type FieldProblem, html, problemSummary, renderDocument, textField } from "@org/pages";
import { type LoginProblem, sandboxWords } from "./login-words.js";

/** The page on which a customer logs in at an invented bank, and agrees to share data or declines. */
export function sandboxLoginPage(
  language: SessionLanguage,
  {
    bank,
    action,
    problem,
  }: { readonly bank: string | null; readonly action: string; readonly problem: LoginProblem | null },
): string {
  const words = sandboxWords[language];
  const title = words.title(bank ?? words.someBank);
  const problems: readonly FieldProblem[] =
    problem === null
      ? []
      : [{ field: problem === "no_username" ? "username" : null, message: words.problems[problem] }];
  return renderDocument({
    language,
    title: problems.length > 0 ? `${words.errorPrefix}: ${title}` : title,
    body: html`${problemSummary(words.errorHeading, problems)}
<h1>${title}</h1>
<p class="notice">${words.invented}</p>
<form method="post" action="${action}" accept-charset="utf-8">
${textField({ name: "username", label: words.username, type: "text", autocomplete: "off" }, problems)}
${textField({ name: "password", label: words.password, type: "password", autocomplete: "off", hint: words.passwordHint }, problems)}
<p>${words.consent}</p>
<div class="actions"><button class="first" type="submit" name="decision" value="agree">${words.agree}</button>
<button type="submit" name="decision" value="decline">${words.decline}</button></div></form>`,
  });
}

/** The page for an address that does not belong to a login. */
export function sandboxLostPage(language: SessionLanguage): string {
  const { lostTitle, lostText } = sandboxWords[language];
  return renderDocument({
    language,
    title: lostTitle,
    body: html`<h1>${lostTitle}</h1>
<p class="lead">${lostText}</p>`,
  });
}
