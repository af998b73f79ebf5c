import type { Report } from "./attack";
import { findForgedDecisions } from "./facts";
import { findNotice } from "./noticing";
import type { World } from "./world";

/** What came of an attack. @param succeeded by what its program found */
export const reportOutcome = async (world: World, succeeded: boolean): Promise<Report> => ({
  succeeded,
  noticedAs: await findNotice(world),
});

/** Of an attack that is after money or a name: more was paid than people allowed, or a ledger that is believed names somebody wrongly. */
export const reportPayments = async (world: World, allowed = 0): Promise<Report> =>
  reportOutcome(world, world.countPayments() > allowed || (await findForgedDecisions(world)).length > 0);
