import { DESKS } from "./desk";
import { KINDS } from "./kinds";
import type { Scenario } from "./parts";
import { WAYS } from "./ways";
import { ZONES } from "./zones";

export const SCENARIOS: readonly [Scenario, ...Scenario[]] = [...DESKS, ...KINDS, ...WAYS, ...ZONES];
