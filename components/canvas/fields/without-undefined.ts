/** A copy without the members that have no value: documents are JSON, and an optional field is there or it is not. */
export const dropUndefined = <T extends object>(value: T): T =>
  // Leaving out an optional member does not change the type.
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
