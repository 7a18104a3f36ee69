/**
 * MCP sessions that clients have ended, shared by all replicas: the deny list behind `DELETE /mcp`. A session is known by the
 * nonce in its id, which alone opens nothing.
 */
export interface EndedSessions {
  /** Notes a session as ended. It may be forgotten after `expiresAt`, when its id has expired anyway. Repeating changes nothing. */
  end(nonce: string, expiresAt: Date): Promise<void>;
  /**
   * Whether the session has ended. Asked on every request with a session id, so it should answer from memory: another replica
   * may be a few seconds late, the one that took the DELETE may not.
   */
  isEnded(nonce: string): boolean | Promise<boolean>;
}
