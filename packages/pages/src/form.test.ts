import { describe, expect, it } from "vitest";
import { choiceField, problemSummary, textField } from "./form.js";

const field = { name: "code", label: "Code", type: "text", autocomplete: "off" } as const;
const problem = { field: "code", message: "Enter <the> code" };

describe("a field", () => {
  it("has its label, and is described by nothing when there is nothing to say", () => {
    const { text } = textField(field);
    expect(text).toContain(`<label for="code">Code</label>`);
    expect(text).toContain(`<input id="code" name="code" type="text" autocomplete="off"`);
    expect(text).not.toMatch(/aria-|value=/);
  });

  it.each([
    ["a hint", { hint: "Six digits" }, [], "code-hint"],
    ["a fault", {}, [problem], "code-fault"],
    ["both", { hint: "Six digits" }, [problem], "code-hint code-fault"],
  ])("with %s is described by it (WCAG 2.2, 1.3.1, 3.3.1)", (_, extra, problems, ids) => {
    const { text } = textField({ ...field, ...extra }, problems);
    expect(text).toContain(` aria-describedby="${ids}">`);
    for (const id of ids.split(" ")) expect(text).toContain(`id="${id}"`);
    expect(text.includes(`aria-invalid="true"`)).toBe(problems.length > 0);
  });

  it("a fault of another field is not its own", () => {
    expect(textField(field, [{ field: "name", message: "no" }]).text).not.toContain("fault");
  });
});

describe("a choice", () => {
  const options = ["app", "sms", "card", "mail", "letter", "dog"].map((value) => ({ value, label: `By <${value}>` }));
  const choice = { name: "way", label: "How", unchosen: "Choose one", required: true, hint: "As at the counter" };

  it("of a few shows them all: the first has the field's id, which the summary leads to, and nothing is chosen", () => {
    const { text } = choiceField({ ...choice, options: options.slice(0, 5) }, [{ field: "way", message: "Choose" }]);
    expect(text).toContain(
      `<fieldset role="radiogroup" aria-invalid="true" aria-describedby="way-hint way-fault"><legend class="label">How</legend>`,
    );
    expect(text.match(/<input type="radio" id="way" name="way" value="app">/)).not.toBeNull();
    expect(text.match(/id="way-\d"/g)).toEqual(["2", "3", "4", "5"].map((number) => `id="way-${number}"`));
    expect(text).not.toMatch(/checked|selected|Choose one/);
  });

  it.each([
    ["of more", { options }],
    ["that may be left out", { options: options.slice(0, 2), required: false }],
  ])("%s is a list, which begins with what says that nothing is chosen", (_, extra) => {
    const { text } = choiceField({ ...choice, ...extra } as Parameters<typeof choiceField>[0]);
    expect(text).toContain(`<label for="way">How</label>`);
    expect(text).toContain(
      `<select id="way" name="way" aria-describedby="way-hint"><option value="">Choose one</option><option value="app">By &#60;app&#62;</option>`,
    );
  });
});

describe("the summary", () => {
  it("is nothing without problems", () => {
    expect(problemSummary("Problem", [])).toBeNull();
  });

  it("is an alert that links each problem to its field, where it has one", () => {
    expect(problemSummary("Problem", [problem, { field: null, message: "Late" }])?.text).toBe(
      `<div class="problem" role="alert"><h2>Problem</h2><ul><li><a href="#code">Enter &#60;the&#62; code</a></li><li>Late</li></ul></div>`,
    );
  });
});
