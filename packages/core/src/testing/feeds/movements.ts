import { createGroups } from "../../data/groups.js";
import type { MovementStatement, MovementStore } from "../../data/movement-store.js";
import type { TenantState } from "../state.js";

/** {@link MovementStore} over a draft. */
export function memoryMovements(state: TenantState): MovementStore {
  return {
    async unknown(connectionId, messages) {
      const seen = new Set<string>();
      const isNew = ({ statement_id: id }: MovementStatement) =>
        !state.movements.has(`${connectionId} ${id}`) && !seen.has(id) && seen.add(id);
      return messages.filter(isNew);
    },

    async related(connectionId, messages, { maxSharing, maxMessages, maxFound, ignored }) {
      const own = [...state.movements.values()].filter(({ connection_id }) => connection_id === connectionId);
      const namedBy = ({ references, cancels }: Pick<MovementStatement, "references" | "cancels">) =>
        new Set([...references, ...cancels]);
      const counts = new Map<string, number>();
      for (const reference of own.flatMap((one) => [...namedBy(one)]))
        counts.set(reference, (counts.get(reference) ?? 0) + 1);
      const wanted = new Set(messages.flatMap((one) => [...namedBy(one)]));
      const ids = new Set(messages.map(({ statement_id }) => statement_id));
      const names = (reference: string) =>
        wanted.has(reference) && !ignored.has(reference) && (counts.get(reference) ?? 0) <= maxSharing;
      const found = new Set(own.filter(({ statement_id }) => ids.has(statement_id)));
      for (let size = -1; size < found.size; ) {
        size = found.size;
        for (const statement of own) {
          if (!found.has(statement) && ![...namedBy(statement)].some(names)) continue;
          found.add(statement);
          for (const reference of namedBy(statement)) wanted.add(reference);
        }
      }
      const groups = createGroups();
      const members = [...found].map((one) => [one, groups.add([...namedBy(one)].filter(names))] as const);
      const sizes = new Map<number, number>();
      for (const [one, member] of members) {
        const group = groups.groupOf(member);
        const before = sizes.get(group) ?? 0;
        sizes.set(group, before + 1);
        if (before > maxMessages && !ids.has(one.statement_id)) found.delete(one);
      }
      if (found.size > maxFound) return null;
      return {
        statements: own.filter((one) => found.has(one)).map(({ connection_id: _, ...statement }) => statement),
        shared: new Set([...wanted].filter((reference) => (counts.get(reference) ?? 0) > maxSharing)),
      };
    },

    async keep(connectionId, statements) {
      if (!state.connections.has(connectionId)) throw new Error(`there is no connection ${connectionId}`);
      for (const statement of statements) {
        const key = `${connectionId} ${statement.statement_id}`;
        if (!state.movements.has(key)) state.movements.set(key, { ...statement, connection_id: connectionId });
      }
    },

    async corrected(connectionId, correctionIds) {
      return new Map(
        correctionIds.flatMap((id) => {
          const transactionId = state.correctedTransactions.get(`${connectionId} ${id}`);
          return transactionId === undefined ? [] : [[id, transactionId]];
        }),
      );
    },

    async keepCorrected(connectionId, transactionIds) {
      for (const [id, transactionId] of transactionIds) {
        const key = `${connectionId} ${id}`;
        if (!state.correctedTransactions.has(key)) state.correctedTransactions.set(key, transactionId);
      }
    },
  };
}
