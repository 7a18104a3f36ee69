import { describe, expect, it } from "vitest";
import { problemSummary, textField } from "./form.js";

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
