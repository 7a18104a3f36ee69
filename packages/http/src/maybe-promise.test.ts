import { expect, it } from "vitest";
import { makeOnce } from "./maybe-promise.js";

it("[C-9.521] is made once for all who ask meanwhile, is known at once afterwards, and after a failure is made anew", async () => {
  const outcomes = [Promise.reject(new Error("failed")), Promise.resolve("made")];
  let asked = 0;
  const get = makeOnce(() => outcomes[asked++] as Promise<string>);
  const failed = await Promise.allSettled([get(), get()]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await Promise.all([get(), get()])).toEqual(["made", "made"]);
  expect([get(), asked]).toEqual(["made", 2]);
});
