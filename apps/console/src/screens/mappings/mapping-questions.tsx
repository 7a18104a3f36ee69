import type { QuestionCode } from "@org/feed-mapping";
import type { MappingEdit } from "@org/feed-mapping/columns";
import type { AnswerOf } from "../../api/paths.js";
import { labelled, useLanguage, useWords } from "../../language/language.js";
import { Button } from "../../parts/button.js";
import { SelectField } from "../../parts/fields.js";
import { dataWords } from "../connections/data-words.js";
import { questionWords } from "./question-words.js";

type Question = AnswerOf<"/operator/v1/datafeed-mappings/draft">["to_decide"][number];
type Answer = Question["answers"][number];

/** With more answers they are in a list. */
const MAX_BUTTONS = 8;

/** What a draft leaves open, with answers to click. */
export function MappingQuestions({
  questions,
  answered,
  onAnswer,
  onReopen,
}: {
  readonly questions: readonly Question[];
  /** The answers that were given, by the question's position. */
  readonly answered: ReadonlyMap<number, Answer>;
  readonly onAnswer: (index: number, answer: Answer) => void;
  readonly onReopen: (index: number) => void;
}) {
  const words = useWords(questionWords);
  const wording = useAnswerWords();
  const isOpen = questions.some((_, index) => !answered.has(index));
  return (
    <section aria-label={words.title} className="questions">
      <h2>{words.title}</h2>
      {!isOpen && <p role="status">{words.none}</p>}
      <ol>
        {questions.map((question, index) => {
          const [first = "", second = "", third = ""] = question.about;
          const said = words.questions[question.code as QuestionCode]?.(first, second, third) ?? question.question;
          const given = answered.get(index);
          return (
            <li key={index} className={given ? "answered" : undefined}>
              {given ? (
                <>
                  <span>
                    {said} <strong>{wording(question, given)}</strong>
                  </span>{" "}
                  <Button look="plain" aria-label={labelled(words.change, said)} onClick={() => onReopen(index)}>
                    {words.change}
                  </Button>
                </>
              ) : question.answers.length > MAX_BUTTONS ? (
                <SelectField
                  label={said}
                  value=""
                  options={[
                    { value: "", label: words.choose },
                    ...question.answers.map((answer, at) => ({ value: String(at), label: wording(question, answer) })),
                  ]}
                  onChange={(at) => {
                    const answer = question.answers[Number(at)];
                    if (at !== "" && answer) onAnswer(index, answer);
                  }}
                />
              ) : (
                // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
                <div role="group" aria-label={said}>
                  <p>{said}</p>
                  {question.answers.length === 0 && <p className="quiet">{words.inTable}</p>}
                  <div className="actions">
                    {question.answers.map((answer) => (
                      <Button key={`${answer.says} ${answer.value}`} onClick={() => onAnswer(index, answer)}>
                        {wording(question, answer)}
                      </Button>
                    ))}
                  </div>
                </div>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** The changes of an answer. */
export function editsOf({ edits }: Answer): readonly MappingEdit[] {
  return edits as unknown as readonly MappingEdit[];
}

function useAnswerWords(): (question: Question, answer: Answer) => string {
  const { answers } = useWords(questionWords);
  const kinds: Readonly<Record<string, string>> = useWords(dataWords).kinds;
  const language = useLanguage();
  const of = (words: Readonly<Record<string, string>>, name: string) => words[name];
  return ({ code }, { says, value }) => {
    switch (says) {
      case "yes":
        return of(answers.yes, code) ?? answers.yesElse;
      case "no":
        return of(answers.no, code) ?? answers.noElse;
      case "thousands":
        return answers.thousands(value);
      case "fraction":
        return answers.fraction();
      case "by_money":
        return answers.by_money(value);
      case "kind":
        return value === "ignored" ? answers.ignored : (kinds[value] ?? value);
      case "day":
        return dayIn(language, value);
      default:
        if (code === "price_unit")
          return says === "column" ? answers.price_unit_by(value) : (of(answers.price_unit, value) ?? value);
        return of(answers.decimal, value) ?? value;
    }
  };
}

/** A day with the name of its month; as it stands if it is none. */
function dayIn(language: string, day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(at.getTime())) return day;
  return new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(at);
}
