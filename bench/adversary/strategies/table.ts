/** Every strategy by name. */
import { CONTROL_STRATEGIES } from "./control";
import { MEMORY_STRATEGIES } from "./memory";
import type { Strategies } from "./strategy";
import { TOOL_STRATEGIES } from "./tools";

export const STRATEGIES: Strategies = { ...MEMORY_STRATEGIES, ...CONTROL_STRATEGIES, ...TOOL_STRATEGIES };
