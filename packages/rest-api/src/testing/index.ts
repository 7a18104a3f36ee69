/** For tests of whatever serves the endpoints: a good body for each of them, and every way to break it. */
export { type BrokenJson, brokenJson, namesPlace } from "./broken-json.js";
export { type JsonSchema, type Operation, operationsOf, propertyNames } from "./json-schema.js";
export { type SampleThings, sampleBodies, sampleIds } from "./sample-bodies.js";
