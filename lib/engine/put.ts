/** How tables of a run's state get their entries. */

/** A table with one more entry, or another one in its place. Its ids are UUIDs. */
export type Put = <T>(table: Readonly<Record<string, T>>, id: string, entry: T) => Readonly<Record<string, T>>;

export const copied: Put = (table, id, entry) => ({ ...table, [id]: entry });

/** Copies each table once: the copy is whoever's this is, and gets its further entries in place. */
export const inOwnCopy = (): Put => {
  const own = new WeakSet<object>();

  return (table, id, entry) => {
    const mine = own.has(table) ? table : { ...table };
    own.add(mine);

    return Object.assign(mine, { [id]: entry });
  };
};
