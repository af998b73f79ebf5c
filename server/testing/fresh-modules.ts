/**
 * Test files of one worker share the packages that they load, which is most of what starting costs. Modules of ours are
 * loaded anew for each file, so that what one of them keeps (settings, connections, a log) never reaches the next file.
 */
import { vi } from "vitest";

vi.useRealTimers();
vi.unstubAllEnvs();
vi.unstubAllGlobals();
vi.restoreAllMocks();
vi.resetModules();

// What a process keeps once, however often a module is loaded.
for (const key of Object.getOwnPropertySymbols(globalThis)) {
  if (key.description?.startsWith("countersign.") === true) Reflect.deleteProperty(globalThis, key);
}
