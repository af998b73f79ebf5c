/** The only source of time and of random ids on the server. */
import { randomUUID } from "node:crypto";

export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** A fresh UUID. */
  id(): string;
};

export const systemClock: Clock = { now: () => Date.now(), id: () => randomUUID() };
