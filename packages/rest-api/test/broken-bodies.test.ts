import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { brokenJson, namesPlace, operationsOf } from "../src/testing/index.js";
import { type Fixture, startFixture } from "./fixture.js";
import { tokenOf, validBodies } from "./valid-bodies.js";

let api: Fixture;
let bodies: Awaited<ReturnType<typeof validBodies>>;
beforeAll(async () => {
  api = await startFixture();
  bodies = await validBodies(api);
});
afterAll(() => api.close());

/** Values that the schema allows for some fields: the real services refuse them, the ones in memory do not. */
const JUDGED_BEHIND = new Set(["lists nested 25 deep", "text of 100,000 characters"]);

/** Messages of the schema library, which must never be visible. */
const zodSentence =
  /Invalid (input|option|string|number|key|value|discriminator|element)|Unrecognized key|Too (small|big)|: expected|, received|match pattern/;

describe("[C-7.22][S2-7.4][S2-7.8] a body that is wrong in one place is a 400 that names the place, at every endpoint that takes JSON", () => {
  it("[C-7.60] names the place, and says what is wrong in our words", { timeout: 120_000 }, async () => {
    let tried = 0;
    const missed: string[] = [];
    const schemas = new Map(operationsOf(api.document).map(({ path, schema }) => [path, schema]));
    for (const [path, valid] of Object.entries(bodies)) {
      for (const { what, field, json } of brokenJson(schemas.get(path) ?? {}, valid)) {
        if (JUDGED_BEHIND.has(what)) continue;
        const answer = await api.post(path, json, { token: tokenOf(path) });
        const named = (answer.body.error?.details ?? []).map((detail: { field: string }) => detail.field);
        if (![400, 413].includes(answer.status) || !named.some((place: string) => namesPlace(place, field)))
          missed.push(`${path}: ${field} ${what}: ${answer.status} ${answer.text}`);
        if (zodSentence.test(answer.text)) missed.push(`${path}: ${field} ${what}: not our words: ${answer.text}`);
        tried += 1;
      }
    }
    expect(missed).toEqual([]);
    expect(tried).toBeGreaterThan(500);
  });

  it("takes its body of sample-bodies.ts after all that", async () => {
    const refused: string[] = [];
    for (const [path, body] of Object.entries(bodies)) {
      const answer = await api.post(path, body, { token: tokenOf(path) });
      if (answer.status !== 200) refused.push(`${path}: ${answer.status} ${answer.text}`);
    }
    expect(refused).toEqual([]);
    expect(Object.keys(bodies).length).toBeGreaterThan(100);
  });
});
