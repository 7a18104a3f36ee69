import type { MovementStatement, MovementStore } from "../../ports/movement-store.js";
import type { TenantState } from "./state.js";

/** {@link MovementStore} over a draft. */
export function memoryMovements(state: TenantState): MovementStore {
  return {
    async related(connectionId, references) {
      const wanted = new Set(references);
      const own = [...state.movements.values()].filter(({ connection_id }) => connection_id === connectionId);
      const found = new Set<MovementStatement>();
      for (let size = -1; size < found.size; ) {
        size = found.size;
        for (const statement of own) {
          const named = [...statement.references, ...statement.cancels];
          if (found.has(statement) || !named.some((reference) => wanted.has(reference))) continue;
          found.add(statement);
          for (const reference of named) wanted.add(reference);
        }
      }
      return own.filter((statement) => found.has(statement)).map(({ connection_id: _, ...statement }) => statement);
    },

    async keep(connectionId, statements) {
      if (!state.connections.has(connectionId)) throw new Error(`there is no connection ${connectionId}`);
      for (const statement of statements) {
        const key = `${connectionId} ${statement.statement_id}`;
        if (!state.movements.has(key)) state.movements.set(key, { ...statement, connection_id: connectionId });
      }
    },
  };
}
