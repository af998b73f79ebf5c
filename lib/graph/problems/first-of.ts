/** The first of each name, in the order they stand in. */
export const firstOf = <T>(items: readonly T[], nameOf: (item: T) => string): T[] =>
  items.filter((item, index) => items.findIndex((other) => nameOf(other) === nameOf(item)) === index);
