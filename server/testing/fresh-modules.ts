/**
 * Test files of one worker share loaded packages, most of the start-up cost. Our modules are reloaded per file, so that their state never
 * leaks.
 */
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
