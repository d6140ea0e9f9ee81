/**
 * Makes a value when it is first asked for, and once. Formatters of `Intl` take milliseconds each to make, which nobody
 * should wait for who does not see them yet.
 */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
