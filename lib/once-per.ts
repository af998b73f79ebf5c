/** Remembers one result per immutable object, as long as the object lives. */
export const oncePer = <Key extends object, Made>(make: (key: Key) => Made): ((key: Key) => Made) => {
  const known = new WeakMap<Key, { readonly made: Made }>();

  return (key) => {
    const found = known.get(key);
    if (found) return found.made;
    const made = make(key);
    known.set(key, { made });

    return made;
  };
};
