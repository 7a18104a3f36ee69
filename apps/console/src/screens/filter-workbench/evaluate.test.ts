import { explainConnector } from "@org/connector-filter";
import { expect, it } from "vitest";
import { evaluate, readFilter } from "./evaluate.js";

const rules = [
  { action: "exclude", field: "connector_id", value: "*" },
  { action: "include", field: "countries", value: ["Spain"] },
  { action: "exclude", field: "type", value: "psd2" },
];
const catalogue = Array.from({ length: 50 }, (_, index) => ({
  id: `${index % 2 ? "esp" : "fra"}:${index}`,
  name: `Bank ${index}`,
  type: index % 3 ? "e-banking" : "psd2",
  countries: [index % 2 ? "esp" : "fra"],
  available: index % 7 !== 0,
}));

it("[C-14.52] a pasted filter is read alone or in the body around it; its faults are named by their places", () => {
  for (const pasted of [{ rules }, { connector_filter: { rules } }, { configuration: { connector_filter: { rules } } }])
    expect(readFilter(JSON.stringify(pasted))).toMatchObject({ filter: { rules } });
  expect(readFilter(" ")).toMatchObject({ filter: { rules: [] } });
  expect(readFilter("{")).toMatchObject({ notJson: expect.any(String) });
  expect(readFilter(JSON.stringify({ rules: [{ ...rules[0], action: "drop" }] }))).toMatchObject({
    issues: [{ path: "connector_filter.rules[0].action" }],
  });
});

it("[C-14.52] the workbench says of every connector what the library says, gives way to others, and stops when it is told to", async () => {
  const read = readFilter(JSON.stringify({ rules }));
  if (!("filter" in read)) throw new Error("no filter");
  const { filter } = read;
  let [time, pauses] = [0, 0];
  const clock = () => time++;
  const pause = async () => void pauses++;
  const verdicts = await evaluate(catalogue, filter, { signal: new AbortController().signal, pause, clock });
  expect(verdicts).toEqual(
    catalogue.map((connector) => {
      const { included, rule } = explainConnector(connector, filter);
      return { connector, included, rule };
    }),
  );
  expect(pauses).toBeGreaterThan(1);
  const ended = new AbortController();
  const ending = async () => ended.abort();
  expect(await evaluate(catalogue, filter, { signal: ended.signal, pause: ending, clock })).toBeNull();
});
