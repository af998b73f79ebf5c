/** `items` with `item` moved one place up or down among those that belong to its group; the others stay where they are. */
export const moveItem = <T>(items: readonly T[], item: T, by: -1 | 1, inGroup: (other: T) => boolean): T[] => {
  const places = items.flatMap((other, index) => (inGroup(other) ? [index] : []));
  const from = items.indexOf(item);
  const to = places[places.indexOf(from) + by];
  const other = to === undefined ? undefined : items[to];
  if (to === undefined || other === undefined || from < 0) return [...items];

  return items.with(from, other).with(to, item);
};
