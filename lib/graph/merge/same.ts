/** Compares values; undefined members count as absent. */
export const same = (one: unknown, other: unknown): boolean => {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) && Array.isArray(other) && one.length === other.length && one.every((item, index) => same(item, other[index]))
    );
  }
  const members = new Map<string, unknown>(Object.entries(one).filter(([, value]) => value !== undefined));
  const others = Object.entries(other).filter(([, value]) => value !== undefined);

  return others.length === members.size && others.every(([name, value]) => members.has(name) && same(members.get(name), value));
};
