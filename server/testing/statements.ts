/** Records this process's statements during `work`. */
import pg from "pg";

export const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  const sent: string[] = [];
  // Called with the client as `this`, like the driver.
  const original: (...args: unknown[]) => unknown = Reflect.get(pg.Client.prototype, "query");
  const record = function (this: pg.Client, ...args: unknown[]) {
    const [first] = args;
    sent.push(typeof first === "string" ? first : String(Reflect.get(Object(first), "text")));

    return original.apply(this, args);
  };
  Reflect.set(pg.Client.prototype, "query", record);
  try {
    await work();
  } finally {
    Reflect.set(pg.Client.prototype, "query", original);
  }

  return sent;
};
