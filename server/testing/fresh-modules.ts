/** Shares packages, most of the start-up cost, but reloads our modules. */
import { vi } from "vitest";

vi.useRealTimers();
vi.unstubAllEnvs();
vi.unstubAllGlobals();
vi.restoreAllMocks();
vi.resetModules();

// Per-process state across module reloads.
for (const key of Object.getOwnPropertySymbols(globalThis)) {
  if (key.description?.startsWith("countersign.") === true) Reflect.deleteProperty(globalThis, key);
}
