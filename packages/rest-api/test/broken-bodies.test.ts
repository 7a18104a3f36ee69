import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { brokenBodies } from "./broken-bodies.js";
import { type Fixture, startFixture } from "./fixture.js";
import { requestSchema } from "./json-schema.js";
import { tokenOf, validBodies } from "./valid-bodies.js";

let api: Fixture;
let bodies: Awaited<ReturnType<typeof validBodies>>;
beforeAll(async () => {
  api = await startFixture();
  bodies = await validBodies(api);
});
afterAll(() => api.close());

/** Sentences of the schema library, which nobody is shown. */
const zodSentence =
  /Invalid (input|option|string|number|key|value|discriminator|element)|Unrecognized key|Too (small|big)|: expected|, received|match pattern/;

describe("[C-7.22][S2-7.4][S2-7.8] a body that is wrong in one place is a 400 that names the place, at every endpoint that takes JSON", () => {
  it("[C-7.60] names the place, and says what is wrong in our words", { timeout: 120_000 }, async () => {
    let tried = 0;
    const missed: string[] = [];
    for (const [path, valid] of Object.entries(bodies)) {
      const schema = requestSchema(api.document, path);
      for (const { name, field, body } of schema ? brokenBodies(schema, valid) : []) {
        const answer = await api.post(path, body, { token: tokenOf(path) });
        const named = (answer.body.error?.details ?? []).map((detail: { field: string }) => detail.field);
        // A list may answer for its items.
        const list = field.replace(/\[0\]$/, "");
        if (answer.status !== 400 || !(named.includes(field) || named.includes(list)))
          missed.push(`${path}: ${name}: ${answer.status} ${answer.text}`);
        if (zodSentence.test(answer.text)) missed.push(`${path}: ${name}: not our words: ${answer.text}`);
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
