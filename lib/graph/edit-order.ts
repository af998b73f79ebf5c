/** Moves `item` one place within its group. */
export const moveItem = <T>(items: readonly T[], item: T, by: -1 | 1, inGroup: (other: T) => boolean): T[] => {
  const places = items.flatMap((other, index) => (inGroup(other) ? [index] : []));
  const from = items.indexOf(item);
  const to = places[places.indexOf(from) + by];
  const other = to === undefined ? undefined : items[to];
  if (to === undefined || other === undefined || from < 0) return [...items];

  return items.with(from, other).with(to, item);
};
