import { DESKS } from "./desk";
import { KINDS } from "./kinds";
import type { Scenario } from "./parts";
import { WAYS } from "./ways";

export const SCENARIOS: readonly [Scenario, ...Scenario[]] = [...DESKS, ...KINDS, ...WAYS];
