/** Makes recordings of sessions at institutions, for programs that run providers there (`@org/provider-kit/recording`). */
export {
  type MadeRecording,
  makeRecording,
  type RecordedPhase,
  replacerOf,
  type SeenSession,
  type ValueReplacer,
} from "./testing/recording/index.js";
