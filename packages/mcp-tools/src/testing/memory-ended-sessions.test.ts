import { describeEndedSessions } from "./describe-ended-sessions.js";
import { createMemoryEndedSessions } from "./memory-ended-sessions.js";

describeEndedSessions("createMemoryEndedSessions", createMemoryEndedSessions);
