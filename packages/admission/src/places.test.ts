import { expect, it } from "vitest";
import { createPlaces } from "./places.js";

const ofKey = { name: "streams_of_session", value: 2 };
const overall = { name: "streams", value: 3 };

it("a key has so many, and all keys so many together; whoever leaves makes room", () => {
  const places = createPlaces({ ofKey, overall: { ...overall, value: 4 }, retryAfterSeconds: 5 });
  expect([places.take("a"), places.take("a")]).toEqual([null, null]);
  expect(places.take("a")).toEqual({ ...ofKey, isOwnShare: true, retryAfterSeconds: 5 });
  expect([places.take("b"), places.take("c")]).toEqual([null, null]);
  expect(places.take("d")).toEqual({ ...overall, value: 4, isOwnShare: false, retryAfterSeconds: 5 });
  places.leave("a");
  expect([places.take("d"), places.take("a")?.name]).toEqual([null, "streams"]);
});

it("[C-9.515] one key has at most half of all places, and few keys leave room for new ones", () => {
  const places = createPlaces({ overall: { name: "streams", value: 1_000 }, retryAfterSeconds: 5 });
  const takeAll = (key: string) => {
    let taken = 0;
    while (places.take(key) === null) taken += 1;
    return taken;
  };
  expect(["a", "b", "c", "d"].map(takeAll)).toEqual([500, 167, 84, 50]);
  for (let n = 0; n < 30; n += 1) takeAll(`attacker ${n}`);
  expect(places.take("honest")).toBeNull();
  for (let n = 0; n < 100; n += 1) takeAll(`network ${n}`);
  expect(places.take("new")).toMatchObject({ name: "streams", value: 1_000, isOwnShare: false });
});
