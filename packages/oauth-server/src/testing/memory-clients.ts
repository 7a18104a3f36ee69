import type { AssertionStore, ClientStore, RegistrationTokenStore } from "../ports/client-store.js";
import type { MemoryTables } from "./memory-tables.js";

/** Self-registered clients, initial access tokens and used assertions in memory. */
export function memoryClients(tables: MemoryTables): ClientStore & AssertionStore & RegistrationTokenStore {
  return {
    async registerClient(client) {
      if (tables.clients.has(client.client_id)) throw new Error("a client with this id exists");
      tables.clients.set(client.client_id, client);
    },
    async findClient(clientId) {
      return tables.clients.get(clientId) ?? null;
    },
    async rehashClient(clientId, { from, to }) {
      const client = tables.clients.get(clientId);
      if (client?.secret_hash === from) tables.clients.set(clientId, { ...client, secret_hash: to });
    },
    async markClientUsed(clientId, at) {
      const client = tables.clients.get(clientId);
      if (client && client.last_used_at < at) tables.clients.set(clientId, { ...client, last_used_at: at });
    },
    async reapClients({ at, usedBefore, createdBefore }, limit) {
      const live = new Set(
        [...tables.grants.values()]
          .filter(({ grant }) => grant.ended_at === null && grant.refresh_expires_at > at)
          .map(({ grant }) => grant.client_id),
      );
      const idle = [...tables.clients.values()]
        .filter(({ client_id, created_at, last_used_at }) => {
          const isUnused = last_used_at.getTime() === created_at.getTime();
          return !live.has(client_id) && last_used_at < createdBefore && (isUnused || last_used_at < usedBefore);
        })
        .slice(0, limit);
      for (const { client_id } of idle) tables.clients.delete(client_id);
      return idle.length;
    },
    async addRegistrationToken(token) {
      tables.registrationTokens.set(token.token_id, token);
    },
    async findRegistrationToken(hashes, at) {
      const tokens = [...tables.registrationTokens.values()];
      return tokens.find(({ token_hash, expires_at }) => hashes.includes(token_hash) && expires_at > at) ?? null;
    },
    async listRegistrationTokens(at) {
      return [...tables.registrationTokens.values()]
        .filter(({ expires_at }) => expires_at > at)
        .sort((a, b) => (a.token_id < b.token_id ? -1 : 1));
    },
    async removeRegistrationToken(tokenId) {
      return tables.registrationTokens.delete(tokenId);
    },
    async reapRegistrationTokens(at, limit) {
      const over = [...tables.registrationTokens].filter(([, { expires_at }]) => expires_at < at).slice(0, limit);
      for (const [id] of over) tables.registrationTokens.delete(id);
      return over.length;
    },
    async useAssertion(clientId, jti, expiresAt) {
      const key = JSON.stringify([clientId, jti]);
      if (tables.assertions.has(key)) return false;
      tables.assertions.set(key, expiresAt);
      return true;
    },
    async reapAssertions(at, limit) {
      const over = [...tables.assertions].filter(([, expiresAt]) => expiresAt < at).slice(0, limit);
      for (const [key] of over) tables.assertions.delete(key);
      return over.length;
    },
  };
}
