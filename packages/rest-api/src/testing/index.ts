/** For tests of whatever serves the endpoints: a good body for each of them. */
export { type SampleThings, sampleBodies, sampleIds } from "./sample-bodies.js";
