/** For tests of hosts that serve the endpoints: a valid body for each endpoint, and every way to break it. */
export { type BrokenJson, brokenJson, namesPlace } from "./broken-json.js";
export { type JsonSchema, type Operation, operationsOf, propertyNames } from "./json-schema.js";
export { type SampleThings, sampleBodies, sampleIds } from "./sample-bodies.js";
