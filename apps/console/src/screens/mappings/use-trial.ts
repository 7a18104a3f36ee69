import { useEffect, useState } from "react";
import { ApiProblem } from "../../api/api-problem.js";
import { call } from "../../api/call.js";
import type { AnswerOf } from "../../api/paths.js";
import { objectIn } from "../../listing/json-field.js";
import type { Sample } from "./sample-file.js";

export type Trial = AnswerOf<"/operator/v1/datafeed-mappings/test">;

/** A pause in typing and clicking before the mapping is tried. */
const PAUSE_MS = 350;
/** The rows that are shown, and so tried. */
const SHOWN = 100;

/** Tries the mapping on the file whenever one of them changes. The last result stays until there is another. */
export function useTrial(sample: Sample | null, text: string, isWhole: boolean) {
  const [trial, setTrial] = useState<{ readonly result: Trial | null; readonly problem: ApiProblem | null }>({
    result: null,
    problem: null,
  });
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    const mapping = objectIn(text);
    if (sample === null || mapping === null || !isWhole) {
      setTrial({ result: null, problem: null });
      return;
    }
    const ending = new AbortController();
    setBusy(true);
    const timer = setTimeout(() => {
      call("/operator/v1/datafeed-mappings/test", { ...sample.body, mapping, limit: SHOWN }, ending.signal)
        .then((result) => setTrial({ result, problem: null }))
        .catch((error: unknown) => {
          if (error instanceof ApiProblem) setTrial({ result: null, problem: error });
        })
        .finally(() => {
          if (!ending.signal.aborted) setBusy(false);
        });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [sample, text, isWhole]);
  return { ...trial, isBusy };
}
