import { expect, it } from "vitest";
import { createPlaceUse } from "./place-use.js";

it("[C-11.90] a tenant that held places for long still counts as using them after they are free, and less and less", () => {
  let seconds = 0;
  const use = createPlaceUse(() => new Date(seconds * 1_000));
  const pass = (more: number) => {
    seconds += more;
  };
  const rounded = () => Object.fromEntries(Object.entries(use.byTenant()).map(([tenant, n]) => [tenant, n.toFixed(2)]));
  for (let place = 0; place < 4; place += 1) use.take("slow");
  use.take("quick");
  pass(0.05);
  use.leave("quick");
  expect([rounded(), use.held]).toEqual([{ slow: "4.00" }, 4]);
  pass(60);
  for (let place = 0; place < 4; place += 1) use.leave("slow");
  expect([rounded(), use.held]).toEqual([{ slow: "2.53" }, 0]);
  use.take("slow");
  expect(rounded()).toEqual({ slow: "2.53" });
  use.leave("slow");
  pass(60);
  expect(rounded()).toEqual({ slow: "0.93" });
  pass(600);
  expect(rounded()).toEqual({});
});
