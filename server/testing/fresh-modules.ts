/** Shares packages, most of the start-up cost, but reloads our modules, except for tests of lib. */
import path from "node:path";
import { expect, vi } from "vitest";

vi.useRealTimers();
vi.unstubAllEnvs();
vi.unstubAllGlobals();
vi.restoreAllMocks();
// Loading took a third of their time.
if (!path.relative(process.cwd(), expect.getState().testPath ?? "").startsWith(`lib${path.sep}`)) vi.resetModules();

// Per-process state across module reloads.
for (const key of Object.getOwnPropertySymbols(globalThis)) {
  if (key.description?.startsWith("countersign.") === true) Reflect.deleteProperty(globalThis, key);
}
