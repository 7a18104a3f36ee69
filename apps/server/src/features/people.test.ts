import { type PeopleCount, PeopleError } from "@org/people";
import { expect, it } from "vitest";
import { checkPeople, checkProviders } from "./people.js";

const of = (change: Partial<PeopleCount>): PeopleCount => ({
  role: "operator",
  state: "active",
  people: 1,
  with_one_passkey: 0,
  sessions: 0,
  ...change,
});

it.each([
  ["nobody is there", [], "warn", /no operator has signed in/],
  ["the first operator has not come", [of({ state: "invited" })], "warn", /no operator has signed in/],
  [
    "only others are there",
    [of({ role: "operator:read" }), of({ role: "admin" })],
    "warn",
    /no operator has signed in/,
  ],
  [
    "some have one passkey only",
    [of({ people: 3, with_one_passkey: 1 }), of({ role: "admin", people: 4, with_one_passkey: 2 })],
    ...["warn", /3 of the 7 who may sign in have one passkey only, 1 of them operators/],
  ],
  ["all have two", [of({ people: 2 }), of({ role: "read", state: "invited" })], "ok", /^2 may sign in/],
] as const)("[C-14.14] the doctor's word on people where %s", (_, counts, state, message) => {
  expect(checkPeople(counts)).toMatchObject([{ check: "people", state, message: expect.stringMatching(message) }]);
});

it("[C-14.25] the doctor's word on identity providers names those that cannot be used, and why", async () => {
  const of = (issuer: string, look: () => Promise<void>) => ({ settings: { issuer } as never, look });
  const sound = of("https://idp.example", async () => {});
  const away = of("https://away.example", () => Promise.reject(new PeopleError("provider_away", "it does not answer")));
  expect(await checkProviders([])).toEqual([]);
  expect(await checkProviders([sound])).toMatchObject([{ state: "ok" }]);
  const message = "https://away.example: it does not answer";
  expect(await checkProviders([sound, away])).toMatchObject([{ state: "warn", message }]);
});
