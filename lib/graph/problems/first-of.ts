/** Keeps the first item per name. */
export const keepFirst = <T>(items: readonly T[], nameOf: (item: T) => string): T[] =>
  items.filter((item, index) => items.findIndex((other) => nameOf(other) === nameOf(item)) === index);
