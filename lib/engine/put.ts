/** How tables of a run's state get their entries, and lists their items. */

/** A table with one more entry, or another one in its place. Its ids are UUIDs. */
export type Put = <T>(table: Readonly<Record<string, T>>, id: string, entry: T) => Readonly<Record<string, T>>;

/** A list with one more item at its end. */
export type Add = <T>(list: readonly T[], item: T) => readonly T[];

/** How a state's tables and lists grow. */
export type Grow = { readonly put: Put; readonly add: Add };

export const copied: Put = (table, id, entry) => ({ ...table, [id]: entry });

export const growCopied: Grow = { put: copied, add: (list, item) => [...list, item] };

/** Copies each table once: the copy is whoever's this is, and gets its further entries in place. */
export const inOwnCopy = (): Put => {
  const own = new WeakSet<object>();

  return (table, id, entry) => {
    const mine = own.has(table) ? table : { ...table };
    own.add(mine);

    return Object.assign(mine, { [id]: entry });
  };
};

/** Copies each list once, as `inOwnCopy` does with tables. */
const addInOwnCopy = (): Add => {
  const own = new WeakSet<object>();

  return <T>(list: readonly T[], item: T) => {
    // What is in `own` was made here, so nobody else has it as one that cannot be changed.
    const mine = own.has(list) ? (list as T[]) : [...list];
    own.add(mine);
    mine.push(item);

    return mine;
  };
};

/** Copies each table and each list once: the copies get what is further put into them in place. */
export const growInOwnCopy = (): Grow => ({ put: inOwnCopy(), add: addInOwnCopy() });
