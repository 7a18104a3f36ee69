import { expect, it } from "vitest";
import { createPlaces } from "./places.js";

const ofKey = { name: "streams_of_session", value: 2 };
const overall = { name: "streams", value: 3 };

it("a key has so many, and all keys so many together; whoever leaves makes room", () => {
  const places = createPlaces({ ofKey, overall, retryAfterSeconds: 5 });
  expect([places.take("a"), places.take("a")]).toEqual([null, null]);
  expect(places.take("a")).toEqual({ ...ofKey, isOwnShare: true, retryAfterSeconds: 5 });
  expect(places.take("b")).toBeNull();
  expect(places.take("c")).toEqual({ ...overall, isOwnShare: false, retryAfterSeconds: 5 });
  places.leave("a");
  expect([places.take("c"), places.take("a")?.name]).toEqual([null, "streams"]);
});

it("beyond the places of all, a key with less than an equal part gets one, up to a number", () => {
  const places = createPlaces({ overall, withFairPart: 4, retryAfterSeconds: 5 });
  for (const key of ["a", "a", "a"]) expect(places.take(key)).toBeNull();
  expect(places.take("a")?.name).toBe("streams");
  expect(places.take("b")).toBeNull();
  expect(places.take("c")?.name).toBe("streams");
  places.leave("b");
  expect(places.take("b")).toBeNull();
});
