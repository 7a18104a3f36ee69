import { createMemoryEndedSessions, describeEndedSessions } from "./ended-sessions.js";

describeEndedSessions("createMemoryEndedSessions", createMemoryEndedSessions);
