import type { Report } from "./attack";
import { madeUpDecisions } from "./facts";
import { noticed } from "./noticing";
import type { World } from "./world";

/** What came of an attack. @param succeeded by what its program found */
export const came = async (world: World, succeeded: boolean): Promise<Report> => ({ succeeded, noticedAs: await noticed(world) });

/** Of an attack that is after money or a name: more was paid than people allowed, or a ledger that is believed names somebody wrongly. */
export const cameOfPaying = async (world: World, allowed = 0): Promise<Report> =>
  came(world, world.paid() > allowed || (await madeUpDecisions(world)).length > 0);
