/**
 * Makes `instanceof` recognise a class's objects over copies of the kit: a provider with a `node_modules` of its own has another copy than the
 * server. Subclasses are told apart as usual.
 */
export function recogniseCopies(type: { readonly prototype: object }, name: string): void {
  const mark = Symbol.for(`@org/provider-kit: ${name}`);
  Object.defineProperty(type.prototype, mark, { value: true });
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this === type) return typeof value === "object" && value !== null && mark in value;
      return Function.prototype[Symbol.hasInstance].call(this, value);
    },
  });
}
