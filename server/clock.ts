/** The server's only source of time and random ids. */
import { randomUUID } from "node:crypto";

export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  id(): string;
};

export const systemClock: Clock = { now: () => Date.now(), id: () => randomUUID() };
