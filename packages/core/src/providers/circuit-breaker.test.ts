import { describe, expect, it } from "vitest";
import { type CallAdmission, createCircuitBreaker } from "./circuit-breaker.js";

const settings = { failures: 3, open_ms: 100, longest_open_ms: 300 };

type Step =
  | ["fail" | "straggler fails" | "succeed" | "abandon" | "straggler abandons", number]
  | ["admits" | "refuses", number]
  | ["is", number, string];

describe("a circuit breaker", () => {
  it.each<[string, Step[]]>([
    [
      "lets calls through while fewer than three fail in a row",
      [
        ["fail", 0],
        ["fail", 1],
        ["admits", 2],
        ["is", 2, "closed"],
      ],
    ],
    [
      "forgets failures after a success",
      [
        ["fail", 0],
        ["fail", 1],
        ["succeed", 2],
        ["fail", 3],
        ["fail", 4],
        ["is", 5, "closed"],
      ],
    ],
    [
      "opens with the third failure in a row",
      [
        ["fail", 0],
        ["fail", 1],
        ["fail", 2],
        ["is", 2, "open"],
        ["refuses", 101],
      ],
    ],
    [
      "lets one probe through after the pause, and no second one",
      [
        ["fail", 0],
        ["fail", 0],
        ["fail", 0],
        ["is", 100, "half_open"],
        ["admits", 100],
        ["refuses", 100],
      ],
    ],
    [
      "closes when the probe succeeds",
      [
        ["fail", 0],
        ["fail", 0],
        ["fail", 0],
        ["admits", 100],
        ["succeed", 110],
        ["is", 110, "closed"],
        ["admits", 110],
        ["admits", 110],
      ],
    ],
    [
      "stays open twice as long when the probe fails, up to the longest",
      [
        ["fail", 0],
        ["fail", 0],
        ["fail", 0],
        ["admits", 100],
        ["fail", 100],
        ["refuses", 299],
        ["admits", 300],
        ["fail", 300],
        ["refuses", 599],
        ["admits", 600],
        ["fail", 600],
        ["refuses", 899],
        ["admits", 900],
      ],
    ],
    [
      "pauses for the first time again once it was closed",
      [
        ["fail", 0],
        ["fail", 0],
        ["fail", 0],
        ["admits", 100],
        ["fail", 100],
        ["admits", 300],
        ["succeed", 300],
        ["fail", 400],
        ["fail", 400],
        ["fail", 400],
        ["refuses", 499],
        ["admits", 500],
      ],
    ],
    [
      "lets another probe through when one was given up",
      [
        ["fail", 0],
        ["fail", 0],
        ["fail", 0],
        ["admits", 100],
        ["abandon", 110],
        ["admits", 111],
        ["refuses", 111],
      ],
    ],
    [
      "takes no notice of calls that began before it opened and fail later",
      [
        ["fail", 0],
        ["fail", 0],
        ["fail", 0],
        ["fail", 90],
        ["is", 100, "half_open"],
      ],
    ],
    [
      "takes no notice of them while a probe runs either, and lets no second probe through for them",
      [
        ["fail", 0],
        ["fail", 0],
        ["fail", 0],
        ["admits", 100],
        ["straggler fails", 110],
        ["is", 110, "half_open"],
        ["straggler abandons", 110],
        ["refuses", 111],
        ["fail", 120],
        ["refuses", 319],
        ["admits", 320],
      ],
    ],
  ])("%s", (_, steps) => {
    const breaker = createCircuitBreaker(settings);
    let admission: CallAdmission = "call";
    for (const step of steps) {
      const [what, now] = step;
      if (what === "fail") breaker.failed(now, admission);
      else if (what === "straggler fails") breaker.failed(now, "call");
      else if (what === "succeed") {
        breaker.succeeded();
        admission = "call";
      } else if (what === "abandon") breaker.abandoned(admission);
      else if (what === "straggler abandons") breaker.abandoned("call");
      else if (what === "is") expect([now, breaker.state(now)]).toEqual([now, step[2]]);
      else {
        const admitted = breaker.admit(now);
        expect([step, admitted !== null]).toEqual([step, what === "admits"]);
        admission = admitted ?? admission;
      }
    }
  });

  it("tells when a call may go ahead again", () => {
    const breaker = createCircuitBreaker(settings);
    for (const now of [5, 6, 7]) breaker.failed(now, "call");
    expect(breaker.retryAt()).toBe(107);
  });
});
