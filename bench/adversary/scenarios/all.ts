import { DESKS } from "./desk";
import { KINDS } from "./kinds";
import type { Scenario } from "./building-blocks";
import { WAYS } from "./routes";
import { ZONES } from "./zones";

export const SCENARIOS: readonly [Scenario, ...Scenario[]] = [...DESKS, ...KINDS, ...WAYS, ...ZONES];
