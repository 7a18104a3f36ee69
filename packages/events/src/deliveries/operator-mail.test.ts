import { expect, it } from "vitest";
import { createNoticeLimit } from "./operator-mail.js";

it("[C-11.55] so many notices about a tenant in an hour, and others have theirs", () => {
  let minutes = 0;
  const mayMailNow = createNoticeLimit(3, () => new Date(minutes * 60_000));
  const told: number[] = [];
  for (; minutes < 180; minutes += 10) if (mayMailNow("flapping")) told.push(minutes);
  expect(told).toEqual([0, 10, 20, 60, 70, 80, 120, 130, 140]);
  expect(mayMailNow("other")).toBe(true);
});
